import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Config, EngineConfig } from './config.ts';
import { createEngineClient } from './engines/engine-client.ts';
import { watchEngine } from './engines/engine-watch.ts';
import { createLlmClient } from './engines/llm-client.ts';
import { createLlmSlots } from './engines/llm-slots.ts';
import { buildApp } from './http/app.ts';
import { createAccess } from './http/auth.ts';
import { chatRoutes } from './http/chat-routes.ts';
import { loadContract } from './http/contract.ts';
import { healthRoutes } from './http/health-routes.ts';
import { trustedGateway } from './http/own-machine.ts';
import { turnRoutes } from './http/turn-routes.ts';
import { createChain } from './jobs/chain.ts';
import { openRespondQueue } from './jobs/queues.ts';
import { createRespondJob } from './jobs/respond-job.ts';
import { runWorker } from './jobs/run-worker.ts';
import type { Logger } from './log.ts';
import { createLlmResponder, type LlmReplica } from './respond/llm-responder.ts';
import { warmUp } from './respond/warm-up.ts';
import {
  type EngineName,
  type EngineStatus,
  type Heartbeat,
  heartbeatChannel,
} from './status/engine-status.ts';
import { watchModelFiles } from './status/model-files.ts';
import { createWorkerRoll } from './status/worker-roll.ts';
import { createConversationStore } from './turn/conversation-store.ts';
import { connectRedis } from './turn/redis.ts';
import { createTurnInbox } from './turn/turn-events.ts';
import { createTurnStore } from './turn/turn-store.ts';

/** How long things may take, where tests cannot wait as long as people do. */
export interface Limits {
  turnDeadlineMs?: number;
  answerIdleMs?: number;
}

/** The api process: the contract on HTTP. */
export function wireApi(
  config: Config,
  log: Logger,
  { turnDeadlineMs }: Limits = {},
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
  const queue = openRespondQueue({ redis, onError });
  const chain = createChain({
    apiId,
    redis,
    queue,
    turns: createTurnStore({ redis }),
    inbox,
    workers,
    turnDeadlineMs,
  });

  const contract = loadContract(pathToFileURL(projectFile('openapi.yaml')));
  const app = buildApp({
    log,
    contract,
    access: createAccess({ ...config, gateway: trustedGateway(config.listenAddress) }),
    handlers: {
      ...turnRoutes({ chain }),
      ...chatRoutes({ chain }),
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

/** A worker process: the only caller of the engines. */
export function wireWorker(config: Config, log: Logger, { answerIdleMs }: Limits = {}) {
  const workerId = randomUUID();
  const onError = redisTrouble(log);
  const redis = connectRedis({ url: config.redisUrl, onError });
  const subscriber = connectRedis({ url: config.redisUrl, onError });
  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const queue = openRespondQueue({ redis, onError });

  const llm = wireLlm(config, { log, files, answerIdleMs, onReady: () => shareCapacity() });
  /** No engine is ever asked for more than it can do, however many workers there are. */
  const shareCapacity = () => {
    const slots = llm.replicas.reduce((sum, { client }) => sum + (client.facts?.slots ?? 0), 0);
    if (slots > 0) queue.setGlobalConcurrency(slots).catch(onError);
  };

  const turns = createTurnStore({ redis });
  const stage = createRespondJob({
    turns,
    conversations: createConversationStore({ redis }),
    responders:
      llm.replicas.length > 0
        ? [createLlmResponder({ replicas: llm.replicas, slots: createLlmSlots({ redis }) })]
        : [],
    timeZone: config.timeZone,
  });
  const worker = runWorker({
    workerId,
    redisUrl: config.redisUrl,
    subscriber,
    turns,
    stage,
    log,
  });

  const heartbeat = (): Heartbeat => ({
    workerId,
    engines: llm.replicas.length > 0 ? { llm: bestOf(llm.replicas.map(({ status }) => status())) } : {},
    running: worker.running,
  });

  return {
    /** Tells the api processes that this worker lives and what its engines can do. */
    async beat(): Promise<void> {
      if (redis.status === 'ready') await redis.publish(heartbeatChannel, JSON.stringify(heartbeat()));
    },
    async stop(graceMs: number): Promise<void> {
      llm.stop();
      files.stop();
      await worker.stop(graceMs);
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

interface WireLlmOptions {
  log: Logger;
  files: ReturnType<typeof watchModelFiles>;
  answerIdleMs: number | undefined;
  onReady: () => void;
}

function wireLlm(config: Config, { log, files, answerIdleMs, onReady }: WireLlmOptions) {
  const urls = 'urls' in config.llm ? config.llm.urls : [];
  const wired = urls.map((url) => {
    const http = createEngineClient('llm');
    const client = createLlmClient({
      http,
      baseUrl: url,
      apiKey: config.llmApiKey,
      model: config.llmModel,
      answerIdleMs,
    });
    const watch = watchEngine({
      engine: 'llm',
      prove: (signal) => warmUp(client, signal),
      check: (signal) => client.discover(signal),
      files,
      onChange: (status) => {
        log.info(
          { engine: 'llm', state: status.state, reason: status.reason, model: status.model },
          'engine',
        );
        if (status.state === 'ready') onReady();
      },
    });
    const replica: LlmReplica = { url, client, status: watch.status, suspect: watch.suspect };
    return { replica, stop: watch.stop };
  });
  return {
    replicas: wired.map(({ replica }) => replica),
    stop: () => {
      for (const { stop } of wired) stop();
    },
  };
}

/** One engine can answer as soon as one of its servers can. */
function bestOf(statuses: EngineStatus[]): EngineStatus {
  const [first] = statuses;
  if (!first) throw new Error('an engine without servers has no status');
  return statuses.find(({ state }) => state === 'ready') ?? first;
}

function reasonsOff({ llm, stt, tts }: Config): Partial<Record<EngineName, string>> {
  const reason = (name: EngineName, engine: EngineConfig) => ('off' in engine ? { [name]: engine.off } : {});
  return { ...reason('llm', llm), ...reason('stt', stt), ...reason('tts', tts) };
}

/** While Redis is away every connection complains several times a second: one line for each change is enough. */
function redisTrouble(log: Logger): (error: Error) => void {
  let last = '';
  return (error) => {
    if (error.message === last) return;
    last = error.message;
    log.warn({ err: error }, 'Redis has trouble');
  };
}

function version(): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))).version;
}

/** A file of the project's root, from the sources as well as from the compiled image. */
function projectFile(name: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error(`${name} is not there: the installation is incomplete.`);
    folder = dirname(folder);
  }
  return join(folder, name);
}
