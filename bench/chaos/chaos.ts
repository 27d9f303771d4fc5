import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { table } from '../measure.ts';
import { type Fault, faults, smallDisk } from './faults.ts';
import type { ChaosHouse } from './house.ts';
import { type Load, startLoad, stopRings } from './load.ts';
import { conclude, runBounded, say } from './report.ts';

/** Every fault gets this long before the next, and twice as long to be over. */
const gapMs = 12_000;
const backMs = 60_000;
/** The first good answer must come this soon after a fault is over. */
const goodBackMs = 15_000;
const diskMb = 256;
/** More than all faults together need; whatever still runs by then is ended. */
const mostMs = 30 * 60_000;

interface Trial {
  fault: string;
  backMs: number | null;
  failed: number;
}

process.exitCode = await runBounded('chaos', mostMs, async ({ folder, signal, startHouse, afterwards }) => {
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
  if (possible.length < chosen.length)
    say('Left out: disk full, because a file system of its own needs the rights of root.');
  if (undo) afterwards(undo);
  const house = await startHouse();
  const rooms = ['kitchen', 'bath', 'hall', 'study'];
  const load = startLoad(house, { callers: 6, rooms, isMixed: false, signal });
  await delay(8_000, undefined, { signal });
  const trials: Trial[] = [];
  for (const fault of possible) trials.push(await tryFault(house, load, fault, signal));
  await stopRings(house);
  await load.stop();
  say(`\n${trialsTable(trials)}`);
  const slow = trials.filter(({ backMs: took }) => took === null || took > goodBackMs).length;
  return await conclude(house, load, [
    { what: `faults after which it took over ${goodBackMs / 1_000} s`, found: slow, most: 0 },
  ]);
});

/** Lets a timer come due in the middle of every fault. */
async function tryFault(house: ChaosHouse, load: Load, fault: Fault, signal: AbortSignal): Promise<Trial> {
  const before = load.outcomes.length;
  await load.setTimer(10);
  await fault.happen(house);
  const took = await load.untilAnswered(backMs);
  await delay(gapMs, undefined, { signal });
  const failed = load.outcomes.slice(before).filter(({ kind }) => kind !== 'answered').length;
  say(
    `${fault.name}: ${took === null ? 'not back' : `back after ${Math.round(took)} ms`}, ${failed} calls failed`,
  );
  await stopRings(house);
  return { fault: fault.name, backMs: took, failed };
}

function trialsTable(trials: readonly Trial[]): string {
  const rows = trials.map(({ fault, backMs: took, failed }) => [
    fault,
    took === null ? 'never' : `${(took / 1_000).toFixed(1)} s`,
    String(failed),
  ]);
  return table([['fault', 'first answer after it', 'failed calls'], ...rows]);
}
