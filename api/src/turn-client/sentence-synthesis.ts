import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import type { Queues } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { assertReady, type ReadinessOptions } from './readiness.ts';

const synthesisMs = 10_000;

interface SentenceSynthesisOptions extends ReadinessOptions {
  apiId: string;
  redis: Redis;
  queues: Pick<Queues, 'speak'>;
  turns: Pick<TurnStore, 'saveSentence'>;
  sounds: Pick<SoundTransport, 'open'>;
  inbox: TurnInbox;
  /** The settings revision for a sentence that begins now. */
  revision: () => Promise<number>;
  clock?: HouseholdClock;
}

/** A sentence outside a reply. */
interface OwnSentence {
  text: string;
  language?: string | undefined;
  signal: AbortSignal;
}

export type SynthesizeSentence = ReturnType<typeof createSentenceSynthesis>;

/**
 * Synthesizes one sentence, such as a filler or a failure message. Null if no voice was available in time.
 */
export function createSentenceSynthesis(options: SentenceSynthesisOptions) {
  const { apiId, redis, queues, turns, sounds, inbox, revision, clock = machineClock } = options;
  return async ({ text, language, signal }: OwnSentence): Promise<Pcm | null> => {
    assertReady(options);
    const id = randomUUID();
    await turns.saveSentence(sentenceId(id, 0), text);
    const box = sounds.open(id);
    try {
      const result = inbox.once(id, { withinMs: synthesisMs, signal });
      const payload = {
        turnId: id,
        seq: 0,
        replyTo: apiId,
        deadlineAt: Math.round(clock.steady() + synthesisMs),
        revision: await revision(),
        ...(language !== undefined && { language }),
      };
      await onRedis(redis, () => queues.speak.add('say', payload, { jobId: id, priority: 1 }));
      const event = await result;
      return event?.type === 'speech' && event.hasSound ? box.take(0) : null;
    } finally {
      box.close();
    }
  };
}
