import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createDecoder } from './audio/decode.ts';
import type { Config, EngineConfig } from './config.ts';
import { buildApp } from './http/app.ts';
import { adminLogRoutes } from './http/admin-log-routes.ts';
import { createAccess } from './http/auth.ts';
import { adminPipelineRoutes } from './http/admin-pipeline-routes.ts';
import { chatRoutes } from './http/chat-routes.ts';
import { loadContract } from './http/contract.ts';
import { healthRoutes } from './http/health-routes.ts';
import { trustedGateway } from './http/own-machine.ts';
import { createPage } from './http/page-routes.ts';
import { turnRoutes } from './http/turn-routes.ts';
import { voiceRoutes } from './http/voice-routes.ts';
import { createChain, createRingJobs } from './jobs/chain.ts';
import { openQueues } from './jobs/queues.ts';
import type { Logger } from './log.ts';
import { createLogReader } from './logs/log-reader.ts';
import { createLogTail } from './logs/log-tail.ts';
import { type Language, loadLanguage } from './respond/language.ts';
import { wireSatellites } from './satellite-wiring.ts';
import type { Seeds } from './settings/pipeline.ts';
import { createSettings, type Settings } from './settings/settings.ts';
import type { EngineName } from './status/engine-status.ts';
import { watchModelFiles } from './status/model-files.ts';
import { createWorkerRoll } from './status/worker-roll.ts';
import { createTimerStore } from './timers/timer-store.ts';
import { createAudioStore } from './turn/audio-store.ts';
import { connectRedis } from './turn/redis.ts';
import type { Turn } from './turn/turn.ts';
import { createTurnInbox } from './turn/turn-events.ts';
import { createTurnLog } from './turn/turn-log.ts';
import { createTurnStore } from './turn/turn-store.ts';

/** The language that is spoken: a folder of languages/. */
export const spoken = 'en';

/** How long things may take, where tests cannot wait as long as people do. */
export interface ApiLimits {
  turnDeadlineMs?: number;
}

/** The api process: the contract on HTTP. */
export function wireApi(
  config: Config,
  log: Logger,
  { turnDeadlineMs }: ApiLimits = {},
): { app: FastifyInstance; openTurns: () => number; close: () => void } {
  const apiId = randomUUID();
  const onError = redisTrouble(log);
  const redis = connectRedis({ url: config.redisUrl, onError });
  const subscriber = connectRedis({ url: config.redisUrl, onError });
  subscriber.setMaxListeners(0);
  const onBadEvent = (error: Error) => log.error({ err: error }, 'a message between processes was lost');

  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const workers = createWorkerRoll({ subscriber, onBadEvent });
  const inbox = createTurnInbox({ subscriber, apiId, onBadEvent });
  const settings = createSettings({ redis, subscriber, seeds: pipelineSeeds(config), onError });
  const turns = createTurnStore({ redis, keeps: memoryOf(settings) });
  const queues = openQueues({ redis, onError });
  const timers = createTimerStore({ redis, jobs: createRingJobs({ redis, queues }) });
  const turnLog = createTurnLog({ redis });
  const chain = createChain({
    apiId,
    redis,
    queues,
    turns,
    sounds: createAudioStore({ redis }),
    log: turnLog,
    logger: log,
    inbox,
    workers,
    revision: settings.revision,
    turnDeadlineMs,
  });

  const logs = createLogReader({ redis });
  const logTail = createLogTail({ reader: logs });
  const language = spokenLanguage(config);
  const satellites = wireSatellites({
    config,
    language,
    log,
    chain,
    turns,
    timers,
    redis,
    subscriber,
    onBadEvent,
  });
  const contract = loadContract(pathToFileURL(projectFile('openapi.yaml')));
  const app = buildApp({
    log,
    contract,
    access: createAccess({ ...config, gateway: trustedGateway(config.listenAddress) }),
    handlers: {
      ...turnRoutes({ chain }),
      ...voiceRoutes({
        chain,
        decoder: createDecoder({ ffmpegPath: config.ffmpeg, mostSeconds: 120, mostAtOnce: 2 }),
      }),
      ...chatRoutes({ chain }),
      ...satellites.handlers,
      ...adminPipelineRoutes({
        settings,
        languages: [spoken],
        workers,
        off: reasonsOff(config),
      }),
      ...adminLogRoutes({ reader: logs, tail: logTail }),
      ...healthRoutes({
        contract,
        version: version(),
        configured: { token: config.serviceToken !== undefined, models: null, time_zone: config.timeZone },
        off: reasonsOff(config),
        files,
        workers,
        redisIsReady: () => redis.status === 'ready' && inbox.ready,
        openTurns: () => chain.open,
      }),
    },
    sockets: satellites.sockets,
    closeSockets: () => {
      satellites.sayGoodbye();
      logTail.endAll();
    },
    page: createPage({ folder: join(dirname(projectFile('package.json')), 'console/dist') }),
  });

  return {
    app,
    openTurns: () => chain.open,
    close: () => {
      files.stop();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

/** The settings that the environment makes where nobody has made them at /admin/pipeline. */
export function pipelineSeeds({ llmModel, sttModel, ttsVoice }: Config): Seeds {
  return { llm_model: llmModel, stt_model: sttModel, voice: ttsVoice };
}

/** How much of its conversation a turn leaves behind. */
export function memoryOf(settings: Settings) {
  return async (turn: Turn) => {
    const { memory_turns: turns, memory_days: days } = await settings.of(turn);
    return { turns, days };
  };
}

function reasonsOff({ llm, stt, tts }: Config): Partial<Record<EngineName, string>> {
  const reason = (name: EngineName, engine: EngineConfig) => ('off' in engine ? { [name]: engine.off } : {});
  return { ...reason('llm', llm), ...reason('stt', stt), ...reason('tts', tts) };
}

function version(): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))).version;
}

/** While Redis is away every connection complains several times a second: one line a minute is enough, unless something changes. */
export function redisTrouble(log: Logger): (error: Error) => void {
  let last = { message: '', at: 0 };
  return (error) => {
    if (error.message === last.message && Date.now() - last.at < 60_000) return;
    last = { message: error.message, at: Date.now() };
    log.warn({ err: error }, 'Redis has trouble');
  };
}

/** A file of the project's root, from the sources as well as from the compiled image. */
export function projectFile(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`${name} is not there: the installation is incomplete.`);
    folder = dirname(folder);
  }
  return join(folder, name);
}

/** The language that is spoken, with the household's own sentences. */
export function spokenLanguage({ languagesDir }: Pick<Config, 'languagesDir'>): Language {
  const folderOf = (languages: string) => pathToFileURL(`${join(languages, spoken)}/`);
  return loadLanguage({ folder: folderOf(projectFile('api/languages')), household: folderOf(languagesDir) });
}
