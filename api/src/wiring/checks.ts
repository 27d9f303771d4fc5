import type { Redis } from 'ioredis';
import type { Decoder } from '../audio/decode.ts';
import { createCheck } from '../check/check.ts';
import { createCheckLock, takeNight } from '../check/check-lock.ts';
import { engineSteps } from '../check/engine-steps.ts';
import { householdSteps } from '../check/household-steps.ts';
import { machineSteps } from '../check/machine-steps.ts';
import { startNightly } from '../check/nightly.ts';
import { redisSteps } from '../check/redis-steps.ts';
import type { Config } from '../config.ts';
import { adminCheckRoutes } from '../http/admin-check-routes.ts';
import { adminServerRoutes } from '../http/admin-server-routes.ts';
import { engineProxy } from '../http/engine-proxy.ts';
import type { Chain } from '../jobs/chain.ts';
import type { Probes } from '../jobs/probes.ts';
import type { Language } from '../language/language.ts';
import type { Logger } from '../log.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { Settings } from '../settings/settings.ts';
import { createCallLog } from '../status/call-log.ts';
import { createCheckLog } from '../status/check-log.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { reasonsOff, urlsOf } from './engine-addresses.ts';

interface CheckWiring {
  config: Config;
  log: Logger;
  language: Language;
  redis: Redis;
  redisIsReady: () => boolean;
  chain: Chain;
  probes: Probes;
  workers: WorkerRoll;
  files: ModelFilesWatch;
  decoder: Decoder;
  timers: TimerStore;
  /** Satellites that are connected, to whichever process. */
  satellites: () => number;
  /** A share of the usual times, where tests cannot wait as long as people do. */
  patience?: number | undefined;
  /** When it checks by itself. */
  settings: Pick<Settings, 'current'>;
}

/** The model servers, their pages, and the check that everything works. */
export function wireChecks(options: CheckWiring) {
  const { config, log, redis, redisIsReady, probes, workers, files, settings } = options;
  const off = reasonsOff(config);
  const kept = createCheckLog({ redis });
  const check = createCheck({ steps: () => stepsOf(options), kept, lock: createCheckLock({ redis }), log });
  const nightly = startNightly({
    at: () => checkTime(settings.current()),
    timeZone: config.timeZone,
    isOurs: (day) => takeNight(redis, day),
    run: () => check.run(),
    onError: (error) => log.warn({ err: error }, 'the check of the night was left out'),
  });
  const urls = { llm: urlsOf(config.llm), stt: urlsOf(config.stt), tts: urlsOf(config.tts) };

  return {
    handlers: {
      ...adminServerRoutes({
        redis,
        redisIsReady,
        probes,
        workers,
        files,
        off,
        calls: createCallLog({ redis }),
        hasPages: (name) => urls[name].length > 0,
      }),
      ...adminCheckRoutes({ redis, check, kept }),
    },
    pagesOfServers: engineProxy({
      urls,
      llmApiKey: config.llmApiKey,
      ready: (name) => workers.servers(name).flatMap(({ state, url }) => (state === 'ready' ? [url] : [])),
    }),
    stop: () => {
      nightly.stop();
      check.stop();
    },
  };
}

/** In the order in which they are taken: what others stand on comes first. */
function stepsOf(options: CheckWiring) {
  const { config, language, redis, chain, probes, workers, files, decoder, timers, satellites } = options;
  return [
    ...redisSteps({ redis, timeZone: config.timeZone }),
    ...machineSteps({ paths: [config.modelsDir, process.cwd()], workers, decoder }),
    ...engineSteps({
      chain,
      probes,
      off: reasonsOff(config),
      ...language.phrases.check,
      patience: options.patience ?? 1,
    }),
    ...householdSteps({ files, satellites, timers, home: config.home && { probes } }),
  ];
}

/** When the nightly check runs; null: never. */
function checkTime({ check_at }: Pick<Pipeline, 'check_at'>): string | null {
  return check_at === 'never' ? null : check_at;
}
