import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import {
  callPayload,
  partialPayload,
  type QueueName,
  queuePrefix,
  queueRules,
  queues,
  ringPayload,
  sentencePayload,
  warmPayload,
} from '../jobs/queues.ts';
import type { Logger } from '../log.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { patientRedis } from '../redis/redis.ts';
import { openRedis } from '../redis/redis-address.ts';
import { withUnsavedScripts } from '../redis/unsaved.ts';
import { showPresence } from '../status/worker-presence.ts';
import type { TimerSweep } from '../timers/timer-sweep.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import { createGivenUp } from './given-up.ts';
import { watchLostJobs } from './lost-jobs.ts';
import type { createRespondJob } from './respond-job.ts';
import { createRunningWork, type RunningWork } from './running-work.ts';
import { createSideWork } from './side-work.ts';
import type { createSpeakJob } from './speak-job.ts';
import type { createThinkJob, createWarmJob } from './think-job.ts';
import type { createPartialTranscribeJob, createTranscribeJob } from './transcribe-job.ts';
import { createTurnStage } from './turn-stage.ts';
import type { createWorkerCallJob } from './worker-call-job.ts';

/** The work of each job. Its signal fires when the result is not wanted any more. */
export interface Stages {
  transcribe: ReturnType<typeof createTranscribeJob>;
  respond: ReturnType<typeof createRespondJob>;
  think: ReturnType<typeof createThinkJob>;
  speak: ReturnType<typeof createSpeakJob>;
  transcribePartial: ReturnType<typeof createPartialTranscribeJob>;
  warm: ReturnType<typeof createWarmJob>;
  ring: TimerSweep['onDue'];
  call: ReturnType<typeof createWorkerCallJob>;
}

/**
 * In a queue with delayed jobs, BullMQ blocks up to 10 s regardless of `drainDelay`. The socket timeout must
 * be longer.
 */
const queueConnection: Partial<Record<QueueName, { socketTimeout: number }>> = {
  ring: { socketTimeout: 15_000 },
};

interface RunWorkerOptions {
  workerId: string;
  redisUrl: string;
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  turns: TurnStore;
  conversations: Pick<ConversationStore, 'read'>;
  stages: Stages;
  log: Logger;
  clock?: HouseholdClock;
}

type JobHandler = (job: Pick<Job<unknown>, 'name' | 'data'>) => Promise<void>;

/**
 * Runs the stages: takes jobs, skips finished turns, ends cancelled or late ones, logs, and reports each
 * failure once.
 */
export function runWorker(options: RunWorkerOptions) {
  const running = createRunningWork(options);
  const handlers = createJobHandlers(options, running);
  const workers = [
    openWorker(options, 'transcribe', handlers.transcribe),
    openWorker(options, 'respond', handlers.respond),
    openWorker(options, 'think', handlers.think),
    openWorker(options, 'speak', handlers.speak),
    openWorker(options, 'ring', handlers.ring),
  ];
  const lost = watchLostJobs({ redis: options.redis, workers, log: options.log });
  void begin(options, workers).then(lost.releaseAll);

  return {
    /** Number of running jobs. */
    get running(): number {
      return running.count;
    },
    /**
     * Takes no new jobs and lets running ones finish for `graceMs`. Then it aborts the rest and reports the
     * failures.
     */
    async stop(graceMs: number): Promise<void> {
      lost.stop();
      const late = setTimeout(() => running.endAll('shutting_down'), graceMs);
      const giveUp = new Promise((resolve) => setTimeout(resolve, graceMs + 2_000).unref());
      await Promise.race([Promise.all(workers.map((worker) => worker.close())), giveUp]);
      clearTimeout(late);
    },
  };
}

/** Takes jobs only once its presence is visible, so that other processes can detect its end. */
async function begin({ subscriber, workerId, log }: RunWorkerOptions, workers: Worker[]): Promise<void> {
  const onError = (error: Error) => log.warn({ err: error }, 'failed to write the heartbeat of this worker');
  await showPresence({ subscriber, workerId, onError });
  for (const worker of workers)
    worker.run().catch((error) => log.error({ err: error }, 'stopped taking jobs'));
}

/** The job handler of each queue. */
function createJobHandlers(options: RunWorkerOptions, running: RunningWork): Record<QueueName, JobHandler> {
  const { workerId, turns, stages, log, clock = machineClock } = options;
  const readConversation = options.conversations.read;
  const onTurn = createTurnStage({ workerId, turns, stages, running, readConversation, log, clock });
  const aside = createSideWork({ running, log });

  const onSentence = (data: unknown): Promise<void> => {
    const sentence = sentencePayload.parse(data);
    const { turnId: turn, seq, deadlineAt } = sentence;
    const run = (signal: AbortSignal) => stages.speak(sentence, signal);
    return aside({ about: { turn, stage: 'speak', sentence: seq }, deadlineAt, run });
  };
  const onPartial = (data: unknown): Promise<void> => {
    const sound = partialPayload.parse(data);
    const { overheardId: turn, deadlineAt } = sound;
    const run = (signal: AbortSignal) => stages.transcribePartial(sound, signal);
    return aside({ about: { turn, stage: 'overhear' }, deadlineAt, run });
  };
  const onWarm = (data: unknown): Promise<void> => {
    const warm = warmPayload.parse(data);
    const run = (signal: AbortSignal) => stages.warm(warm, signal);
    return aside({ about: { turn: '', stage: 'warm' }, deadlineAt: warm.deadlineAt, run });
  };
  const onCall = (data: unknown): Promise<void> => {
    const call = callPayload.parse(data);
    const { callId: turn, what: stage, deadlineAt } = call;
    const run = (signal: AbortSignal) => stages.call(call, signal);
    return aside({ about: { turn, stage }, deadlineAt, run });
  };

  return {
    transcribe: async ({ name, data }) => {
      if (name === 'call') return onCall(data);
      return name === 'overhear' ? onPartial(data) : onTurn('transcribe', data);
    },
    respond: async ({ name, data }) => (name === 'call' ? onCall(data) : onTurn('respond', data)),
    think: async ({ name, data }) => (name === 'warm' ? onWarm(data) : onTurn('think', data)),
    speak: async ({ name, data }) => (name === 'call' ? onCall(data) : onSentence(data)),
    ring: async ({ data }) => stages.ring(ringPayload.parse(data).timerId),
  };
}

function openWorker(options: RunWorkerOptions, name: QueueName, handle: JobHandler): Worker {
  const { workerId, redisUrl, log, clock = machineClock } = options;
  const giveUp = createGivenUp(options);
  const { rescues } = queues[name];
  // Deadlines are meaningless before the clock is synchronized with Redis.
  const handleInTime: JobHandler = (job) => clock.ready.then(() => handle(job));
  const redis = openRedis(redisUrl, { ...patientRedis, ...queueConnection[name] });
  const worker = new Worker(
    name,
    (job) => (job.stalledCounter > rescues ? giveUp(name, job) : handleInTime(job)),
    {
      // Stored in each job, to show which worker holds it.
      name: workerId,
      autorun: false,
      connection: withUnsavedScripts(redis),
      prefix: queuePrefix,
      concurrency: queues[name].perWorker,
      // A caller waits for a failed job, and BullMQ would not report it.
      maxStalledCount: queueRules.neverByItself,
      lockDuration: queueRules.lockMs,
      stalledInterval: queueRules.stalledCheckMs,
      runRetryDelay: queueRules.redisRetryMs,
      drainDelay: queueRules.blockS,
    },
  );
  worker.on('closed', () => redis.disconnect());
  worker.on('error', (error) => log.warn({ err: error, queue: name }, 'queue error'));
  return worker;
}
