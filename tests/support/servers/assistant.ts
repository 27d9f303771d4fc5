import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readConfig } from '../../../api/src/config.ts';
import { type ApiLimits, wireApi } from '../../../api/src/wiring/api.ts';
import { wireLog } from '../../../api/src/wiring/log.ts';
import { type WorkerLimits, wireWorker } from '../../../api/src/wiring/worker.ts';
import { ffmpegPath } from '../audio/recordings.ts';
import { type Caller, createCaller } from '../clients/caller.ts';
import { waitFor } from '../wait-for.ts';

/** Heartbeat interval, short enough that tests need not wait for it. */
const beatEveryMs = 100;
/** A folder that does not exist, and that no user can make, not even root. */
const noFolder = '/proc/nonexistent';
/** Same limit as in server.ts for Redis before an answer. */
const redisMs = 1_000;

interface PartOptions {
  redisUrl: string;
  llmUrl?: string;
  sttUrl?: string;
  ttsUrl?: string;
  env?: Record<string, string>;
  limits?: ApiLimits & WorkerLimits;
}

/** The log of a process, line by line. */
interface LogLines {
  lines: string[];
  stream: Writable;
}

function captureLog(): LogLines {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, stream };
}

function configOf({ redisUrl, llmUrl, sttUrl, ttsUrl, env }: PartOptions) {
  return readConfig({
    REDIS_URL: redisUrl,
    ...(llmUrl !== undefined && { LLM_URL: llmUrl }),
    ...(sttUrl !== undefined && { STT_URL: sttUrl }),
    ...(ttsUrl !== undefined && { TTS_URL: ttsUrl }),
    MODELS_DIR: noFolder,
    LANGUAGES_DIR: noFolder,
    WAKE_WORDS_DIR: noFolder,
    LOG_LEVEL: 'debug',
    TZ: 'Europe/Berlin',
    FFMPEG: ffmpegPath,
    ...env,
  });
}

export type RunningApi = Awaited<ReturnType<typeof startApi>>;

/** The api as server.ts wires it, on a free port of this process. */
export async function startApi(options: PartOptions) {
  const captured = captureLog();
  const config = configOf(options);
  const { log, instance, close: closeLog } = wireLog(config, 'api', captured.stream);
  const api = wireApi(config, log, { ...options.limits, instance });
  await Promise.race([api.redisWasReady, delay(redisMs, undefined, { ref: false })]);
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const httpsPort = await api.listenHttps({
    host: '127.0.0.1',
    port: Number(options.env?.['HTTPS_PORT'] ?? 0),
  });
  const wyomingPort = await api.listenWyoming();
  const caller = createCaller(address);
  let isStopped = false;
  return {
    ...caller,
    address,
    port: Number(new URL(address).port),
    /** Null if only http is served. */
    httpsPort,
    /** Null if the Wyoming protocol is switched off. */
    wyomingPort,
    log: captured.lines,
    openTurns: api.openTurns,
    /** Number of its open connections. */
    connections: () => promisify(api.app.server.getConnections).call(api.app.server),
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await api.app.close();
      api.close();
      await Promise.all([closeLog(), caller.close()]);
    },
  };
}

export type RunningWorker = ReturnType<typeof startWorker>;

/** A worker as worker.ts wires it, in this process. */
export function startWorker(options: PartOptions) {
  const captured = captureLog();
  const config = configOf(options);
  const { log, instance, close: closeLog } = wireLog(config, 'worker', captured.stream);
  const worker = wireWorker(config, log, { ...options.limits, instance });
  const pulse = setInterval(() => worker.beat().catch(() => undefined), beatEveryMs);
  let isStopped = false;
  return {
    /** Its own name. */
    instance,
    log: captured.lines,
    async stop(graceMs = 0) {
      if (isStopped) return;
      isStopped = true;
      await worker.stop(graceMs);
      clearInterval(pulse);
      await closeLog();
    },
  };
}

interface AssistantOptions extends PartOptions {
  workers?: number;
}

export type Assistant = Awaited<ReturnType<typeof startAssistant>>;

/** An api and its workers, ready to answer. */
export async function startAssistant(options: AssistantOptions) {
  const workers = Array.from({ length: options.workers ?? 1 }, () => startWorker(options));
  const api = await startApi(options);
  await isReady(api, workers.length);
  return {
    ...api,
    workers,
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await api.stop();
    },
  };
}

/** Waits until every enabled engine can answer and this many workers are known. */
export async function isReady({ health }: Pick<Caller, 'health'>, workers = 1): Promise<void> {
  await waitFor(
    async () => {
      const seen = await health();
      const settled = Object.values(seen.engines).every(({ state }) => state === 'ready' || state === 'off');
      // On a busy machine a test may call an api that has not reached Redis yet.
      return settled && seen.redis.state === 'ready' && seen.workers >= workers;
    },
    { what: 'the assistant is ready', withinMs: 90_000 },
  );
}
