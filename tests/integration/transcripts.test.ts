/** @module-tag slow */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Pcm } from '../../api/src/audio/pcm.ts';
import { readWav } from '../../api/src/audio/wav.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createSttClient, type SttClient } from '../../api/src/engines/stt-client.ts';
import { transcriptOf } from '../../api/src/engines/transcript.ts';
import { createHints, hearingSchema } from '../../api/src/language/hints.ts';
import { loadPart } from '../../api/src/language/language.ts';
import { wordErrors } from '../support/audio/word-errors.ts';
import { hasSpeechEngines, type RealEngine, startRealStt } from '../support/servers/real-speech.ts';

const root = resolve(import.meta.dirname, '../..');
const ownClips = resolve(root, 'services/stt/tests/clips');
const speech = resolve(root, '../shared/speech');
const language = new URL('../../api/languages/en/', import.meta.url);

interface Clip {
  folder: string;
  file: string;
  text: string;
}

const spoken: Clip[] = [
  { file: 'hello.wav', text: 'Hello.' },
  { file: 'pause.wav', text: 'Pause.' },
  { file: 'stop-stop.wav', text: 'Stop. Stop!' },
  { file: 'weather.wav', text: 'What’s the weather like in Berlin?' },
].map((clip) => ({ folder: ownClips, ...clip }));

const casesSchema = z.array(z.object({ file: z.string(), text: z.string() }));
/** The clips beside the repository; an empty text is silence, noise or a click. */
const beside: Clip[] = existsSync(speech)
  ? casesSchema
      .parse(JSON.parse(readFileSync(resolve(speech, 'cases.json'), 'utf8')))
      .map(({ file, text }) => ({ folder: speech, file, text: text.replace('|', ' ') }))
  : [];

const hearing = loadPart({ folder: language }, 'hearing.yaml', hearingSchema);
const hint = createHints(hearing)({
  timers: ['pasta', 'oven'],
  lists: [{ name: 'shopping', items: ['eggs', 'milk'] }],
  rooms: ['bedroom', 'kitchen'],
  room: 'kitchen',
});

// A sound that misleads the short window costs a decode of 30 s, which takes a busy machine long.
const patienceMs = 90_000;

/** The number of transcribed repetitions differs from processor to processor. */
function withoutRepeats(text: string): string {
  const words = text.toLowerCase().match(/[\w']+/g) ?? [];
  return words.filter((word, at) => word !== words[at - 1]).join(' ');
}

describe.skipIf(!hasSpeechEngines)(
  'the transcripts of real sounds (needs .venv and models)',
  { timeout: 2 * patienceMs },
  () => {
    let engine: RealEngine;
    let stt: SttClient;
    beforeAll(async () => {
      engine = await startRealStt();
      stt = createSttClient({
        http: createEngineClient('stt'),
        baseUrl: engine.url,
        answerMs: patienceMs,
      });
      await stt.findModel(AbortSignal.timeout(30_000));
    });
    afterAll(() => engine?.stop());

    const hear = async (sound: Pcm) => {
      const signal = AbortSignal.timeout(patienceMs);
      const transcription = await stt.transcribe({ sound, prompt: hint, language: 'en', urgency: 1, signal });
      return transcriptOf(transcription, { hallucinations: hearing.phantoms, hint });
    };

    /** Word errors over all clips, the misheard clips, and those of them that are not asked back. */
    const listenTo = async (clips: readonly Clip[]) => {
      const found = { words: 0, errors: 0, misheard: [] as string[], unsure: [] as string[] };
      for (const clip of clips) {
        const { text } = clip;
        const transcript = await hear(inARoom(read(clip)));
        const errors = wordErrors(text, transcript.text);
        found.words += text.split(/\s+/).filter(Boolean).length;
        found.errors += errors;
        if (errors > 0) found.misheard.push(`${text} -> ${transcript.text}`);
        else if (!transcript.isSure) found.unsure.push(text);
      }
      return found;
    };

    test('match our own clips', async () => {
      const { misheard, unsure } = await listenTo(spoken);

      const others = misheard.filter((line) => {
        const [said = '', heard = ''] = line.split(' -> ');
        return withoutRepeats(said) !== withoutRepeats(heard);
      });
      expect({ others, unsure }).toEqual({ others: [], unsure: [] });
    });

    test.skipIf(beside.length === 0)(
      'match all spoken clips (needs ../shared/speech)',
      async () => {
        const said = beside.filter(({ text }) => text !== '');

        const { words, errors, misheard, unsure } = await listenTo([...spoken, ...said]);

        expect(errors / words, misheard.join('\n')).toBeLessThanOrEqual(0.02);
        expect(unsure).toEqual([]);
      },
      4 * patienceMs,
    );

    test.skipIf(beside.length === 0).each(beside.filter(({ text }) => text === ''))(
      'are empty for $file',
      async (clip) => {
        expect(await hear(read(clip))).toEqual({ text: '', isSure: false });
      },
    );

    test.each([
      ['silence', () => 0],
      ['faint noise', () => 0.003 * (random() - 0.5)],
      ['loud noise', () => random() - 0.5],
      ['a hum', (at: number) => 0.2 * Math.sin((2 * Math.PI * 50 * at) / rateHz)],
      ['clicks', (at: number) => (at % 8_000 < 3 ? 0.8 : 0)],
    ])('are empty for %s', async (_, sample) => {
      expect(await hear(soundOf(3, sample))).toEqual({ text: '', isSure: false });
    });

    test('are unsure when several people speak at once', async () => {
      const voices = spoken.map((clip) => read(clip).samples);
      const everybody = soundOf(3, (at) =>
        voices.reduce((all, voice) => all + voice.readInt16LE((2 * at) % voice.length) / 100_000, 0),
      );

      expect((await hear(everybody)).isSure).toBe(false);
    });

    test.each([200, 260, 320])('are unsure for a voice that hums at %i Hz', async (hertz) => {
      expect((await hear(soundOf(2, humAt(hertz)))).isSure).toBe(false);
    });
  },
);

const rateHz = 16_000;

let seed = 1;
/** The same numbers in every run. */
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}

function soundOf(seconds: number, sample: (at: number) => number): Pcm {
  const samples = Buffer.alloc(2 * rateHz * seconds);
  for (let at = 0; at < samples.length / 2; at += 1)
    samples.writeInt16LE(Math.round(32_767 * sample(at)), 2 * at);
  return { sampleRateHz: rateHz, samples };
}

/** Overtones and a vibrato: the model takes it for a voice, and writes words from its hints. */
function humAt(hertz: number): (at: number) => number {
  return (at) => {
    const seconds = at / rateHz;
    const turns = hertz * (seconds - (0.02 * Math.cos(10 * Math.PI * seconds)) / (10 * Math.PI));
    const overtones = [1, 2, 3, 4, 5].map((n) => Math.sin(2 * Math.PI * n * turns) / n);
    const swell = Math.min(1, 8 * seconds, 8 * (2 - seconds));
    return 0.1 * swell * overtones.reduce((all, each) => all + each) + 0.002 * (random() - 0.5);
  };
}

function read({ folder, file }: Clip): Pcm {
  const sound = readWav(readFileSync(resolve(folder, file)));
  if (!sound) throw new Error(`${file} is not a 16-bit mono WAV`);
  return sound;
}

/** A recording never starts and ends exactly with the words. */
function inARoom({ sampleRateHz, samples }: Pcm): Pcm {
  const pause = Buffer.alloc(Math.round(sampleRateHz * 0.4) * 2);
  return { sampleRateHz, samples: Buffer.concat([pause, samples, pause]) };
}
