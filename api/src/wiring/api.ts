import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { createKnownAnswers } from '../conversations/known-answers.ts';
import { createFetchedSounds } from '../home-sound/fetched-sounds.ts';
import { adminTimerRoutes } from '../http/admin-timer-routes.ts';
import { announcementRoutes } from '../http/announcement-routes.ts';
import { buildApp } from '../http/app.ts';
import { createAccess } from '../http/auth.ts';
import { chatRoutes } from '../http/chat-routes.ts';
import { createChatTurns } from '../http/chat-turns.ts';
import { loadContract } from '../http/contract.ts';
import { trustedGateway } from '../http/own-machine.ts';
import { createPage } from '../http/page-routes.ts';
import { responsesRoutes } from '../http/responses-routes.ts';
import { systemClock } from '../http/system-clock.ts';
import { turnRoutes } from '../http/turn-routes.ts';
import { createSay } from '../language/phrases.ts';
import type { Logger } from '../log.ts';
import { createRestoreTimer } from '../timers/restore-timer.ts';
import { wireApiCore } from './api-core.ts';
import { wireChecks } from './checks.ts';
import { wireDevices } from './devices.ts';
import { wireHealth } from './health.ts';
import { wireHomeNetwork } from './home-network.ts';
import { wireHomeSpeakers } from './home-speakers.ts';
import { householdRoutes } from './household-routes.ts';
import { wireHttps } from './https.ts';
import { projectFile } from './installation.ts';
import { wireLending } from './lending.ts';
import { wireModels } from './models.ts';
import { wireRoom } from './room.ts';
import { wireSatellites } from './satellites.ts';
import { sightOf } from './sight.ts';
import { soundRoutes } from './sound-routes.ts';
import { wireTokens } from './tokens.ts';
import { wireUpkeep } from './upkeep.ts';
import { wireWyoming } from './wyoming.ts';

/** Time limits, which tests shorten. */
export interface ApiLimits {
  turnDeadlineMs?: number;
  /** Maximum wait for a stage to begin. */
  queueLimitMs?: number;
  checkPatience?: number;
  headersMs?: number;
  /** Time between checks of memory and disk space. */
  roomEveryMs?: number;
  /** Time between checks of the home addresses. */
  networkIntervalMs?: number;
  /** A client that takes no sound for this time is disconnected. */
  stuckMs?: number;
  /** Id of the process in its log lines. */
  instance?: string;
}

interface RunningApi {
  app: FastifyInstance;
  /** Starts the Wyoming server, if enabled. Resolves with its port. Rejects with the system's error. */
  listenWyoming: () => Promise<number | null>;
  /** Starts the https server, if enabled. Resolves with its port. Rejects with the system's error. */
  listenHttps: (at?: { host: string; port: number }) => Promise<number | null>;
  /** Resolves when Redis is usable for the first time, possibly never. */
  redisWasReady: Promise<unknown>;
  openTurns: () => number;
  /** Resolves when this process should restart. */
  restartAsked: Promise<void>;
  /** Rejects new work, and waits up to `maxMs` for pending answers. */
  drain: (maxMs: number) => Promise<void>;
  close: () => void;
}

/** The api process with the HTTP contract. */
export function wireApi(
  config: Config,
  log: Logger,
  {
    turnDeadlineMs,
    queueLimitMs,
    checkPatience,
    headersMs,
    roomEveryMs,
    networkIntervalMs,
    stuckMs,
    instance = randomUUID().slice(0, 8),
  }: ApiLimits = {},
): RunningApi {
  const core = wireApiCore(config, log, {
    turnDeadlineMs,
    queueLimitMs,
    instance,
    openSatellites: () => satellites.open,
  });
  const { turnClient, turns, timers, announcements, running, clock } = core;
  const onlyWords = createSay(core.language.phrases)('only_words');
  const chatTurns = createChatTurns({
    known: createKnownAnswers(core),
    goOn: createSay(core.language.phrases)('go_on'),
    ...sightOf(core),
  });
  const https = wireHttps(config, log);
  const network = wireHomeNetwork(core, https, { intervalMs: networkIntervalMs });
  const tokens = wireTokens(core, network, https);
  const room = wireRoom(core, roomEveryMs);
  const { satellites, names, judge, ...parts } = wireSatellites(core, tokens.held, room);
  const sounds = createFetchedSounds({ clock: systemClock });
  const devices = wireDevices(core, satellites, { instance, others: sounds.serve });
  const homeSpeakers = wireHomeSpeakers(core, { ...parts, sounds, listen: devices.listen, instance });
  const lending = wireLending(core, tokens, instance);
  const checks = wireChecks(core, checkPatience);
  const upkeep = wireUpkeep(core);
  const models = wireModels(core);
  const wyoming = wireWyoming(core, judge);
  const contract = loadContract(pathToFileURL(projectFile('openapi.yaml')));
  const app = buildApp({
    log,
    contract,
    trustedProxies: config.trustedProxies,
    trustedHosts: config.trustedHosts,
    trustedOrigins: config.trustedOrigins,
    headersMs,
    access: createAccess({
      ...config,
      tokens: tokens.known,
      isOpenToHome: network.isOpen,
      gateway: trustedGateway(config.listenAddress),
    }),
    held: tokens.held,
    onUse: tokens.onUse,
    handlers: {
      ...turnRoutes({ turnClient, languageIn: core.languageIn }),
      ...soundRoutes(core, { stuckMs }),
      ...announcementRoutes({ announcements }),
      ...checks.handlers,
      ...chatRoutes({ turnClient, chatTurns, onlyWords }),
      ...responsesRoutes({ turnClient, chatTurns, turns, onlyWords }),
      ...satellites.handlers,
      ...names,
      ...adminTimerRoutes({
        timers,
        restore: createRestoreTimer(core),
        clock,
        timeZone: config.timeZone,
      }),
      ...householdRoutes(core, tokens),
      ...devices.handlers,
      ...upkeep.handlers,
      ...models.handlers,
      ...tokens.handlers,
      ...lending.handlers,
      ...network.handlers,
      ...wireHealth(core, contract, room),
    },
    sockets: { ...satellites.sockets, ...lending.sockets },
    pagesOfServers: checks.pagesOfServers,
    isDraining: running.isDraining,
    suspension: core.suspension,
    closeSockets: () => {
      satellites.sayGoodbye();
      lending.stop();
      void homeSpeakers.stop().then(devices.stop);
      upkeep.endFollowers();
    },
    page: createPage({
      folder: join(dirname(projectFile('package.json')), 'console/dist'),
      phone: {
        isOpen: () => network.address() !== null,
        httpsPort: network.httpsPort,
        caCertificate: () => (network.httpsPort() === null ? null : https.caCertificate()),
      },
    }),
  });

  network.serve(app.server);
  // Https clients get pending answers, too.
  app.addHook('onClose', async () => {
    await network.close();
    await https.close();
  });

  return {
    app,
    listenHttps: async (at) => (config.https.isOn ? https.listen(app.server, at) : null),
    listenWyoming: async () => (await wyoming?.listen()) ?? null,
    redisWasReady: Promise.all([core.redisWasReady, tokens.known.begun]),
    openTurns: () => turnClient.open,
    restartAsked: running.restartAsked,
    drain: (maxMs) => satellites.drain({ isBusy: () => turnClient.open > 0, maxMs }),
    close: () => {
      wyoming?.stop();
      checks.stop();
      models.stop();
      room.stop();
      tokens.stop();
      core.stop();
    },
  };
}
