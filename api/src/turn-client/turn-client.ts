import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Pcm } from '../audio/pcm.ts';
import { AppError, toAppError } from '../errors.ts';
import {
  idlePriority,
  priorities,
  type Queues,
  queueRules,
  turnPayloadOf,
  type WarmPayload,
} from '../jobs/queues.ts';
import { channelOn } from '../redis/channel.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { onRedis } from '../redis/redis.ts';
import type { RedisWrites } from '../redis/redis-writes.ts';
import { releaseInBackground } from '../redis/release-in-background.ts';
import type { SoundTransport } from '../sound-transport/sound-transport.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import { createIdempotencyStore, type IdempotentRequest } from '../turn/idempotency-store.ts';
import { createPictureTransport } from '../turn/picture-transport.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { Turn } from '../turn/turn.ts';
import { cancelChannel, type TurnInbox } from '../turn/turn-events.ts';
import type { TurnLog } from '../turn/turn-log.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { followTurn, lossOf, type RecordingTranscript } from './follow-turn.ts';
import { type NewTurn, newTurn, type PendingTurn } from './new-turn.ts';
import { createOnceStart, type OnceTurn } from './once-start.ts';
import { createTurnNotes, type Played, type TurnNotesOptions } from './turn-notes.ts';

/** Deadline of a turn. */
const maxTurnMs = 60_000;
/** A partial transcript is only useful for a moment. */
const partialMs = 2_000;
const sayMs = 10_000;
const warmMs = 3_000;

const tooManyRecordings = () =>
  new AppError(
    'overloaded',
    'Too many recordings are waiting for the speech recognition. Try again in a few seconds.',
  );

export type { IdempotentRequest, NewTurn, OnceTurn, PendingTurn, Played, RecordingTranscript };

/** An unfinished utterance. */
interface PartialUtterance extends Pick<Turn, 'room' | 'language' | 'revision'> {
  sound: Pcm;
  /** The wake words that the transcript leaves out, if one was detected in the sound. */
  calledBy: readonly string[] | undefined;
  signal: AbortSignal;
}

/** A sentence outside a reply. */
interface OwnSentence {
  text: string;
  language?: string | undefined;
  signal: AbortSignal;
}

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
  /** The settings revision for a turn that begins now. */
  revision: () => Promise<number>;
  turnDeadlineMs?: number | undefined;
  queueLimitMs?: number | undefined;
  clock?: HouseholdClock;
  logger?: TurnNotesOptions['logger'];
  logsWords?: TurnNotesOptions['logsWords'];
}

export type TurnClient = ReturnType<typeof createTurnClient>;

/** Starts turns with their first stage, and side jobs. */
export function createTurnClient(options: TurnClientOptions) {
  const { redis, turns, workers, clock = machineClock } = options;
  const idempotency = createIdempotencyStore({ redis, clock });
  const [startTurn, sideJobs] = [createTurnStart(options), createSideJobs(options)];
  return {
    /**
     * Starts a turn. Throws AppError if it cannot: Redis is unavailable, no worker is alive, or too many
     * turns wait.
     */
    startTurn,
    /** Starts a turn for a request with an idempotency key. */
    startOnce: createOnceStart({ idempotency, turns, workers, startTurn, say: sideJobs.say }),
    ...sideJobs,
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

function createSideJobs(options: TurnClientOptions) {
  const { apiId, redis, queues, turns, sounds, inbox, revision, clock = machineClock } = options;
  const within = (ms: number) => Math.round(clock.steady() + ms);
  return {
    /**
     * The transcript so far of an unfinished utterance. Null if recognition is busy or fails. Never delays
     * other work.
     */
    async transcribePartial(partial: PartialUtterance) {
      const { sound, room, language, revision: under, calledBy, signal } = partial;
      if (!inbox.ready || signal.aborted) return null;
      const counts = await onRedis(redis, () => queues.transcribe.getJobCounts('active', 'prioritized'));
      if (Object.values(counts).some((count) => count > 0)) return null;
      const id = randomUUID();
      sounds.keep(id, sound);
      sounds.sendAhead(id);
      const result = inbox.once(id, { withinMs: partialMs, signal }).finally(() => sounds.forget(id));
      const deadlineAt = within(partialMs);
      const payload = {
        overheardId: id,
        room,
        replyTo: apiId,
        deadlineAt,
        revision: under,
        ...spokenIn(language),
        ...(calledBy && { calledBy: [...calledBy] }),
      };
      await onRedis(redis, () =>
        queues.transcribe.add('overhear', payload, { jobId: id, priority: idlePriority }),
      );
      const event = await result;
      // The result is not wanted any more, so free the speech recognition for other work.
      if (event === null) stopWork(options, id).catch(() => undefined);
      return event?.type === 'heard' ? { text: event.text, isSure: event.isSure } : null;
    },

    /**
     * Synthesizes one sentence, such as a filler or a failure message. Null if no voice was available in
     * time.
     */
    async say({ text, language, signal }: OwnSentence): Promise<Pcm | null> {
      assertReady(options);
      const id = randomUUID();
      await turns.saveSentence(sentenceId(id, 0), text);
      const box = sounds.open(id);
      try {
        const result = inbox.once(id, { withinMs: sayMs, signal });
        const deadlineAt = within(sayMs);
        const payload = {
          turnId: id,
          seq: 0,
          replyTo: apiId,
          deadlineAt,
          revision: await revision(),
          ...spokenIn(language),
        };
        await onRedis(redis, () => queues.speak.add('say', payload, { jobId: id, priority: 1 }));
        const event = await result;
        return event?.type === 'speech' && event.hasSound ? box.take(0) : null;
      } finally {
        box.close();
      }
    },

    /** Preloads a conversation into the language model when someone begins to speak. Fire and forget. */
    warm(spoken: Pick<WarmPayload, 'conversation' | 'room' | 'language' | 'revision'>): void {
      const job = { priority: idlePriority };
      const payload = { ...spoken, deadlineAt: within(warmMs) };
      onRedis(redis, () => queues.think.add('warm', payload, job)).catch(() => undefined);
    },
  };
}

/** Jobs carry no field without a value. */
function spokenIn(language: string | undefined): { language?: string } {
  return language === undefined ? {} : { language };
}

function assertReady({ inbox, redis, workers, writes }: TurnClientOptions): void {
  if (!inbox.ready || redis.status !== 'ready') throw writes.away();
  if (workers.noneAlive()) throw lossOf(writes);
}

async function stopWork({ redis, queues }: TurnClientOptions, id: string): Promise<void> {
  const first = [queues.transcribe, queues.respond, queues.think];
  await onRedis(redis, () =>
    Promise.all([
      ...first.map((queue) => queue.remove(id)),
      redis.publish(channelOn(redis, cancelChannel), id),
    ]),
  );
}
