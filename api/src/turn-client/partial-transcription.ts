import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import { idlePriority, type Queues } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { TranscriptCandidate, Turn } from '../turn/turn.ts';
import type { TurnInbox } from '../turn/turn-events.ts';
import { stopWork } from './stop-work.ts';

/** A partial transcript is only useful for a moment. */
const partialMs = 2_000;

interface PartialTranscriptionOptions {
  apiId: string;
  redis: Redis;
  queues: Queues;
  sounds: Pick<SoundTransport, 'keep' | 'sendAhead' | 'forget'>;
  inbox: Pick<TurnInbox, 'ready' | 'once'>;
  clock?: HouseholdClock;
}

/** An unfinished utterance. */
interface PartialUtterance extends Pick<Turn, 'room' | 'language' | 'revision'> {
  sound: Pcm;
  /** The wake words that the transcript leaves out, if one was detected in the sound. */
  calledBy: readonly string[] | undefined;
  signal: AbortSignal;
}

export type TranscribePartial = ReturnType<typeof createPartialTranscription>;

/**
 * Transcribes an unfinished utterance. Null if recognition is busy or fails. Never delays other work.
 */
export function createPartialTranscription(options: PartialTranscriptionOptions) {
  const { apiId, redis, queues, sounds, inbox, clock = machineClock } = options;
  return async (utterance: PartialUtterance): Promise<TranscriptCandidate | null> => {
    const { sound, room, language, revision, calledBy, signal } = utterance;
    if (!inbox.ready || signal.aborted) return null;
    const counts = await onRedis(redis, () => queues.transcribe.getJobCounts('active', 'prioritized'));
    if (Object.values(counts).some((count) => count > 0)) return null;
    const id = randomUUID();
    sounds.keep(id, sound);
    sounds.sendAhead(id);
    const result = inbox.once(id, { withinMs: partialMs, signal }).finally(() => sounds.forget(id));
    const payload = {
      overheardId: id,
      room,
      replyTo: apiId,
      deadlineAt: Math.round(clock.steady() + partialMs),
      revision,
      ...(language !== undefined && { language }),
      ...(calledBy && { calledBy: [...calledBy] }),
    };
    const job = { jobId: id, priority: idlePriority };
    await onRedis(redis, () => queues.transcribe.add('overhear', payload, job));
    const event = await result;
    // The result is not wanted any more, so free the speech recognition for other work.
    if (event === null) stopWork({ redis, queues }, id).catch(() => undefined);
    if (event?.type !== 'heard') return null;
    const { text, isSure, avgLogprob } = event;
    return { text, isSure, avgLogprob };
  };
}
