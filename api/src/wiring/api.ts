import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
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
import { turnRoutes } from '../http/turn-routes.ts';
import { createSay } from '../language/phrases.ts';
import type { Logger } from '../log.ts';
import { createKnownAnswers } from '../turn/known-answers.ts';
import { wireApiCore } from './api-core.ts';
import { wireChecks } from './checks.ts';
import { wireHealth } from './health.ts';
import { householdRoutes } from './household-routes.ts';
import { projectFile } from './installation.ts';
import { wireRoom } from './room.ts';
import { wireSatellites } from './satellites.ts';
import { soundRoutes } from './sound-routes.ts';
import { wireTokens } from './tokens.ts';
import { wireUpkeep } from './upkeep.ts';

/** How long things may take, where tests cannot wait as long as people do. */
export interface ApiLimits {
  turnDeadlineMs?: number;
  /** Longest wait for a stage to begin. */
  queueLimitMs?: number;
  checkPatience?: number;
  headersMs?: number;
  /** Between two looks at how much room there is. */
  roomEveryMs?: number;
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
  {
    turnDeadlineMs,
    queueLimitMs,
    checkPatience,
    headersMs,
    roomEveryMs,
    instance = randomUUID().slice(0, 8),
  }: ApiLimits = {},
): RunningApi {
  const core = wireApiCore(config, log, {
    turnDeadlineMs,
    queueLimitMs,
    instance,
    openSatellites: () => satellites.open,
  });
  const { chain, turns, timers, announcements, running, clock } = core;
  const onlyWords = createSay(core.language.phrases)('only_words');
  const chatTurns = createChatTurns(createKnownAnswers(core));
  const tokens = wireTokens(core);
  const room = wireRoom(core, roomEveryMs);
  const satellites = wireSatellites(core, tokens.held, room);
  const checks = wireChecks(core, checkPatience);
  const upkeep = wireUpkeep(core);
  const contract = loadContract(pathToFileURL(projectFile('openapi.yaml')));
  const app = buildApp({
    log,
    contract,
    trustedProxies: config.trustedProxies,
    trustedHosts: config.trustedHosts,
    headersMs,
    access: createAccess({
      ...config,
      tokens: tokens.known,
      gateway: trustedGateway(config.listenAddress),
    }),
    held: tokens.held,
    onUse: tokens.onUse,
    handlers: {
      ...turnRoutes({ chain }),
      ...soundRoutes(core),
      ...announcementRoutes({ announcements }),
      ...checks.handlers,
      ...chatRoutes({ chain, chatTurns, onlyWords }),
      ...responsesRoutes({ chain, chatTurns, turns, onlyWords }),
      ...satellites.handlers,
      ...adminTimerRoutes({ timers, clock }),
      ...householdRoutes(core),
      ...upkeep.handlers,
      ...tokens.handlers,
      ...wireHealth(core, contract, room),
    },
    sockets: satellites.sockets,
    pagesOfServers: checks.pagesOfServers,
    isDraining: running.isDraining,
    standstill: core.standstill,
    closeSockets: () => {
      satellites.sayGoodbye();
      upkeep.endFollowers();
    },
    page: createPage({ folder: join(dirname(projectFile('package.json')), 'console/dist') }),
  });

  return {
    app,
    redisWasReady: Promise.all([core.redisWasReady, tokens.known.begun]),
    openTurns: () => chain.open,
    restartAsked: running.restartAsked,
    drain: (mostMs) => satellites.drain({ isBusy: () => chain.open > 0, mostMs }),
    close: () => {
      checks.stop();
      room.stop();
      tokens.stop();
      core.stop();
    },
  };
}
