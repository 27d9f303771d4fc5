import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { createProcesses, freePort, pidsBelow } from '../processes.ts';
import { type Line, openLine, startChaosEngines } from './engines.ts';
import type { ChaosHouse } from './house.ts';
import { call } from './outcomes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const name = 'desktop';
/** Every answer of its language model contains this. */
const speaker = 'the strong one';
/** A wireless network with a bad spot: 20 ms in each direction, and one chunk in a hundred sent again. */
const usualLine: Line = { delayMs: 20, cut: 0, lost: 0.01 };
const joinMs = 180_000;

const lentSpeeds = { name: speaker, firstMs: 100, tokensPerSecond: 120, hearMs: 80 };
export const isFromLender = (reply: string): boolean => reply.includes(speaker);

const serverSchema = z.object({
  replicas: z.array(z.object({ state: z.string(), pace_ms: z.number().nullable() })),
});

export type Lender = Awaited<ReturnType<typeof startLender>>;

interface LenderOptions {
  house: ChaosHouse;
  /** The port at which the house serves https. */
  httpsPort: number;
  folder: string;
  signal: AbortSignal;
}

/**
 * A second machine by `make join`, in a separate data folder, that lends a fast language model and speech
 * recognition. It reaches the house over a slow line that loses chunks.
 */
export async function startLender({ house, httpsPort, folder: around, signal }: LenderOptions) {
  const folder = join(around, 'lender');
  mkdirSync(folder);
  const processes = createProcesses({ folder, signal });
  process.once('exit', processes.killAll);
  const engines = await startChaosEngines({ processes, signal, speeds: lentSpeeds });
  let quality = usualLine;
  let line: Awaited<ReturnType<typeof openLine>> | undefined;
  let child: ChildProcess | undefined;

  const make = (command: string, more: Record<string, string>) => ({
    command: 'make',
    args: ['-s', '-C', root, command],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', YES: '1', ...more },
  });
  /** The code of `make invite`, for the address of the line. */
  const invite = async (): Promise<string> => {
    const settings = { PORT: String(house.port), DATA_DIR: join(house.folder, 'data') };
    const { command, args, env } = make('invite', settings);
    const { stdout } = await run(command, [...args, `NAME=${name}`], { env, signal });
    const [, host = '', rest = ''] = /CODE=(\S+):\d+(\/\S+)/.exec(stdout) ?? [];
    if (rest === '') throw new Error(`make invite showed no code: ${stdout}`);
    line ??= await openLine({ host, port: httpsPort }, () => quality);
    return `127.0.0.1:${line.port}${rest}`;
  };
  const startJoin = async (code?: string): Promise<void> => {
    const { LLM_URL, STT_URL } = engines.environment;
    const settings = { LLM_URL, STT_URL, DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) };
    const { command, args, env } = make('join', settings);
    child = processes.start('make-join', {
      ...{ command, env },
      args: code ? [...args, `CODE=${code}`] : args,
    });
  };
  const pids = async (): Promise<number[]> => (child ? [child.pid ?? 0, ...(await pidsBelow(child))] : []);
  const tellAll = (all: readonly number[], what: NodeJS.Signals): void => {
    for (const pid of all) signalIfThere(pid, what);
  };
  /** Ends `make join`, which forwards no signal. */
  const stopJoin = async (what: NodeJS.Signals): Promise<void> => {
    const last = child;
    tellAll((await pids()).toReversed(), what);
    if (last?.exitCode === null && last.signalCode === null) await once(last, 'exit', { signal });
  };
  const isPreferred = async (engine: string): Promise<boolean> => {
    const { kind, reply } = await call(house.url, { what: 'servers', path: `/admin/servers/${engine}` });
    if (kind !== 'answered') return false;
    const { replicas } = serverSchema.parse(JSON.parse(reply));
    return replicas.length === 2 && replicas.every((each) => each.state === 'ready' && each.pace_ms !== null);
  };

  return {
    untilBegun: engines.untilBegun,
    join: async () => await startJoin(await invite()),
    joinAgain: () => startJoin(),
    /** Waits until the house prefers its engines. Returns how long that took, in ms. */
    async untilPreferred(): Promise<number> {
      const begunAt = performance.now();
      while (!((await isPreferred('llm')) && (await isPreferred('stt')))) {
        if (performance.now() - begunAt > joinMs) throw new Error('the second machine did not come back');
        await delay(50, undefined, { signal });
      }
      return performance.now() - begunAt;
    },
    /** As without power: none of its programs can say anything. Its engines start again by themselves. */
    async kill(): Promise<void> {
      tellAll(engines.pids(), 'SIGKILL');
      await stopJoin('SIGKILL');
    },
    async sleep(): Promise<() => void> {
      const all = [...(await pids()), ...engines.pids()];
      tellAll(all, 'SIGSTOP');
      return () => tellAll(all, 'SIGCONT');
    },
    /** Changes the line to the house. Without a quality it is as usual, over new connections. */
    setLine(changed?: Partial<Line>): void {
      quality = { ...usualLine, ...changed };
      if (changed === undefined || quality.isGone) line?.breakAll();
    },
    /** Removes its access key, as the page of the house does. */
    async revoke(): Promise<void> {
      await call(house.url, { what: 'revoke', path: `/admin/tokens/${name}`, method: 'DELETE' });
    },
    /** Joins with a new code, as after its removal. */
    async joinAnew(): Promise<void> {
      await stopJoin('SIGTERM');
      await startJoin(await invite());
    },
    async end(): Promise<void> {
      process.off('exit', processes.killAll);
      engines.end();
      line?.close();
      // make forwards no signal.
      tellAll((await pids()).toReversed(), 'SIGTERM');
      await processes.stopAll();
    },
  };
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, name);
  } catch {
    return; // It has just ended.
  }
}
