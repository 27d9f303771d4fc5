import type { Redis } from 'ioredis';
import { onRedis } from '../redis/redis.ts';
import type { TranscriptCandidate, Turn } from './turn.ts';
import { eventsChannel, type TurnEvent } from './turn-events.ts';

type Caller = Pick<Turn, 'id' | 'replyTo'>;

/** Events that change nothing in the record of a turn. They go to the process that waits for the turn. */
export function createTurnPublisher(redis: Redis) {
  const publish = async (replyTo: string, event: TurnEvent): Promise<void> => {
    await onRedis(redis, () => redis.publish(eventsChannel(replyTo), JSON.stringify(event)));
  };

  return {
    /** Sends more words of a reply. */
    publishDelta: ({ id, replyTo }: Caller, delta: { seq: number; text: string; via: string }) =>
      publish(replyTo, { type: 'delta', turnId: id, ...delta }),

    /** Sends the partial transcript of an unfinished utterance. */
    publishPartialTranscript: (replyTo: string, id: string, partial: TranscriptCandidate) => {
      const { text, isSure, avgLogprob } = partial;
      return publish(replyTo, { type: 'heard', turnId: id, text, isSure, avgLogprob, sttMs: 0 });
    },

    /** Sends the result of a worker call. */
    publishCallEnd: (replyTo: string, event: Extract<TurnEvent, { type: 'call' | 'failed' }>) =>
      publish(replyTo, event),
  };
}
