import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineSpeeds } from './engines.ts';
import { type ChaosHouse, startChaosHouse } from './house.ts';
import { keptMarks, type Load } from './load.ts';
import {
  type Count,
  callsTable,
  countsOf,
  countsTable,
  missedOf,
  reasonsTable,
  roomsLine,
} from './verdict.ts';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Run {
  folder: string;
  signal: AbortSignal;
  startHouse(settings?: Record<string, string>, speeds?: EngineSpeeds): Promise<ChaosHouse>;
  /** Resolves when the household has ended, whatever the trial's result. */
  afterwards(work: () => void): void;
}

/**
 * Runs a trial with a separate household, within a time limit, and ends the household with it. Exit code:
 * that of the trial, or 2 if it could not run. Keeps the folder with its logs if the trial failed.
 */
export async function runBounded(
  name: string,
  maxMs: number,
  trial: (run: Run) => Promise<number>,
): Promise<number> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopped.abort(new Error(`ended by ${signal}`)));
  }
  const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(maxMs)]);
  const folder = mkdtempSync(join(tmpdir(), `hearth-${name}-`));
  let house: ChaosHouse | undefined;
  const last: (() => void)[] = [];
  let code = 2;
  try {
    code = await trial({
      folder,
      signal,
      startHouse: async (settings = {}, speeds) => {
        house = await startChaosHouse({ folder, signal, settings, ...(speeds && { speeds }) });
        return house;
      },
      afterwards: (work) => last.push(work),
    });
  } catch (error) {
    process.stderr.write(
      `The trial could not run: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  } finally {
    await house?.end();
    for (const work of last) work();
  }
  if (code === 0) rmSync(folder, { recursive: true, force: true });
  else say(`The logs are in ${folder}.`);
  return code;
}

/** Prints every count and returns the exit code: 0 if all are within their limits, otherwise 1. */
export async function conclude(house: ChaosHouse, load: Load, more: readonly Count[]): Promise<number> {
  const counts = [...countsOf(load, await keptMarks(house, load)), ...more];
  say(`\n${callsTable(load)}\n\n${reasonsTable(load)}\n\n${roomsLine(load)}\n\n${countsTable(counts)}`);
  const missed = missedOf(counts);
  for (const sentence of missed) say(`Missed: ${sentence}`);
  return missed.length === 0 ? 0 : 1;
}
