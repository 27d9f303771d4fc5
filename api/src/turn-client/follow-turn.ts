import { AppError, isErrorCode } from '../errors.ts';
import type { Queues } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { RedisWrites } from '../redis/redis-writes.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import { createPlayout, type Speech } from '../turn/playout.ts';
import type { Reply, Timings, TranscriptCandidate, Turn } from '../turn/turn.ts';
import type { TurnEvent, TurnInbox } from '../turn/turn-events.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { queueFailure } from './queue-wait.ts';
import { lossOf } from './readiness.ts';
import { createTurnClock } from './turn-clock.ts';
import { createTurnOwner } from './turn-owner.ts';

/** The worker ends an overdue turn itself. After this grace time we stop waiting for its event. */
const deadlineGraceMs = 1_000;
/** How often to check whether a worker still holds the turn. */
const watchEveryMs = 250;
/** If Redis' clock advances by this much more than local time, Redis may have expired the turn. */
const jumpMs = 60_000;

/** The transcript of a recording. */
export interface RecordingTranscript extends TranscriptCandidate {
  /** The person said the assistant's name, which the text leaves out. */
  isNamed: boolean;
}

export interface Listeners {
  onTranscript?: ((transcript: RecordingTranscript) => void) | undefined;
  /**
   * Called with words as the model writes them. It stops after a lost event, because the reply has all words.
   */
  onWords?: ((words: string, via: string) => void) | undefined;
  /** Called for each sentence in order, as soon as it can be played. */
  onSpeech?: ((speech: Speech) => void) | undefined;
  /** Time spent before the turn began, to decode a recording. */
  preparedMs?: number | undefined;
}

interface FollowOptions {
  turns: TurnStore;
  sounds: SoundTransport;
  inbox: TurnInbox;
  workers: WorkerRegistry;
  queues: Pick<Queues, 'think'>;
  writes: Pick<RedisWrites, 'refusal' | 'away' | 'isSilent'>;
  /** Withdraws the turn from the workers. */
  withdraw: (turn: Turn) => ReturnType<TurnStore['withdraw']>;
  queueLimitMs?: number | undefined;
  /** How long the caller waits for the answer. */
  turnDeadlineMs: number;
  clock?: HouseholdClock;
}

/** Waits for the end of a turn: reported, lost with its worker or Redis, or overdue. */
export function followTurn(options: FollowOptions, turn: Turn, listeners: Listeners) {
  const { turns, sounds, inbox, workers, queues, writes, turnDeadlineMs } = options;
  // Uses local time, because only this process waits.
  const lateAt = performance.now() + turnDeadlineMs + deadlineGraceMs;
  const isDropped = watchDrops(turns, turn, options.clock);
  const owner = createTurnOwner({ turnId: turn.id, workers, queues });
  const begunAt = performance.now() - (listeners.preparedMs ?? 0);
  const words = Promise.withResolvers<Reply>();
  const speech = Promise.withResolvers<void>();
  const onDelta = untilOneIsLost(listeners.onWords);
  let transcript: string | null = null;
  const now = () => performance.now() - begunAt;
  const first = turn.text === null ? 'transcribe' : 'respond';
  const clock = createTurnClock({ now, preparedMs: listeners.preparedMs, first });
  const buffer = sounds.open(turn.id);
  const playout = createPlayout({
    take: buffer.take,
    play: (sentence) => {
      clock.spoke();
      listeners.onSpeech?.(sentence);
    },
    onEnd: speech.resolve,
    onFault: (error) => giveUp(error),
  });
  const giveUp = (error: unknown) => {
    words.reject(error);
    speech.reject(error);
  };
  let isAbandoned = false;
  /** Gives up a turn that may still run. It is withdrawn first, so that it does nothing after the failure. */
  const abandon = async (error: AppError): Promise<void> => {
    if (isAbandoned) return;
    isAbandoned = true;
    const { reply, failure } = await endOf(options, turn, error);
    if (reply) answered(reply);
    giveUp(failure);
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
        clock.transcribed(event);
        owner.isDone();
        transcript = event.text;
        return listeners.onTranscript?.({ ...event, isNamed: event.isNamed === true });
      case 'delta':
        return onDelta(event);
      case 'speech':
        clock.made(event.ttsMs);
        return playout.spoken(event);
      case 'done':
        return answered(event.reply);
      case 'failed':
        return giveUp(errorFromEvent(event.error));
    }
  };
  let isAnswered = false;
  const answered = (reply: Reply) => {
    if (isAnswered) return;
    isAnswered = true;
    owner.isDone();
    clock.answered(reply);
    words.resolve({ ...reply, timings: { ...clock.timings(), ...reply.timings } });
    playout.endAt(reply.sentences);
  };

  const watch = async () => {
    if (performance.now() > lateAt) {
      return abandon(new AppError('turn_timeout'));
    }
    const lateness = queueFailure(clock.queued(), options.queueLimitMs);
    if (lateness) await abandon(lateness);
    if (await isDropped()) return giveUp(new AppError('turn_timeout'));
    // Every stage writes to Redis, so without writes the end of the turn could never be reported.
    if (writes.refusal !== null) await abandon(new AppError(writes.refusal));
    if (await owner.isLost()) await abandon(lossOf(writes));
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
      buffer.close();
      sounds.forget(turn.id);
    });
  // The caller handles a failure when it awaits these. Until then it must not count as unhandled.
  for (const promise of [words.promise, spoken]) promise.catch(() => undefined);
  return {
    reply: words.promise,
    spoken,
    giveUp,
    abandon,
    begunAt,
    timings: clock.timings,
    spans: clock.spans,
    ranOn: clock.ranOn,
    transcript: () => transcript,
  };
}

/**
 * Ends a turn with this failure, or with its reply if only the event was lost. The failure says if the turn
 * may have acted. Without Redis, that is unknown.
 */
async function endOf({ turns, withdraw }: FollowOptions, turn: Turn, failure: AppError) {
  if (failure.code === 'redis_unavailable') return { failure };
  const left = await withdraw(turn).catch(() => undefined);
  const reply = left?.isWithdrawn ? undefined : await turns.readReply(turn.id).catch(() => undefined);
  return { reply, failure: left?.mayHaveActed ? new AppError('outcome_unknown') : failure };
}

function untilOneIsLost(onWords: Listeners['onWords']) {
  let next = 0;
  return ({ seq, text, via }: Extract<TurnEvent, { type: 'delta' }>): void => {
    if (seq !== next) return;
    next += 1;
    onWords?.(text, via);
  };
}

/**
 * Checks whether Redis has expired the turn, which then never gets an answer. Redis uses its own clock. So
 * this checks after Redis' clock has jumped ahead of local time: it was set, or the machine slept.
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

export function errorFromEvent(event: {
  code: string;
  message: string;
  retryAfterS?: number | undefined;
  param?: string | undefined;
}): AppError {
  const { code, message, retryAfterS, param } = event;
  const options = {
    ...(retryAfterS !== undefined && { retryAfterS }),
    ...(param !== undefined && { param }),
  };
  return isErrorCode(code) ? new AppError(code, message, options) : new AppError('internal');
}
