import type { Pcm } from '../audio/pcm.ts';
import type { Chain } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';
import type { Utterable } from './playback.ts';

/** A sentence that takes longer than this comes too late. */
const maxWaitMs = 5_000;
/** Nothing is prepared twice in this time. */
const prepareEveryMs = 60_000;
/** If no voice could say all of them, as while it is being loaded, one may be able to so much later, and then twice as late each time. */
const againMs = { first: 5_000, last: 600_000 };
/** Failures that leave no voice to speak. Their sentences must be ready before they are needed. */
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

/** The assistant's own sentences. */
export interface OwnWords {
  /** That it is still thinking; another one from turn to turn. */
  filler(turnId: string): string;
  /** The sentence that tells people of a failure, by its code. */
  failure(code: string): string;
}

interface OwnVoiceOptions {
  chain: Pick<Chain, 'say'>;
  words: OwnWords;
  clock: Clock;
  /** The voice and its speed now. Sentences kept in another voice are made anew. */
  manner: () => string;
}

export type OwnVoice = ReturnType<typeof createOwnVoice>;

/** Says the assistant's own sentences. It keeps the reasons of failures as sound: when they are needed, there may be no voice. */
export function createOwnVoice({ chain, words, clock, manner }: OwnVoiceOptions) {
  const kept = new Map<string, { sound: Pcm; manner: string }>();
  let preparedAtMs = Number.NEGATIVE_INFINITY;
  let callOffNext = (): void => undefined;
  let isStopped = false;

  const say = async (text: string): Promise<Pcm | null> => {
    const known = kept.get(text);
    if (known?.manner === manner()) return known.sound;
    const patience = new AbortController();
    const late = Promise.withResolvers<null>();
    const callOff = clock.after(maxWaitMs, () => {
      patience.abort();
      late.resolve(null);
    });
    const said = chain.say({ text, signal: patience.signal }).catch(() => null);
    const sound = await Promise.race([said, late.promise]).finally(callOff);
    // The old voice is better than none.
    return sound ?? known?.sound ?? null;
  };

  const reason = async (code: string): Promise<Utterable> => {
    const text = words.failure(code);
    const now = manner();
    const sound = await say(text);
    if (sound && sound !== kept.get(text)?.sound) kept.set(text, { sound, manner: now });
    return { text, sound };
  };

  const prepareAll = async (nextInMs: number): Promise<void> => {
    preparedAtMs = clock.nowMs();
    callOffNext();
    let isWhole = true;
    for (const code of speechless) isWhole = (await reason(code)).sound !== null && isWhole;
    if (isWhole || isStopped) return;
    const next = Math.min(2 * nextInMs, againMs.last);
    callOffNext = clock.after(nextInMs, () => void prepareAll(next));
  };

  return {
    filler: async (turnId: string): Promise<Utterable> => ({
      text: '',
      sound: await say(words.filler(turnId)),
    }),
    reason,
    /** A sentence of its own; null when no voice can say it. */
    say,
    /** Makes the sentences for failures that leave no voice. One at a time: people who ask come first. */
    async prepare(): Promise<void> {
      if (clock.nowMs() - preparedAtMs < prepareEveryMs) return;
      await prepareAll(againMs.first);
    },
    /** Prepares nothing more. */
    stop(): void {
      isStopped = true;
      callOffNext();
    },
  };
}
