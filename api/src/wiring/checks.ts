import { createCheck } from '../check/check.ts';
import { createCheckLock, takeNight } from '../check/check-lock.ts';
import { engineSteps } from '../check/engine-steps.ts';
import { householdSteps } from '../check/household-steps.ts';
import { machineSteps } from '../check/machine-steps.ts';
import { startNightly } from '../check/nightly.ts';
import { redisSteps } from '../check/redis-steps.ts';
import { adminCheckRoutes } from '../http/admin-check-routes.ts';
import { adminServerRoutes } from '../http/admin-server-routes.ts';
import { engineProxy } from '../http/engine-proxy.ts';
import { createCallLog } from '../status/call-log.ts';
import { createCheckLog } from '../status/check-log.ts';
import type { ApiCore } from './api-core.ts';
import { wireBackups } from './backups.ts';
import { reasonsOff, socketOf, urlsOf } from './engine-addresses.ts';
import { wireLanguageModels } from './health.ts';
import { ownPaths } from './room.ts';

/** The model servers, their pages, and the check. `patience`: factor for time limits, for tests. */
export function wireChecks(core: ApiCore, patience = 1) {
  const { config, log, redis, redisIsReady, workerCalls, workers, files, crashes, settings, fileRewrite } =
    core;
  const off = reasonsOff(config);
  const kept = createCheckLog({ redis });
  const backups = wireBackups(core);
  const check = createCheck({
    steps: () => [...stepsOf(core, patience), ...backups.steps()],
    kept,
    lock: createCheckLock({ redis }),
    log,
  });
  const nightly = startNightly({
    at: () => settings.current().check_at,
    timeZone: config.timeZone,
    isOurs: (day) => takeNight(redis, day),
    run: async () => {
      await fileRewrite.now().catch(() => undefined); // the check reports the state of Redis
      await check.run();
    },
    onError: (error) => log.warn({ err: error }, 'skipped the nightly check'),
  });
  const urls = { llm: urlsOf(config.llm), stt: urlsOf(config.stt), tts: urlsOf(config.tts) };

  return {
    handlers: {
      ...adminServerRoutes({
        redis,
        redisIsReady,
        workerCalls,
        workers,
        files,
        crashes,
        off,
        calls: createCallLog({ redis }),
        hasPages: (name) => urls[name].length > 0,
      }),
      ...backups.handlers,
      ...adminCheckRoutes({ redis, check, kept }),
    },
    pagesOfServers: engineProxy({
      urls,
      sockets: { llm: socketOf(config.llm), stt: socketOf(config.stt), tts: socketOf(config.tts) },
      llmApiKey: config.llmApiKey,
      ready: (name) => workers.servers(name).flatMap(({ state, url }) => (state === 'ready' ? [url] : [])),
    }),
    stop: () => {
      nightly.stop();
      backups.stop();
      check.stop();
    },
  };
}

/** In order: a step comes after the steps that it needs. */
function stepsOf(core: ApiCore, patience: number) {
  const {
    config,
    language,
    redis,
    turnClient,
    workerCalls,
    workers,
    files,
    decoder,
    timers,
    running,
    clock,
    budget,
  } = core;
  /** Satellites of all processes. */
  const satellites = () => running.registry.alive().reduce((sum, { satellites: here }) => sum + here, 0);
  return [
    ...redisSteps({
      redis,
      timeZone: config.timeZone,
      processes: running.registry.alive,
      conversations: budget.room,
    }),
    ...machineSteps({ paths: ownPaths(core), workers, decoder }),
    ...engineSteps({
      turnClient,
      workerCalls,
      off: reasonsOff(config),
      ...language.phrases.check,
      patience,
    }),
    ...householdSteps({
      files,
      languageModels: wireLanguageModels(core),
      satellites,
      timers,
      clock,
      home: core.hasHome() ? { workerCalls } : null,
    }),
  ];
}
