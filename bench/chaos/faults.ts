import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineName } from './engines.ts';
import { type ChaosHouse, type ProgramName, programs } from './house.ts';

/** A fault, and how it ends. */
export interface Fault {
  name: string;
  /** The fault must not end or restart any program. */
  endsNothing?: boolean;
  /**
   * Maximum wait of the calls that were waiting when the fault ended. Without it, the limit is the time of
   * the first answer.
   */
  maxWaitMs?: number;
  /** Starts the fault; resolves when it is over, which for a kill is at once. */
  happen(house: ChaosHouse): Promise<void>;
}

const hangMs = 20_000;
const fullMs = 15_000;
const badLineMs = 20_000;
/** Longer than a request may wait before it starts. */
const sleepMs = 40_000;
const workerDeathMs = 2_000;

const engines: readonly EngineName[] = ['llm', 'stt', 'tts'];

const pidOf = async (house: ChaosHouse, name: ProgramName | EngineName): Promise<number> =>
  isEngine(name) ? house.engines.pidOf(name) : await house.pidOf(name);
const isEngine = (name: string): name is EngineName => engines.some((engine) => engine === name);

function signal(pid: number, name: NodeJS.Signals): void {
  // 0 would mean this process and all of its children.
  if (!(pid > 0)) throw new Error('it is not running');
  process.kill(pid, name);
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    signal(pid, name);
  } catch {
    return;
  }
}

const kill = (name: ProgramName | EngineName): Fault => ({
  name: `kill ${name}`,
  ...(name === 'worker' && { maxWaitMs: workerDeathMs }),
  happen: async (house) => signal(await pidOf(house, name), 'SIGKILL'),
});

const hang = (name: ProgramName | EngineName): Fault => ({
  name: `hang ${name}`,
  async happen(house) {
    const pid = await pidOf(house, name);
    signal(pid, 'SIGSTOP');
    await delay(hangMs);
    // The supervisor may have restarted it meanwhile, as it should restart a hanging program.
    signalIfThere(pid, 'SIGCONT');
  },
});

/** As when a lid is closed: everything stops, including the supervisor. */
const sleep: Fault = {
  name: 'sleep',
  endsNothing: true,
  async happen(house) {
    const pids = await house.pids();
    for (const pid of pids) signalIfThere(pid, 'SIGSTOP');
    await delay(sleepMs);
    for (const pid of pids) signalIfThere(pid, 'SIGCONT');
  },
};

const fullMemory: Fault = {
  name: 'redis full',
  async happen(house) {
    await house.redis('CONFIG', 'SET', 'maxmemory', '1');
    await delay(fullMs);
    await house.redis('CONFIG', 'SET', 'maxmemory', '0');
  },
};

/** Fills the file system of the data folder, which must be small and separate. */
const fullDisk: Fault = {
  name: 'disk full',
  async happen(house) {
    const ballast = join(house.folder, 'data', 'ballast');
    const { bavail, bsize } = await statfs(join(house.folder, 'data'));
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 8_192)));
    await delay(fullMs);
    rmSync(ballast);
  },
};

const badLine: Fault = {
  name: 'bad network',
  async happen({ engines: { setLine } }) {
    setLine({ delayMs: 150, cut: 0.2 });
    await delay(badLineMs);
    setLine();
  },
};

const stepClock = (words: string, stepMs: number): Fault => ({
  name: `clock ${words}`,
  async happen({ clockFile }) {
    writeFileSync(clockFile, String(stepMs));
    await delay(hangMs);
    writeFileSync(clockFile, '0');
  },
});

const hourMs = 3_600_000;

/** All faults, in the order of the run. */
export const faults: readonly Fault[] = [
  ...programs.map(kill),
  ...engines.map(kill),
  ...programs.map(hang),
  ...engines.map(hang),
  sleep,
  badLine,
  fullMemory,
  fullDisk,
  stepClock('+10 s', 10_000),
  stepClock('-10 s', -10_000),
  stepClock('+1 h', hourMs),
  stepClock('-1 h', -hourMs),
];

/**
 * A separate file system for the data, so that a fault can fill it; needs root. Returns a function that
 * removes it, or null if this machine does not allow it.
 */
export function smallDisk(folder: string, sizeMb: number): (() => void) | null {
  if (process.getuid?.() !== 0) return null;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return null; // A container may not mount anything.
  }
  return () => execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
}
