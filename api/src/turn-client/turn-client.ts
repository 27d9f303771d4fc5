import type { Redis } from 'ioredis';
import { AppError, toAppError } from '../errors.ts';
import { priorities, type Queues, queueRules, turnPayloadOf } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { RedisWrites } from '../redis/redis-writes.ts';
import { releaseInBackground } from '../redis/release-in-background.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import { createIdempotencyStore, type IdempotentRequest } from '../turn/idempotency-store.ts';
import { createPictureTransport } from '../turn/picture-transport.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnInbox } from '../turn/turn-events.ts';
import type { TurnLog } from '../turn/turn-log.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { followTurn, type RecordingTranscript } from './follow-turn.ts';
import { type NewTurn, newTurn, type PendingTurn } from './new-turn.ts';
import { createOnceStart, type OnceTurn } from './once-start.ts';
import { assertReady } from './readiness.ts';
import type { SynthesizeSentence } from './sentence-synthesis.ts';
import { stopWork } from './stop-work.ts';
import { createTurnNotes, type Played, type TurnNotesOptions } from './turn-notes.ts';

/** Deadline of a turn. */
const maxTurnMs = 60_000;

const tooManyRecordings = () =>
  new AppError(
    'overloaded',
    'Too many recordings are waiting for the speech recognition. Try again in a few seconds.',
  );

export type { IdempotentRequest, NewTurn, OnceTurn, PendingTurn, Played, RecordingTranscript };

interface TurnClientOptions {
  apiId: string;
  redis: Redis;
  queues: Queues;
  turns: TurnStore;
  sounds: SoundTransport;
  log: TurnLog;
  inbox: TurnInbox;
  workers: WorkerRegistry;
  writes: Pick<RedisWrites, 'refusal' | 'away' | 'isSilent'>;
  /** Speaks the stored answer of a repeated request again. */
  synthesizeSentence: SynthesizeSentence;
  /** The settings revision for a turn that begins now. */
  revision: () => Promise<number>;
  turnDeadlineMs?: number | undefined;
  queueLimitMs?: number | undefined;
  clock?: HouseholdClock;
  logger?: TurnNotesOptions['logger'];
  logsWords?: TurnNotesOptions['logsWords'];
}

export type TurnClient = ReturnType<typeof createTurnClient>;

/** Starts turns with their first stage, and follows them to their end. */
export function createTurnClient(options: TurnClientOptions) {
  const { redis, turns, workers, synthesizeSentence, clock = machineClock } = options;
  const idempotency = createIdempotencyStore({ redis, clock });
  const startTurn = createTurnStart(options);
  return {
    /**
     * Starts a turn. Throws AppError if it cannot: Redis is unavailable, no worker is alive, or too many
     * turns wait.
     */
    startTurn,
    /** Starts a turn for a request with an idempotency key. */
    startOnce: createOnceStart({ idempotency, turns, workers, startTurn, synthesizeSentence }),
    /** Number of turns that this process waits for. */
    get open(): number {
      return options.inbox.open;
    },
  };
}

function createTurnStart(options: TurnClientOptions) {
  const { apiId, redis, queues, turns, sounds, inbox, workers, writes, revision, logger } = options;
  const { turnDeadlineMs = maxTurnMs, queueLimitMs, clock = machineClock } = options;
  const notes = createTurnNotes(options);
  const pictures = createPictureTransport(sounds);

  const admit = async (turn: Turn, { recordKey }: NewTurn): Promise<void> => {
    if (!(await turns.admit(turn, queueRules.maxWaiting, recordKey)))
      throw turn.text === null ? tooManyRecordings() : new AppError('overloaded');
    const { id, source, room, speaks, isTentative } = turn;
    logger?.debug({ turn: id, source, room, speaks, isTentative }, 'a turn begins');
  };
  const addFirstJob = async (turn: Turn): Promise<void> => {
    const job = { jobId: turn.id, priority: priorities[turn.source] };
    if (turn.text === null)
      await onRedis(redis, () => queues.transcribe.add(turn.source, { turnId: turn.id }, job));
    else await onRedis(redis, () => queues.respond.add(turn.source, turnPayloadOf(turn), job));
  };

  /** The previous turn was admitted on the same connection. */
  let canPipeline = false;
  redis.on('close', () => {
    canPipeline = false;
  });
  /**
   * Admits a turn and adds its first job. If the previous turn was admitted, sends both commands at once,
   * because Redis runs them in order. The job of a rejected turn finds no turn and does nothing. `added`
   * settles with the job.
   */
  const admitAndEnqueue = async (turn: Turn, request: NewTurn): Promise<{ added: Promise<void> }> => {
    const admitted = admit(turn, request);
    const added = canPipeline ? addFirstJob(turn) : admitted.then(() => addFirstJob(turn));
    added.catch(() => undefined); // the caller of `admitAndEnqueue` reports it
    await admitted.then(
      () => {
        canPipeline = true;
      },
      (error) => {
        if (canPipeline) queues.respond.remove(turn.id).catch(() => undefined);
        canPipeline = false;
        throw error;
      },
    );
    return { added };
  };

  const cancel = async (turn: Turn): Promise<void> => {
    if (await turns.cancel(turn)) await stopWork(options, turn.id);
  };
  const withdraw = async (turn: Turn) => {
    const left = await turns.withdraw(turn);
    if (left.isWithdrawn) retryUntilDeadline(() => stopWork(options, turn.id));
    return left;
  };
  const cut = async (turn: Turn, playedText: string): Promise<void> => {
    await turns.cut(turn, playedText);
    await stopWork(options, turn.id);
  };
  // Retries until the deadline of the turn, because until then it holds a slot and may still run.
  const retryUntilDeadline = (end: () => Promise<void>) => void releaseInBackground(end, turnDeadlineMs);

  return async (request: NewTurn): Promise<PendingTurn> => {
    assertReady(options);
    const underRevision = request.revision ?? (await revision());
    const context = { replyTo: apiId, turnDeadlineMs, revision: underRevision, clock };
    const turn = newTurn(request, context);
    if ('sound' in request.question) {
      sounds.keep(turn.id, request.question.sound);
      sounds.sendAhead(turn.id);
    } else if (request.pictures) pictures.keep(turn.id, request.pictures);
    // Follow it before it is in Redis: if Redis loses the turn at once, the caller still gets a failure.
    const following = { turns, sounds, inbox, workers, queues, writes, withdraw };
    const followed = followTurn({ ...following, queueLimitMs, turnDeadlineMs, clock }, turn, request);
    const { reply, spoken, giveUp, abandon } = followed;
    const { added } = await admitAndEnqueue(turn, request).catch((error) => {
      giveUp(error);
      throw error;
    });
    const played = request.isCheck ? () => undefined : notes.watch(turn, followed);
    await added.catch((error) => abandon(toAppError(error)));

    let playedUntilCut: string | undefined;
    // If no caller waits any more, the turn must not be answered later.
    spoken.catch(() => {
      if (playedUntilCut === undefined) retryUntilDeadline(() => cancel(turn));
    });
    return {
      reply,
      spoken,
      cancel: (playedText) => {
        playedUntilCut = playedText;
        giveUp(new AppError('turn_cancelled'));
        if (playedText !== undefined) retryUntilDeadline(() => cut(turn, playedText));
      },
      confirm: async () => {
        await turns.confirm(turn);
      },
      played,
    };
  };
}
