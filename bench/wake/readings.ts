import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createSttClient } from '../../api/src/engines/stt-client.ts';
import { english } from '../../api/src/language/en/english.ts';
import { createSaidWord } from '../../api/src/language/said-word.ts';
import { type WakeHit, WakeWordDetector } from '../../api/src/wake/wake-word-detector.ts';
import { fetchedWakeWords } from '../../tests/support/wake/words.ts';
import type { Speaker } from './utterances.ts';

const rateHz = 16_000;
const voices = 6;
/** The sound that the second stage transcribes: from before a hit to about the end of a request. */
const [beforeMs, afterMs] = [1_500, 2_500];
const transcribeMs = 60_000;

export interface Readings {
  hours: number;
  hits: FalseHit[];
}

interface FalseHit extends Pick<WakeHit, 'word' | 'certainty'> {
  /** Null: without speech recognition. */
  transcript: string | null;
  /** Whether the transcript contains something near the word, which confirms an uncertain hit. */
  isNear: boolean;
}

interface ReadingOptions {
  hours: number;
  transcribe: ReturnType<typeof secondStage> | null;
}

/** Our own documents, read by several voices: long speech without any of the words. */
export async function readAloud(
  speakers: readonly Speaker[],
  { hours, transcribe }: ReadingOptions,
): Promise<Readings> {
  const paragraphs = readingTexts();
  const chosen = speakers.filter((_, n) => n % Math.ceil(speakers.length / voices) === 0);
  const detector = new WakeWordDetector(fetchedWakeWords);
  const hits: FalseHit[] = [];
  let samples = 0;
  for (let n = 0; samples < hours * 3_600 * rateHz; n += 1) {
    const speech = await chosen[n % chosen.length]?.(paragraphs[n % paragraphs.length] ?? '');
    if (!speech) continue;
    const startMs = (samples / rateHz) * 1_000;
    for (const hit of detector.push(speech)) {
      const said = await transcribe?.(soundOf(hit, speech, startMs), hit.word);
      hits.push({ word: hit.word, certainty: hit.certainty, transcript: null, isNear: false, ...said });
    }
    samples += speech.length;
  }
  return { hours: samples / rateHz / 3_600, hits };
}

function soundOf({ atMs }: WakeHit, speech: Int16Array, startMs: number): Int16Array {
  const at = (ms: number) => Math.max(0, Math.round(((ms - startMs) * rateHz) / 1_000));
  return speech.subarray(at(atMs - beforeMs), at(atMs + afterMs));
}

/** The second stage: transcribes the sound of a hit, and compares it with the word. */
export function secondStage(baseUrl: string) {
  const client = createSttClient({ http: createEngineClient('stt'), baseUrl });
  const saidOf = new Map(
    fetchedWakeWords.map(({ id, phrase }) => [
      id,
      createSaidWord({ phrases: [phrase], soundsOf: english.soundsOf }),
    ]),
  );
  return async ({ buffer, byteOffset, byteLength }: Int16Array, word: string) => {
    const sound = { sampleRateHz: rateHz, samples: Buffer.from(buffer, byteOffset, byteLength) };
    const { text } = await client.transcribe({ sound, signal: AbortSignal.timeout(transcribeMs) });
    return { transcript: text, isNear: saidOf.get(word)?.(text).isNear ?? false };
  };
}

/** Names and wake words, which our documents give as examples. */
const called = /nabu|jarvis|computer/i;

/** Paragraphs of our documents, without any name or wake word. */
export function readingTexts(): string[] {
  const root = resolve(import.meta.dirname, '../..');
  const documents = [
    'README.md',
    'docs/listen.md',
    'docs/timers.md',
    'docs/skills.md',
    'docs/security.md',
    'docs/install.md',
  ];
  return documents.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.replaceAll(/[^\p{L}\p{N}.,?!' ]+/gu, ' ').trim())
      .filter((paragraph) => paragraph.length > 80 && paragraph.length < 600)
      .filter((paragraph) => !called.test(paragraph)),
  );
}
