import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createDecoder } from '../audio/decode.ts';
import type { Config } from '../config.ts';
import { adminTimerRoutes } from '../http/admin-timer-routes.ts';
import { buildApp } from '../http/app.ts';
import { createAccess } from '../http/auth.ts';
import { chatRoutes } from '../http/chat-routes.ts';
import { loadContract } from '../http/contract.ts';
import { healthRoutes } from '../http/health-routes.ts';
import { trustedGateway } from '../http/own-machine.ts';
import { createPage } from '../http/page-routes.ts';
import { turnRoutes } from '../http/turn-routes.ts';
import { voiceRoutes } from '../http/voice-routes.ts';
import { createChain, createRingJobs } from '../jobs/chain.ts';
import { createProbes } from '../jobs/probes.ts';
import { openQueues } from '../jobs/queues.ts';
import { createSay } from '../language/phrases.ts';
import type { Logger } from '../log.ts';
import { watchWrites } from '../redis/redis-writes.ts';
import { watchModelFiles } from '../status/model-files.ts';
import { createWorkerRoll } from '../status/worker-roll.ts';
import { createTimerStore } from '../timers/timer-store.ts';
import { createAudioStore } from '../turn/audio-store.ts';
import { createTurnInbox } from '../turn/turn-events.ts';
import { createTurnLog } from '../turn/turn-log.ts';
import { createTurnStore } from '../turn/turn-store.ts';
import { wireChecks } from './checks.ts';
import { reasonsOff } from './engine-addresses.ts';
import { householdRoutes } from './household-routes.ts';
import { installedVersion, projectFile, spoken, spokenLanguage } from './installation.ts';
import { wireProcess } from './process.ts';
import { wireRedis } from './redis.ts';
import { wireSatellites } from './satellites.ts';
import { memoryOf, wireSettings } from './settings.ts';
import { wireUpkeep } from './upkeep.ts';

/** How long things may take, where tests cannot wait as long as people do. */
export interface ApiLimits {
  turnDeadlineMs?: number;
  checkPatience?: number;
  /** Names the process in its log lines. */
  instance?: string;
}

export interface RunningApi {
  app: FastifyInstance;
  /** Settles when Redis can be used for the first time, which may be never. */
  redisWasReady: Promise<unknown>;
  openTurns: () => number;
  /** Resolves when it is this process's turn to start anew. */
  restartAsked: Promise<void>;
  /** Lets everybody who was promised an answer have it, for so long at the most. Nothing new is taken meanwhile. */
  drain: (mostMs: number) => Promise<void>;
  close: () => void;
}

/** The api process: the contract on HTTP. */
export function wireApi(
  config: Config,
  log: Logger,
  { turnDeadlineMs, checkPatience, instance = randomUUID().slice(0, 8) }: ApiLimits = {},
): RunningApi {
  const apiId = randomUUID();
  const version = installedVersion();
  const connections = wireRedis(config, log);
  const { redis, subscriber, onError } = connections;
  subscriber.setMaxListeners(0);
  const onBadEvent = (error: Error) => log.error({ err: error }, 'a message between processes was lost');

  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const running = wireProcess({
    redis,
    subscriber,
    onBadEvent,
    log,
    kind: 'api',
    instance,
    busy: () => chain.open,
    satellites: () => satellites.open,
  });
  const workers = createWorkerRoll({
    subscriber,
    onBadEvent,
    isOneExpected: () => running.roll.isExpectedBack('worker'),
  });
  const writes = watchWrites({ redis, log });
  const inbox = createTurnInbox({ subscriber, apiId, onBadEvent });
  const settings = wireSettings({ config, redis, subscriber, onError });
  const turns = createTurnStore({ redis, keeps: memoryOf(settings) });
  const queues = openQueues({ redis, onError });
  const timers = createTimerStore({ redis, jobs: createRingJobs({ redis, queues }) });
  const sounds = createAudioStore({ redis });
  const turnLog = createTurnLog({ redis });
  const chain = createChain({
    apiId,
    redis,
    queues,
    turns,
    sounds,
    log: turnLog,
    logger: log,
    logsWords: () => settings.current().log_words,
    inbox,
    workers,
    writes,
    revision: settings.revision,
    turnDeadlineMs,
  });

  const probes = createProbes({ apiId, redis, queues, turns, sounds, inbox, workers });

  const upkeep = wireUpkeep({
    config,
    log,
    redis,
    running,
    turnLog,
    queues,
    workers,
    probes,
    version,
  });
  const language = spokenLanguage(config);
  const satellites = wireSatellites({
    config,
    language,
    log,
    chain,
    turns,
    timers,
    settings,
    redis,
    subscriber,
    writes,
    onBadEvent,
  });
  const decoder = createDecoder({ ffmpegPath: config.ffmpeg, mostSeconds: 120, mostAtOnce: 2 });
  const redisFirstReady = new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  const redisIsReady = () => redis.status === 'ready' && inbox.ready;
  const checks = wireChecks({
    config,
    log,
    language,
    redis,
    redisIsReady,
    chain,
    probes,
    workers,
    files,
    decoder,
    timers,
    satellites: () => running.roll.alive().reduce((sum, { satellites: here }) => sum + here, 0),
    patience: checkPatience,
    settings,
  });
  const contract = loadContract(pathToFileURL(projectFile('openapi.yaml')));
  const app = buildApp({
    log,
    contract,
    access: createAccess({ ...config, gateway: trustedGateway(config.listenAddress) }),
    handlers: {
      ...turnRoutes({ chain }),
      ...voiceRoutes({ chain, decoder }),
      ...checks.handlers,
      ...chatRoutes({ chain }),
      ...satellites.handlers,
      ...adminTimerRoutes({ timers }),
      ...householdRoutes({
        config,
        redis,
        settings,
        workers,
        probes,
        say: createSay(language.phrases),
        languages: [spoken],
      }),
      ...upkeep.handlers,
      ...healthRoutes({
        contract,
        version,
        configured: () => ({
          token: config.serviceToken !== undefined,
          time_zone: config.timeZone,
          home: config.home !== null,
          log_words: settings.current().log_words,
        }),
        off: reasonsOff(config),
        files,
        workers,
        redisIsReady,
        refusal: () => writes.refusal,
        openTurns: () => chain.open,
      }),
    },
    sockets: satellites.sockets,
    pagesOfServers: checks.pagesOfServers,
    isDraining: running.isDraining,
    closeSockets: () => {
      satellites.sayGoodbye();
      upkeep.endFollowers();
    },
    page: createPage({ folder: join(dirname(projectFile('package.json')), 'console/dist') }),
  });

  return {
    app,
    redisWasReady: Promise.all([redisFirstReady, inbox.begun]),
    openTurns: () => chain.open,
    restartAsked: running.restartAsked,
    drain: (mostMs) => satellites.drain({ isBusy: () => chain.open > 0, mostMs }),
    close: () => {
      running.stop();
      writes.stop();
      checks.stop();
      files.stop();
      connections.close();
    },
  };
}
