import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { loadLanguage } from '../api/src/language/language.ts';
import { promptHead, promptOf } from '../api/src/respond/model/prompt.ts';
import { wakeWordFolder } from '../tests/support/wake/words.ts';
import { createProcesses, freePort, outputOf } from './processes.ts';

const { prompt } = loadLanguage({ folder: new URL('../api/languages/en/', import.meta.url) });

const root = join(import.meta.dirname, '..');
const question = 'What is the capital of France?';

export interface HouseholdOptions {
  /** An empty folder for this run: data, logs, sockets. */
  folder: string;
  signal: AbortSignal;
  /** A running language model server, instead of one of known speed. */
  llmUrl?: string;
  /** Without them it can neither hear nor speak. */
  sttUrl?: string;
  ttsUrl?: string;
  /** Without it there is no Home Assistant. */
  home?: { url: string; token: string };
  /** Additional settings. */
  more?: Readonly<Record<string, string>>;
}

export interface EngineStream {
  firstMs: number;
  tokens: number;
  perSecond: number;
  isStory?: boolean;
}

export type Household = Awaited<ReturnType<typeof startHousehold>>;

type Processes = ReturnType<typeof createProcesses>;

/** The real api and worker with a separate Redis and a language model of known speed, all on loopback. */
export async function startHousehold({
  folder,
  signal,
  llmUrl: given,
  home,
  more,
  ...speech
}: HouseholdOptions) {
  const processes = createProcesses({ folder, signal });
  const killAll = () => processes.killAll();
  process.once('exit', killAll);

  const agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 60_000 });
  try {
    const redisUrl = await startRedis(processes, folder);
    const stub = processes.fork('stub-llm', join(import.meta.dirname, 'stub-llm.ts'));
    const stubUrl = `http://127.0.0.1:${portOf(await once(stub, 'message', { signal }))}`;
    const llmUrl = given ?? stubUrl;
    const environment = {
      REDIS_URL: redisUrl,
      LLM_URL: llmUrl,
      STT_URL: speech.sttUrl ?? 'off',
      TTS_URL: speech.ttsUrl ?? 'off',
      MODELS_DIR: join(folder, 'models'),
      TMPDIR: folder,
      WAKE_WORDS_DIR: wakeWordFolder,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      NODE_OPTIONS: '--max-semi-space-size=4', // The image and make run set it, too.
      TZ: 'Europe/Berlin',
      ...(home ? { HOME_ASSISTANT_URL: home.url, HOME_ASSISTANT_TOKEN: home.token } : {}),
      ...more,
    };

    const startWorker = (name = 'worker') =>
      processes.start(name, {
        command: process.execPath,
        args: [join(root, 'api/src/worker.ts')],
        env: environment,
      });

    const startApi = () => startApiProcess(processes, environment);

    let worker = startWorker();
    const api = await startApi();

    return {
      folder,
      signal,
      redisUrl,
      timeZone: environment.TZ,
      processes,
      api,
      get worker() {
        return worker;
      },
      /** Replaces the worker with one that has empty memory. */
      async replaceWorker(): Promise<void> {
        await processes.stop(worker);
        worker = startWorker();
      },
      startApi,
      stop: processes.stop,

      /** Sets the time of the language model's answers. */
      async setEngineTime(engineMs: number): Promise<void> {
        stub.send({ engineMs });
        await once(stub, 'message', { signal });
      },

      /** Makes its answers long: each token carries the time of writing, or they tell a story. */
      async setEngineStream(answer: EngineStream): Promise<void> {
        stub.send({ stream: answer });
        await once(stub, 'message', { signal });
      },

      /** The chat completions of the engine and of Hearth: the same request, the same format. */
      chatUrls: { engine: `${llmUrl}/v1/chat/completions`, hearth: `${api.url}/v1/chat/completions` },

      /**
       * The question sent directly to the language model: the same bytes as the worker sends, streamed, read
       * to the end.
       */
      async askEngine(): Promise<void> {
        const newest = `(It is Monday 1 January 2029, 12:00.) ${question}`;
        const messages = promptOf({ head: promptHead(prompt), exchanges: [], newest });
        const body = { model: 'local', messages, stream: true, stream_options: { include_usage: true } };
        const text = await post(`${llmUrl}/v1/chat/completions`, body, { agent, signal });
        if (!text.endsWith('data: [DONE]\n\n')) throw new Error('the stub cut its answer off');
      },

      /** The same question through Hearth. */
      async ask(client: string): Promise<void> {
        const text = await post(`${api.url}/ask`, { text: question, client }, { agent, signal });
        if (!text.includes('Paris')) throw new Error(`unexpected answer: ${text}`);
      },

      /** From a recording to the spoken answer; returns the words and the time of each part in ms. */
      async voice(recording: Buffer, client: string): Promise<{ reply: string; parts: Map<string, number> }> {
        const { statusCode, headers, body } = await request(`${api.url}/voice?client=${client}`, {
          dispatcher: agent,
          method: 'POST',
          headers: { 'content-type': 'audio/wav' },
          body: recording,
          signal,
        });
        const text = await body.text();
        const { reply, audio } = spokenSchema.parse(statusCode === 200 ? JSON.parse(text) : { error: text });
        if (audio === null) throw new Error('no voice could speak');
        return { reply, parts: partsOf(String(headers['server-timing'])) };
      },

      async end(): Promise<void> {
        process.off('exit', killAll);
        await agent.close();
        await processes.stopAll();
      },
    };
  } catch (error) {
    await processes.stopAll();
    throw error;
  }
}

/**
 * Starts an api. Returns the time until its first answer, and until it reported that everything is ready.
 */
async function startApiProcess(processes: Processes, environment: NodeJS.ProcessEnv) {
  const port = await freePort();
  const begunAt = performance.now();
  const child = processes.start('api', {
    command: process.execPath,
    args: [join(root, 'api/src/server.ts')],
    env: { ...environment, PORT: String(port) },
  });
  const url = `http://127.0.0.1:${port}`;
  const look = { what: 'the api', child, withinMs: 90_000 };
  await processes.until(async () => (await healthOf(url)) !== undefined, look);
  const answersMs = performance.now() - begunAt;
  await processes.until(async () => (await healthOf(url)) === 'ready', look);
  return { child, url, answersMs, readyMs: performance.now() - begunAt };
}

/** A Redis with the settings of the product's own. */
async function startRedis(processes: Processes, folder: string): Promise<string> {
  const command = (await outputOf('redis-server', '--version')) ? 'redis-server' : 'valkey-server';
  const port = await freePort();
  const kept = join(folder, 'redis');
  mkdirSync(kept);
  const args = `--bind 127.0.0.1 --port ${port} --appendonly yes --appendfsync everysec --maxmemory-policy noeviction --hz 100`;
  const child = processes.start('redis', {
    command,
    args: [...args.split(' '), '--save', '', '--dir', kept],
  });
  child.once('error', () => undefined); // A missing program shows as an end below.
  const answers = async () => (await outputOf('redis-cli', '-p', String(port), 'ping')) === 'PONG';
  await processes.until(answers, { what: 'Redis', child, withinMs: 10_000 });
  return `redis://127.0.0.1:${port}`;
}

async function post(
  url: string,
  body: object,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const { statusCode, body: answer } = await request(url, {
    dispatcher: agent,
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 500)}`);
  return text;
}

const spokenSchema = z.object({ reply: z.string(), audio: z.string().nullable() });

/** Server-Timing as numbers. */
function partsOf(header: string): Map<string, number> {
  const parts = header.matchAll(/([\w-]+);dur=([\d.]+)/g);
  return new Map([...parts].map(([, name = '', ms]) => [name, Number(ms)]));
}

async function healthOf(url: string): Promise<string | undefined> {
  try {
    const { body } = await request(`${url}/health`, { signal: AbortSignal.timeout(1_000) });
    const health: unknown = await body.json();
    return typeof health === 'object' && health !== null && 'status' in health
      ? String(health.status)
      : undefined;
  } catch {
    return undefined; // No listener yet.
  }
}

function portOf([message]: unknown[]): number {
  if (typeof message === 'object' && message !== null && 'port' in message) return Number(message.port);
  throw new Error('the stub sent no port');
}
