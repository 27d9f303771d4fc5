import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { table } from '../measure.ts';
import { type Fault, faults, smallDisk } from './faults.ts';
import type { ChaosHouse } from './house.ts';
import { type Load, startLoad, stopRings } from './load.ts';
import { conclude, runBounded, say } from './report.ts';

/** Every fault gets this long before the next, and twice as long to end. */
const gapMs = 12_000;
const backMs = 60_000;
/** The first good answer must come this soon after a fault has ended. */
const goodBackMs = 15_000;
const diskMb = 256;
/** More than all faults together need; after this the trial is stopped. */
const maxMs = 30 * 60_000;

interface Trial {
  fault: Fault;
  backMs: number | null;
  failed: number;
  /** When the fault ended. */
  overAt: number;
  /** Programs that ended and were restarted. */
  ended: number;
}

process.exitCode = await runBounded('chaos', maxMs, async ({ folder, signal, startHouse, afterwards }) => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !faults.some((fault) => fault.name.includes(name)));
  if (unknown !== undefined) {
    say(`There is no fault "${unknown}". There are: ${faults.map(({ name }) => name).join(', ')}.`);
    return 2;
  }
  const chosen = faults.filter(
    ({ name }) => wanted.length === 0 || wanted.some((each) => name.includes(each)),
  );
  const data = join(folder, 'data');
  mkdirSync(data);
  const undo = chosen.some(({ name }) => name === 'disk full') ? smallDisk(data, diskMb) : null;
  const possible = chosen.filter(({ name }) => name !== 'disk full' || undo !== null);
  if (possible.length < chosen.length) say('Skipped: disk full, because a separate file system needs root.');
  if (undo) afterwards(undo);
  const house = await startHouse();
  const rooms = ['kitchen', 'bath', 'hall', 'study'];
  const load = startLoad(house, { callers: 6, rooms, isMixed: false, signal });
  await delay(8_000, undefined, { signal });
  const trials: Trial[] = [];
  for (const fault of possible) trials.push(await tryFault(house, load, fault, signal));
  await stopRings(house);
  await load.stop();
  say(`\n${trialsTable(load, trials)}`);
  const slow = trials.filter(({ backMs: took }) => took === null || took > goodBackMs).length;
  return await conclude(house, load, [
    {
      what: 'callers that waited too long for a dead worker',
      found: trials.filter((trial) => waitedTooLong(load, trial)).length,
      max: 0,
    },
    {
      what: 'programs ended although they only slept',
      found: endedIn(trials.filter(({ fault }) => fault.endsNothing)),
      max: 0,
    },
    { what: `faults with a recovery of over ${goodBackMs / 1_000} s`, found: slow, max: 0 },
  ]);
});

function endedIn(trials: readonly Trial[]): number {
  return trials.reduce((sum, { ended }) => sum + ended, 0);
}

/** The longest wait after the end of the fault, among the calls that were waiting then. */
function longestWait({ outcomes }: Load, { overAt }: Trial): number {
  return Math.max(0, ...outcomes.map(({ atMs, tookMs }) => (atMs < overAt ? atMs + tookMs - overAt : 0)));
}

function waitedTooLong(load: Load, trial: Trial): boolean {
  const { fault, backMs: took } = trial;
  return fault.maxWaitMs !== undefined && longestWait(load, trial) > Math.max(fault.maxWaitMs, took ?? 0);
}

/** Lets a timer come due in the middle of every fault. */
async function tryFault(house: ChaosHouse, load: Load, fault: Fault, signal: AbortSignal): Promise<Trial> {
  const before = load.outcomes.length;
  await load.setTimer(10);
  const pids = await house.lasting();
  await fault.happen(house);
  const overAt = performance.now();
  const took = await load.untilAnswered(backMs);
  await delay(gapMs, undefined, { signal });
  const outcomes = load.outcomes.slice(before);
  const failed = outcomes.filter(({ kind }) => kind !== 'answered').length;
  const still = new Set(await house.lasting());
  say(
    `${fault.name}: ${took === null ? 'not back' : `back after ${Math.round(took)} ms`}, ${failed} calls failed`,
  );
  await stopRings(house);
  const ended = pids.filter((pid) => !still.has(pid)).length;
  return { fault, backMs: took, failed, overAt, ended };
}

function trialsTable(load: Load, trials: readonly Trial[]): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const rows = trials.map((trial) => [
    trial.fault.name,
    trial.backMs === null ? 'never' : seconds(trial.backMs),
    seconds(longestWait(load, trial)),
    String(trial.failed),
    String(trial.ended),
  ]);
  return table([
    ['fault', 'first answer after the fault', 'longest wait', 'failed calls', 'programs ended'],
    ...rows,
  ]);
}
