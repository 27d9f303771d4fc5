import { AppError, isErrorCode } from '../errors.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { RedisWrites } from '../redis/redis-writes.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import { createPlayout, type Speech } from '../turn/playout.ts';
import type { SoundPost } from '../turn/sound-post.ts';
import type { Reply, Timings, Turn } from '../turn/turn.ts';
import type { TurnEvent, TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { queueFailure } from './queue-wait.ts';
import type { Queues } from './queues.ts';
import { createTurnClock } from './turn-clock.ts';
import { createTurnOwner } from './turn-owner.ts';

/** The worker ends an overdue turn itself. This long after the deadline we stop waiting for its word. */
const deadlineGraceMs = 1_000;
/** How often to look whether a worker is still at it. */
const watchEveryMs = 250;
/** If Redis' clock goes on by so much more than the time that passes here, it may have dropped what belongs to the turn. */
const jumpMs = 60_000;

/** The transcript of a recording. */
export interface HeardWords {
  /** '': nobody spoke, or it is not for the assistant. */
  text: string;
  /** The words were surely heard as they stand. */
  isSure: boolean;
  /** The assistant was called by its name, which is not among the words. */
  isNamed: boolean;
}

export interface Listeners {
  onTranscript?: ((heard: HeardWords) => void) | undefined;
  /** Words of the reply as they are written. If some get lost on the way, no more follow: the reply has them all. */
  onWords?: ((words: string, via: string) => void) | undefined;
  /** Sentences in their order, as soon as each can be heard. */
  onSpeech?: ((speech: Speech) => void) | undefined;
  /** The time before the turn could begin, in which a recording was decoded. */
  preparedMs?: number | undefined;
}

interface FollowOptions {
  turns: TurnStore;
  sounds: SoundPost;
  inbox: TurnInbox;
  workers: WorkerRoll;
  queues: Pick<Queues, 'think'>;
  writes: Pick<RedisWrites, 'refusal' | 'away' | 'isSilent'>;
  queueLimitMs?: number | undefined;
  /** How long somebody waits for the answer. */
  turnDeadlineMs: number;
  clock?: HouseholdClock;
}

/** Waits for the end of a turn, however it comes: told, lost with its worker or with Redis, or overdue. */
export function followTurn(options: FollowOptions, turn: Turn, hear: Listeners) {
  const { turns, sounds, inbox, writes, turnDeadlineMs } = options;
  // By the time that passes here: nothing but this process waits.
  const lateAt = performance.now() + turnDeadlineMs + deadlineGraceMs;
  const isDropped = watchDrops(turns, turn, options.clock);
  const owner = createTurnOwner({ ...options, turnId: turn.id });
  const begunAt = performance.now() - (hear.preparedMs ?? 0);
  const words = Promise.withResolvers<Reply>();
  const speech = Promise.withResolvers<void>();
  const tellWords = untilOneIsLost(hear.onWords);
  let transcript: string | null = null;
  const now = () => performance.now() - begunAt;
  const first = turn.text === null ? 'transcribe' : 'respond';
  const clock = createTurnClock({ now, preparedMs: hear.preparedMs, first });
  const box = sounds.open(turn.id);
  const playout = createPlayout({
    take: box.take,
    play: (sentence) => {
      clock.spoke();
      hear.onSpeech?.(sentence);
    },
    onEnd: speech.resolve,
    onFault: (error) => giveUp(error),
  });
  const giveUp = (error: unknown) => {
    words.reject(error);
    speech.reject(error);
  };

  const onEvent = (event: TurnEvent) => {
    switch (event.type) {
      case 'started':
        owner.begun(event.stage, event.workerId);
        return clock.begun(event.stage);
      case 'waits':
        owner.handsOn();
        return clock.waits();
      case 'heard':
        clock.transcribed(event.sttMs);
        owner.isDone();
        transcript = event.text;
        return hear.onTranscript?.({
          text: event.text,
          isSure: event.isSure,
          isNamed: event.isNamed === true,
        });
      case 'delta':
        return tellWords(event);
      case 'speech':
        clock.made(event.ttsMs);
        return playout.spoken(event);
      case 'done':
        return answered(event.reply);
      case 'failed':
        return giveUp(toldError(event.error));
    }
  };
  const answered = (reply: Reply) => {
    owner.isDone();
    clock.answered(reply);
    words.resolve({ ...reply, timings: { ...clock.timings(), ...reply.timings } });
    playout.endAt(reply.sentences);
  };

  const watch = async () => {
    if (performance.now() > lateAt) {
      const reply = await turns.readReply(turn.id).catch(() => undefined);
      if (reply) answered(reply);
      return giveUp(new AppError('turn_timeout'));
    }
    const lateness = queueFailure(clock.queued(), options.queueLimitMs);
    if (lateness) giveUp(lateness);
    if (await isDropped()) return giveUp(new AppError('turn_timeout'));
    // Every stage writes to Redis, even the last: the end of the turn could never be told.
    if (writes.refusal !== null) giveUp(new AppError(writes.refusal));
    if (await owner.isLost()) giveUp(lossOf(writes));
  };

  const stopListening = inbox.listen(turn.id, {
    onEvent,
    onLost: () => giveUp(writes.away()),
  });
  const timer = setInterval(() => void watch(), watchEveryMs);
  const spoken = speech.promise
    .then(async (): Promise<Timings> => ({ ...(await words.promise).timings, ...clock.timings() }))
    .finally(() => {
      stopListening();
      clearInterval(timer);
      box.close();
      sounds.forget(turn.id);
    });
  // A failure is for the caller who awaits them. Until then it must not count as unhandled.
  for (const promise of [words.promise, spoken]) promise.catch(() => undefined);
  return {
    reply: words.promise,
    spoken,
    giveUp,
    begunAt,
    timings: clock.timings,
    spans: clock.spans,
    transcript: () => transcript,
  };
}

function untilOneIsLost(onWords: Listeners['onWords']) {
  let next = 0;
  return ({ seq, text, via }: Extract<TurnEvent, { type: 'delta' }>): void => {
    if (seq !== next) return;
    next += 1;
    onWords?.(text, via);
  };
}

/** No sign of a worker comes any more. Signs come through Redis: if that is silent, nothing is known of the workers. */
export function lossOf(writes: Pick<RedisWrites, 'away' | 'isSilent'>): AppError {
  return writes.isSilent ? writes.away() : new AppError('worker_unavailable');
}

/**
 * Tells whether Redis has dropped the turn, which nobody will answer then. Redis drops by its own clock, so this is looked at when that went on by
 * more than the time that passes here: it was set forward, or the machine slept.
 */
function watchDrops(
  turns: TurnStore,
  { id }: Turn,
  clock: HouseholdClock = machineClock,
): () => Promise<boolean> {
  const aheadMs = () => clock.now() - performance.now();
  let knownMs = aheadMs();
  return async () => {
    const beforeMs = knownMs;
    knownMs = aheadMs();
    if (knownMs - beforeMs <= jumpMs) return false;
    return turns.read(id).then(
      (record) => record === undefined,
      () => false,
    );
  };
}

export function toldError(told: {
  code: string;
  message: string;
  retryAfterS?: number | undefined;
  param?: string | undefined;
}): AppError {
  const { code, message, retryAfterS, param } = told;
  const options = {
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(param !== undefined && { param }),
  };
  return isErrorCode(code) ? new AppError(code, message, options) : new AppError('internal');
}
