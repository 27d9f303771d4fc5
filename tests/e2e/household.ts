import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { vi } from 'vitest';
import { z } from 'zod';
import type { Outgoing } from '../support/servers/way-out.ts';

/** Programs that can be stopped or killed under a running assistant. */
export type Program = 'llm' | 'redis' | 'worker';
export type Engine = 'llm' | 'stt' | 'tts';

/** A whole assistant as a person runs it, in containers or not, with a separate folder, port and data. */
export interface Household {
  readonly name: string;
  readonly port: number;
  /** The folder that stands for the person's checkout. */
  readonly folder: string;
  /** Runs the first command of a new user; resolves with its output once the assistant answers. */
  start(settings?: Settings): Promise<string>;
  stop(): Promise<void>;
  /** A command of the Makefile while everything runs; resolves with its output, rejects if it failed. */
  make(target: string): Promise<string>;
  /** `make models` with these settings, while everything runs. */
  changeModels(settings: Settings): Promise<void>;
  /** Freezes a program without ending it, so that other steps happen during a request. */
  freeze(program: Program | Engine): Promise<void>;
  thaw(program: Program | Engine): Promise<void>;
  kill(program: Program | Engine): Promise<void>;
  /** Restarts the killed program; does nothing if it restarts automatically. */
  bringBack(program: Program | Engine): Promise<void>;
  /** Ends the api properly and restarts it, as an update does. */
  restartApi(): Promise<void>;
  redis(...command: string[]): Promise<string>;
  /** A prefix for commands: `outgoing` then includes the addresses that they try to reach. */
  readonly watched: readonly string[];
  /** Every address outside the household that it has tried to reach since its first start. */
  outgoing(): Promise<Outgoing[]>;
  remove(): Promise<void>;
}

export type Settings = Record<string, string>;

export const root = resolve(import.meta.dirname, '../..');

/** Not inherited from the environment of the test run, because these decide the subject of the tests. */
const ownSettings = [
  ...[
    'HOST',
    'PORT',
    'SERVICE_TOKEN',
    'REDIS_URL',
    'LLM_URL',
    'STT_URL',
    'TTS_URL',
    'LISTEN_ADDRESS',
    'TRUSTED_HOSTS',
    'TRUSTED_PROXIES',
    'WYOMING',
    'HTTPS',
    'HTTPS_PORT',
    'MACHINE_NAMES',
    'MDNS',
    'PHONE',
    'HOME_ASSISTANT_URL',
    'HOME_ASSISTANT_TOKEN',
  ],
  ...[
    'MODELS',
    'LLM_MODEL',
    'STT_MODEL',
    'TTS_VOICE',
    'LLM_API_KEY',
    'DATA_DIR',
    'GPU',
    'LOG_LEVEL',
    'TMPDIR',
    'TZ',
  ],
  // With any of these set, a library could be silent here and not in a home.
  ...[
    'CI',
    'DO_NOT_TRACK',
    'HF_HUB_DISABLE_TELEMETRY',
    'HF_HUB_OFFLINE',
    'NO_UPDATE_NOTIFIER',
    'ORT_DISABLE_TELEMETRY',
    'ORT_RUNNING_UNIT_TESTS',
  ],
  ...[
    'COMPOSE_PROJECT_NAME',
    'COMPOSE_FILE',
    'NODE_ENV',
    'NODE_COMPILE_CACHE',
    'VITEST',
    'FORCE',
    'MAKEFLAGS',
    'MAKELEVEL',
  ],
];

/** A checkout of the current files, without the generated or personal files of this one. */
export async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-e2e-'));
  const left = new Set([
    '.git',
    '.venv',
    '.env',
    'secrets.env',
    'node_modules',
    'data',
    'dist',
    '.test-reports',
    '__pycache__',
  ]);
  await cp(root, folder, {
    recursive: true,
    filter: (source) => !left.has(basename(source)) && !source.endsWith('.gguf'),
  });
  return folder;
}

function environment(settings: Settings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !ownSettings.includes(name));
  return { ...Object.fromEntries(inherited), ...settings };
}

/** Runs a command to its end; rejects with its output if it fails or takes longer than limitMs. */
export function run(
  command: readonly string[],
  { folder, settings, limitMs = 300_000 }: { folder: string; settings: Settings; limitMs?: number },
): Promise<string> {
  const [program = '', ...args] = command;
  const options = { cwd: folder, env: environment(settings), timeout: limitMs, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((done, fail) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error) fail(new Error(`${command.join(' ')} failed: ${error.message}\n${stdout}${stderr}`));
      else done(stdout);
    });
  });
}

/** A model whose answers are known word for word, if it lies beside the repository; otherwise undefined. */
export const householdModel = 'household-tiny.gguf';
const householdModelPath = resolve(root, '../shared/models', householdModel);
export const hasHouseholdModel = await readFile(householdModelPath).then(
  () => true,
  () => false,
);

/** Puts it where people put their own model files. */
export async function placeHouseholdModel({ folder }: Household): Promise<void> {
  await cp(householdModelPath, join(folder, 'models', householdModel));
}

/**
 * The size that selects the models of size tiny: without the hub, the default falls back to them
 * automatically.
 */
export async function sizeForTiny(): Promise<Settings> {
  const answers = await fetch('https://huggingface.co', {
    method: 'HEAD',
    signal: AbortSignal.timeout(5_000),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
  return answers ? { MODELS: 'tiny' } : {};
}

export const hasDocker = await run(['docker', 'info'], { folder: root, settings: {}, limitMs: 20_000 }).then(
  () => true,
  () => false,
);

const replySchema = z.strictObject({ reply: z.string(), via: z.string() });
const errorSchema = z.object({ error: z.object({ message: z.string(), code: z.string() }) });
const healthSchema = z.looseObject({
  status: z.string(),
  note: z.string().nullable(),
  workers: z.number(),
  configured: z.looseObject({ models: z.string().nullable(), time_zone: z.string() }),
  engines: z.record(
    z.string(),
    z.looseObject({ state: z.string(), reason: z.string().nullable().optional() }),
  ),
});

export interface Answer {
  status: number;
  body: unknown;
  tookMs: number;
}

interface Call {
  path?: string;
  /** POST with a body, otherwise GET. */
  method?: string;
  body?: unknown;
  /** A recording, sent instead of JSON. */
  recording?: Buffer;
  headers?: Record<string, string>;
  limitMs?: number;
}

/** One HTTP request on a separate connection; node:http, because it sends any Host and Origin. */
export function call(
  { port }: Pick<Household, 'port'>,
  { path = '/ask', method, body, recording, headers = {}, limitMs = 90_000 }: Call,
): Promise<Answer> {
  const begun = performance.now();
  const sound = recording && { 'content-type': 'application/octet-stream' };
  const content = recording ?? (body === undefined ? undefined : JSON.stringify(body));
  const typed =
    content === undefined ? headers : { 'content-type': 'application/json', ...sound, ...headers };
  return new Promise((done, fail) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: typed,
    };
    const sent = request({ ...options, signal: AbortSignal.timeout(limitMs) }, async (response) => {
      try {
        response.setEncoding('utf8');
        let answered = '';
        for await (const part of response) answered += part;
        done({
          status: response.statusCode ?? 0,
          body: JSON.parse(answered),
          tookMs: performance.now() - begun,
        });
      } catch (error) {
        fail(error);
      }
    });
    sent.on('error', fail);
    sent.end(content);
  });
}

/** Asks and expects an answer. */
export async function ask(
  household: Household,
  text: string,
  client?: string,
): Promise<z.infer<typeof replySchema>> {
  const answer = await call(household, { body: client === undefined ? { text } : { text, client } });
  if (answer.status !== 200)
    throw new Error(`"${text}" was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return replySchema.parse(answer.body);
}

export function errorOf(answer: Answer): { code: string; message: string } {
  return errorSchema.parse(answer.body).error;
}

const timerIdsSchema = z.object({ timers: z.array(z.object({ id: z.string() })) });

/** Deletes the timers, so that none rings or appears in a test that did not set it. */
export async function cancelTimers(household: Household): Promise<void> {
  const { timers } = timerIdsSchema.parse((await call(household, { path: '/admin/timers' })).body);
  for (const { id } of timers) {
    await fetch(`http://127.0.0.1:${household.port}/admin/timers/${id}`, { method: 'DELETE' });
  }
}

export async function health(household: Household): Promise<z.infer<typeof healthSchema>> {
  return healthSchema.parse((await call(household, { path: '/health', limitMs: 5_000 })).body);
}

/** Waits until every enabled engine works. A start takes seconds, on a busy machine minutes. */
export function untilReady(household: Household, limitMs = 300_000): Promise<void> {
  return vi.waitFor(
    async () => {
      const state = await health(household);
      if (state.status !== 'ready')
        throw new Error(`${household.name} is not ready: ${JSON.stringify(state)}`);
    },
    { timeout: limitMs, interval: 200 },
  );
}

/** Starts a command that keeps running, in a separate process group, as a terminal would. */
export function spawnGroup(
  command: readonly string[],
  { folder, settings }: { folder: string; settings: Settings },
) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: environment(settings),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Without an id the signal would interrupt the tests themselves.
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started`);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  return {
    pid,
    said: () => said,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Like Ctrl-C: the whole group gets it. */
    interrupt: () => process.kill(-pid, 'SIGINT'),
  };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
