import type { Pcm } from '../../audio/pcm.ts';
import type { Clock } from '../../clock.ts';
import type { SynthesizeSentence } from '../../turn-client/sentence-synthesis.ts';
import type { SpeechSegment } from './playback.ts';

/** Limit for synthesizing a sentence. A later one would be useless. */
const maxWaitMs = 5_000;
/** Minimum time between two preparations. */
const prepareEveryMs = 60_000;
/**
 * Delay before retrying when no voice was available, such as while one is loading. It doubles up to `last`.
 */
const retryDelayMs = { first: 5_000, last: 600_000 };
/** Error codes that mean no voice is available. Their sentences are synthesized in advance. */
const speechless = [
  'redis_unavailable',
  'redis_full',
  'redis_disk_full',
  'redis_disk_failed',
  'worker_unavailable',
  'tts_unavailable',
  'shutting_down',
  'internal',
];

/** Texts that the assistant says unprompted. */
export interface OwnWords {
  /** Says that the assistant is still thinking. The text varies by turn. */
  filler(turnId: string, language?: string): string;
  /** The sentence that explains a failure, by its code. */
  failure(code: string, language?: string): string;
}

interface OwnVoiceOptions {
  synthesizeSentence: SynthesizeSentence;
  words: OwnWords;
  /** The tags of the household's languages. */
  languages: readonly string[];
  clock: Clock;
  /** The current voice and speed. Sentences cached for another voice are synthesized again. */
  manner: () => string;
}

export type OwnVoice = ReturnType<typeof createOwnVoice>;

/**
 * Speaks the assistant's own sentences. Caches failure messages as sound, because a failure may leave no
 * voice.
 */
export function createOwnVoice({ synthesizeSentence, words, languages, clock, manner }: OwnVoiceOptions) {
  const kept = new Map<string, { sound: Pcm; manner: string }>();
  /** Sentences being synthesized. Many satellites may say the same one at once. */
  const running = new Map<string, Promise<Pcm | null>>();
  let preparedAtMs = Number.NEGATIVE_INFINITY;
  let callOffNext = (): void => undefined;
  let isStopped = false;

  const synthesize = async (text: string, language?: string): Promise<Pcm | null> => {
    const patience = new AbortController();
    const late = Promise.withResolvers<null>();
    const cancelTimeout = clock.after(maxWaitMs, () => {
      patience.abort();
      late.resolve(null);
    });
    const said = synthesizeSentence({ text, language, signal: patience.signal }).catch(() => null);
    return Promise.race([said, late.promise]).finally(cancelTimeout);
  };
  const synthesizeOnce = (text: string, language?: string): Promise<Pcm | null> => {
    const key = JSON.stringify([manner(), text, language]);
    const started = running.get(key) ?? synthesize(text, language).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
  const say = async (text: string, language?: string): Promise<Pcm | null> => {
    const known = kept.get(text);
    if (known?.manner === manner()) return known.sound;
    const sound = await synthesizeOnce(text, language);
    // The old voice is better than no voice.
    return sound ?? known?.sound ?? null;
  };

  const reason = async (code: string, language?: string): Promise<SpeechSegment> => {
    const text = words.failure(code, language);
    const now = manner();
    const sound = await say(text, language);
    if (sound && sound !== kept.get(text)?.sound) kept.set(text, { sound, manner: now });
    return { text, sound };
  };

  const prepareAll = async (nextInMs: number): Promise<void> => {
    preparedAtMs = clock.nowMs();
    callOffNext();
    let isWhole = true;
    for (const language of languages)
      for (const code of speechless) isWhole = (await reason(code, language)).sound !== null && isWhole;
    if (isWhole || isStopped) return;
    const next = Math.min(2 * nextInMs, retryDelayMs.last);
    callOffNext = clock.after(nextInMs, () => void prepareAll(next));
  };

  return {
    filler: async (turnId: string, language?: string): Promise<SpeechSegment> => ({
      text: '',
      sound: await say(words.filler(turnId, language), language),
    }),
    reason,
    /** Synthesizes a sentence, by default in the first language. Null if no voice is available. */
    say,
    /** Synthesizes the failure messages in advance, one at a time, so that requests come first. */
    async prepare(): Promise<void> {
      if (clock.nowMs() - preparedAtMs < prepareEveryMs) return;
      await prepareAll(retryDelayMs.first);
    },
    /** Stops all preparation. */
    stop(): void {
      isStopped = true;
      callOffNext();
    },
  };
}

/** The same voice, with the fillers and failure messages in the language of a room. */
export function inLanguage(voice: OwnVoice, language: () => string | undefined): OwnVoice {
  return {
    ...voice,
    filler: (turnId) => voice.filler(turnId, language()),
    reason: (code) => voice.reason(code, language()),
  };
}
