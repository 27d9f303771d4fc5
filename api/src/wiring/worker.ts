import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { channelOn } from '../redis/channel.ts';
import { runWorker } from '../stages/run-worker.ts';
import { type Heartbeat, heartbeatChannel } from '../status/engine-status.ts';
import { wireLentEngines } from './lent-engines.ts';
import { wireProcess } from './process.ts';
import { wireStages } from './stages.ts';
import { wireWorkerCore } from './worker-core.ts';

/** Time limits, which tests shorten. */
export interface WorkerLimits {
  answerIdleMs?: number;
  /** Time between two sweeps of the timers. */
  sweepIntervalMs?: number;
  /** Id of the process in its log lines. */
  instance?: string;
}

/** A worker process, the only caller of the engines. */
export function wireWorker(
  config: Config,
  log: Logger,
  { answerIdleMs, sweepIntervalMs, instance = randomUUID().slice(0, 8) }: WorkerLimits = {},
) {
  const workerId = randomUUID();
  const core = wireWorkerCore(config, log, { answerIdleMs, sweepIntervalMs });
  const { redis, subscriber, onError, engines, disks } = core;
  const { llm, stt, tts } = engines;
  const lent = wireLentEngines(core);

  const worker = runWorker({
    workerId,
    redisUrl: config.redisUrl,
    redis,
    subscriber,
    turns: core.turns,
    conversations: core.conversations,
    stages: wireStages(core, workerId),
    log,
    clock: core.clock,
  });
  const running = wireProcess({
    redis,
    subscriber,
    onBadEvent: onError,
    log,
    kind: 'worker',
    instance,
    busy: () => worker.running,
    clock: core.clock,
  });
  const heartbeat = (): Heartbeat => ({
    workerId,
    engines: engines.statuses(),
    servers: { llm: llm.servers(), stt: stt.servers(), tts: tts.servers() },
    disks: disks.current,
    running: worker.running,
  });

  /** Sends the heartbeat to the api processes. */
  const beat = async (): Promise<void> => {
    if (redis.status === 'ready')
      await redis.publish(channelOn(redis, heartbeatChannel), JSON.stringify(heartbeat()));
  };
  // Send one at once, because questions are rejected until a worker is known.
  redis.on('ready', () => void beat().catch(onError));

  return {
    beat,
    restartAsked: running.restartAsked,
    /** Takes no new jobs, and waits up to `maxMs` for the running ones. */
    drain: (maxMs: number) => worker.stop(maxMs),
    async stop(graceMs: number): Promise<void> {
      running.stop();
      lent.stop();
      core.stopWatching();
      await worker.stop(graceMs);
      await core.close();
    },
  };
}
