import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Config, EngineConfig } from './config.ts';
import { createEnginePool } from './engines/engine-pool.ts';
import { createLlmClient } from './engines/llm-client.ts';
import { createLlmSlots } from './engines/llm-slots.ts';
import { createSttClient } from './engines/stt-client.ts';
import { createTtsClient } from './engines/tts-client.ts';
import { warmUpStt, warmUpTts } from './engines/warm-up.ts';
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
import { createLlmResponder } from './respond/llm-responder.ts';
import { warmUpLlm } from './respond/warm-up.ts';
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

  const onChange = (engine: EngineName, { state, reason, model }: EngineStatus) => {
    log.info({ engine, state, reason, model }, 'engine');
    if (engine === 'llm' && state === 'ready') shareCapacity();
  };
  const llm = createEnginePool({
    engine: 'llm',
    urls: urlsOf(config.llm),
    files,
    onChange,
    connect: (http, baseUrl) =>
      createLlmClient({ http, baseUrl, apiKey: config.llmApiKey, model: config.llmModel, answerIdleMs }),
    prove: warmUpLlm,
    check: (client, signal) => client.discover(signal),
  });
  const stt = createEnginePool({
    engine: 'stt',
    urls: urlsOf(config.stt),
    files,
    onChange,
    connect: (http, baseUrl) => createSttClient({ http, baseUrl, model: config.sttModel }),
    prove: warmUpStt,
    check: (client, signal) => client.findModel(signal),
  });
  const tts = createEnginePool({
    engine: 'tts',
    urls: urlsOf(config.tts),
    files,
    onChange,
    connect: (http, baseUrl) => createTtsClient({ http, baseUrl, voice: config.ttsVoice }),
    prove: warmUpTts,
    check: (client, signal) => client.findVoice(signal),
  });

  /** No engine is ever asked for more than it can do, however many workers there are. */
  const shareCapacity = () => {
    const slots = llm.replicas.reduce((sum, { client }) => sum + (client.facts?.slots ?? 0), 0);
    if (slots > 0) queue.setGlobalConcurrency(slots).catch(onError);
  };
  // Redis may have come back without its memory, or only now.
  redis.on('ready', shareCapacity);

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
    engines: { ...told('llm', llm.status()), ...told('stt', stt.status()), ...told('tts', tts.status()) },
    running: worker.running,
  });

  return {
    /** Tells the api processes that this worker lives and what its engines can do. */
    async beat(): Promise<void> {
      if (redis.status === 'ready') await redis.publish(heartbeatChannel, JSON.stringify(heartbeat()));
    },
    async stop(graceMs: number): Promise<void> {
      for (const engine of [llm, stt, tts]) engine.stop();
      files.stop();
      await worker.stop(graceMs);
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

function urlsOf(engine: EngineConfig): readonly string[] {
  return 'urls' in engine ? engine.urls : [];
}

/** An engine that is off has nothing to tell. */
function told(name: EngineName, status: EngineStatus | undefined): Heartbeat['engines'] {
  return status ? { [name]: status } : {};
}

function reasonsOff({ llm, stt, tts }: Config): Partial<Record<EngineName, string>> {
  const reason = (name: EngineName, engine: EngineConfig) => ('off' in engine ? { [name]: engine.off } : {});
  return { ...reason('llm', llm), ...reason('stt', stt), ...reason('tts', tts) };
}

/** While Redis is away every connection complains several times a second: one line a minute is enough, unless something changes. */
function redisTrouble(log: Logger): (error: Error) => void {
  let last = { message: '', at: 0 };
  return (error) => {
    if (error.message === last.message && Date.now() - last.at < 60_000) return;
    last = { message: error.message, at: Date.now() };
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
