import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { type EngineStream, startHousehold } from './household.ts';
import type { Part } from './part.ts';
import { createProcesses, freePort } from './processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const token = 'the-owner-of-this-bench-knows-it';
/** Slots that each language model claims. */
export const slotsEach = 2;

const serverSchema = z.object({
  replicas: z.array(
    z.object({ machine: z.string().nullable(), state: z.string(), pace_ms: z.number().nullable() }),
  ),
});
const turnSchema = z.object({ ran_on: z.array(z.object({ machine: z.string().nullable() })) });

interface AskedTurn {
  id: string;
  tookMs: number;
}

export type LendingHouse = Awaited<ReturnType<typeof startLendingHouse>>;

/** A household and a strong machine that has not joined yet. Both models are stubs of known speed. */
export async function startLendingHouse({ folder: around, signal }: Parameters<Part['run']>[0]) {
  const folder = join(around, 'lending');
  const machineFolder = join(folder, 'machine');
  mkdirSync(machineFolder, { recursive: true });
  const processes = createProcesses({ folder: machineFolder, signal });
  const agent = new Agent({ connections: 32 });
  const socket = join(machineFolder, 'llm');
  const stub = (name: string, at: string) =>
    processes.fork(name, join(import.meta.dirname, 'stub-llm.ts'), [at, String(slotsEach)]);
  const [small, strong] = [stub('small', '0'), stub('strong', socket)];
  const [smallAt] = await Promise.all([
    once(small, 'message', { signal }),
    once(strong, 'message', { signal }),
  ]);
  const { port: smallPort } = z.object({ port: z.number() }).parse(smallAt[0]);
  const httpsPort = await freePort();
  const lentFolder = join(folder, 'lent');
  mkdirSync(lentFolder);
  const house = await startHousehold({
    ...{ folder, signal, llmUrl: `http://127.0.0.1:${smallPort}` },
    more: {
      ...{ LENT_DIR: lentFolder, DATA_DIR: folder, HTTPS: '1', HTTPS_PORT: String(httpsPort) },
      ...{ SERVICE_TOKEN: token, HOST: '0.0.0.0', MACHINE_NAMES: '127.0.0.1,house.local' },
    },
  });

  const get = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await request(`${house.api.url}${path}`, { dispatcher: agent, headers, signal })).body.json();
  };
  const cli = (program: string, env: Record<string, string>) =>
    run(process.execPath, [join(root, `api/src/cli/${program}.ts`)], {
      env: { PATH: process.env['PATH'], ...env },
    });
  const file = join(machineFolder, 'household.json');
  const set = async (child: ChildProcess, stream: EngineStream): Promise<void> => {
    child.send({ stream });
    await once(child, 'message', { signal });
  };

  return {
    setSmall: (stream: EngineStream) => set(small, stream),
    setStrong: (stream: EngineStream) => set(strong, stream),

    async join(): Promise<void> {
      const { stdout } = await cli('phone', {
        ...{ SCOPE: 'lend', PHONE_NAME: 'desktop', ADDRESS: '127.0.0.1' },
        ...{ PORT: new URL(house.api.url).port, SERVICE_TOKEN: token },
      });
      const code = /make join CODE=(\S+)/.exec(stdout)?.[1] ?? '';
      await cli('join', { CODE: code, HOUSEHOLD_FILE: file });
    },
    /** Starts the program that lends the model of the strong machine. */
    lend: (): ChildProcess =>
      processes.start('lend', {
        command: process.execPath,
        args: [join(root, 'api/src/cli/lend.ts')],
        env: { HOUSEHOLD_FILE: file, LLM_SOCKET: socket },
      }),
    /** Waits until both models are ready and measured. */
    untilBoth: (lender: ChildProcess) =>
      processes.until(
        async () => {
          const { replicas } = serverSchema.parse(await get('/admin/servers/llm'));
          return (
            replicas.length === 2 && replicas.every((each) => each.state === 'ready' && each.pace_ms !== null)
          );
        },
        { what: 'the strong machine', child: lender, withinMs: 60_000 },
      ),
    /** Asks through Hearth. */
    async ask(client: string): Promise<AskedTurn> {
      const begunAt = performance.now();
      const { statusCode, headers, body } = await request(`${house.api.url}/ask`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ text: 'Why is the sky blue?', client }),
        signal,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`the household answered ${statusCode}: ${text}`);
      return { id: String(headers['x-request-id']), tookMs: performance.now() - begunAt };
    },
    /** The machine whose model answered a turn. Null: the small one. */
    async machineOf({ id }: AskedTurn): Promise<string | null> {
      for (;;) {
        const { data } = turnSchema.safeParse(await get(`/admin/turns/${id}`));
        if (data) return data.ran_on[0]?.machine ?? null;
        await delay(5, undefined, { signal });
      }
    },
    /** The same request to the strong model, at its own socket or at the one that the api has opened. */
    callers() {
      const lent = readdirSync(lentFolder).find((name) => name.endsWith('-llm')) ?? '';
      return [socket, join(lentFolder, lent)].map((socketPath) => {
        const dispatcher = new Agent({ connect: { socketPath } });
        return async (): Promise<void> => {
          const { body } = await request('http://llm.localhost/v1/chat/completions', {
            ...{ dispatcher, method: 'POST', signal },
            body: JSON.stringify({ messages: [{ role: 'user', content: 'Why is the sky blue?' }] }),
          });
          if (!(await body.text()).endsWith('data: [DONE]\n\n')) throw new Error('the answer was cut off');
        };
      });
    },
    async end(): Promise<void> {
      await agent.destroy();
      await house.end();
      await processes.stopAll();
    },
  };
}
