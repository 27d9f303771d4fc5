import { type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { rejectionOf } from '../abort.ts';
import { type AppError, toAppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isRedisFailure, patientRedis } from '../redis/redis.ts';
import type { Turn } from '../turn/turn.ts';
import type { Stage, TurnStore } from '../turn/turn-store.ts';
import type { StageSignals } from './answer-turn.ts';
import {
  type PartialPayload,
  type ProbePayload,
  partialPayload,
  probePayload,
  type QueueName,
  queuePrefix,
  queueRules,
  queues,
  type RingPayload,
  ringPayload,
  type SentencePayload,
  sentencePayload,
  turnPayload,
  type WarmPayload,
  warmPayload,
} from './queues.ts';
import { createRunningWork, type Work } from './running-work.ts';

/** What is done at each stage. The signal fires when nobody wants the result any more. */
export interface Stages {
  transcribe: (turn: Turn, signals: StageSignals) => Promise<void>;
  respond: (turn: Turn, signals: StageSignals) => Promise<void>;
  think: (turn: Turn, signals: StageSignals) => Promise<void>;
  speak: (sentence: SentencePayload, signal: AbortSignal) => Promise<void>;
  transcribePartial: (sound: PartialPayload, signal: AbortSignal) => Promise<void>;
  warm: (conversation: WarmPayload, signal: AbortSignal) => Promise<void>;
  ring: (timer: RingPayload) => Promise<void>;
  probe: (probe: ProbePayload, signal: AbortSignal) => Promise<void>;
}

/** Where jobs are delayed, BullMQ waits up to 10 s for the next one in one command, whatever it is told: no reason to cut the connection. */
const queueConnection: Partial<Record<QueueName, { socketTimeout: number }>> = {
  ring: { socketTimeout: 15_000 },
};

interface RunWorkerOptions {
  workerId: string;
  redisUrl: string;
  /** A connection that only subscribes. */
  subscriber: Redis;
  turns: TurnStore;
  stages: Stages;
  log: Logger;
}

/** The shell round the stages: takes jobs, skips turns that are over, ends what is cancelled or late, logs, and tells every failure once. */
export function runWorker({ workerId, redisUrl, subscriber, turns, stages, log }: RunWorkerOptions) {
  const running = createRunningWork({ subscriber, log });

  const certain = (work: Work) => async () => {
    if (!(await turns.isCertain(work.turnId))) await Promise.race([work.confirmed, rejectionOf(work.signal)]);
    work.signal.throwIfAborted();
  };

  const onTurn = async (stage: Stage, data: unknown): Promise<void> => {
    const turn = await turns.read(turnPayload.parse(data).turnId);
    if (!turn) return;

    // Noted before the stage begins: a caller may hang up in that very moment, and is to be heard.
    const work = running.begin({ turnId: turn.id, deadlineAt: turn.deadlineAt });
    const begunAt = performance.now();
    try {
      // Heard already, by a worker that died before it could hand the turn on.
      const isTranscribed = stage === 'transcribe' && turn.text !== null;
      if (!isTranscribed && !(await turns.begin(turn, stage, workerId))) return;
      log.debug({ turn: turn.id, stage, sinceAsked: Date.now() - turn.createdAt }, 'begun');
      await stages[stage](turn, { signal: work.signal, certain: certain(work) });
      log.info({ turn: turn.id, stage, ms: Math.round(performance.now() - begunAt) }, 'done');
    } catch (thrown) {
      const error = toAppError(work.signal.aborted ? work.signal.reason : thrown);
      await tell(turn, stage, error);
      throw new UnrecoverableError(error.code);
    } finally {
      work.end();
    }
  };

  const tell = async (turn: Turn, stage: Stage, error: AppError): Promise<void> => {
    log[levelOf(error, turn)]({ turn: turn.id, stage, code: error.code, err: error.cause }, 'not answered');
    await turns.fail(turn, error);
  };

  /** Work beside the turns: when it fails, whoever waits for it does without. */
  const aside = async (
    about: { turn: string; [more: string]: unknown },
    deadlineAt: number,
    run: (signal: AbortSignal) => Promise<void>,
  ) => {
    if (Date.now() > deadlineAt) return;
    const work = running.begin({ turnId: about.turn, deadlineAt });
    const begunAt = performance.now();
    try {
      await run(work.signal);
      log.debug({ ...about, ms: Math.round(performance.now() - begunAt) }, 'done');
    } catch (thrown) {
      const error = toAppError(work.signal.aborted ? work.signal.reason : thrown);
      const { code, cause } = error;
      // It may be done twice, and nobody has been told anything.
      if (isRedisFailure(code)) throw error;
      if (code !== 'turn_cancelled') log.warn({ ...about, code, err: cause }, 'left out');
      throw new UnrecoverableError(code);
    } finally {
      work.end();
    }
  };
  const onSentence = async (data: unknown): Promise<void> => {
    const sentence = sentencePayload.parse(data);
    const about = { turn: sentence.turnId, stage: 'speak', sentence: sentence.seq };
    await aside(about, sentence.deadlineAt, (signal) => stages.speak(sentence, signal));
  };
  const onPartial = async (data: unknown): Promise<void> => {
    const sound = partialPayload.parse(data);
    await aside({ turn: sound.overheardId, stage: 'overhear' }, sound.deadlineAt, (signal) =>
      stages.transcribePartial(sound, signal),
    );
  };
  const onWarm = async (data: unknown): Promise<void> => {
    const warm = warmPayload.parse(data);
    await aside({ turn: '', stage: 'warm' }, warm.deadlineAt, (signal) => stages.warm(warm, signal));
  };
  const onProbe = async (data: unknown): Promise<void> => {
    const probe = probePayload.parse(data);
    await aside({ turn: probe.probeId, stage: probe.what }, probe.deadlineAt, (signal) =>
      stages.probe(probe, signal),
    );
  };

  const take = (name: QueueName, work: (job: Job<unknown>) => Promise<void>) => {
    const worker = new Worker(name, work, {
      connection: { ...patientRedis, ...queueConnection[name], url: redisUrl },
      prefix: queuePrefix,
      concurrency: queues[name].perWorker,
      maxStalledCount: queues[name].rescues,
      lockDuration: queueRules.lockMs,
      stalledInterval: queueRules.stalledCheckMs,
      runRetryDelay: queueRules.redisRetryMs,
      drainDelay: queueRules.blockS,
    });
    worker.on('error', (error) => log.warn({ err: error, queue: name }, 'the queue has trouble'));
    return worker;
  };
  const workers = [
    take('transcribe', ({ name, data }) => {
      if (name === 'probe') return onProbe(data);
      return name === 'overhear' ? onPartial(data) : onTurn('transcribe', data);
    }),
    take('respond', ({ name, data }) => (name === 'probe' ? onProbe(data) : onTurn('respond', data))),
    take('think', ({ name, data }) => (name === 'warm' ? onWarm(data) : onTurn('think', data))),
    take('speak', ({ name, data }) => (name === 'probe' ? onProbe(data) : onSentence(data))),
    take('ring', ({ data }) => stages.ring(ringPayload.parse(data))),
  ];

  return {
    /** Jobs in hand. */
    get running(): number {
      return running.count;
    },
    /** Takes nothing new and lets what runs finish, at most so long; what is left then is ended with a word to its caller. */
    async stop(graceMs: number): Promise<void> {
      const late = setTimeout(() => running.endAll('shutting_down'), graceMs);
      const giveUp = new Promise((resolve) => setTimeout(resolve, graceMs + 2_000).unref());
      await Promise.race([Promise.all(workers.map((worker) => worker.close())), giveUp]);
      clearTimeout(late);
    },
  };
}

/** That somebody hung up is no trouble, and that a person went on speaking not even news. */
function levelOf({ code }: AppError, { isTentative }: Turn): 'debug' | 'info' | 'warn' | 'error' {
  if (code === 'turn_cancelled') return isTentative ? 'debug' : 'info';
  return code === 'internal' ? 'error' : 'warn';
}
