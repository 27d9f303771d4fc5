import { setTimeout as delay } from 'node:timers/promises';
import { startLoad, stopRings } from './load.ts';
import { conclude, runBounded, say } from './report.ts';
import { growthCounts, growthOf, growthTable, type Sample, takeSamples } from './samples.ts';

/** `MINUTES=180 make soak` takes three hours; the maximum is one day. */
const minutes = Math.min(24 * 60, Number(process.env['MINUTES'] ?? 20));
/** A shorter run ends before memory has settled. */
const warmMinutes = 10;
const tellEveryS = 60;

let toldS = -tellEveryS;

function tell({ atS, of, redisMb, keys }: Sample): void {
  if (atS - toldS < tellEveryS) return;
  toldS = atS;
  const memory = [...of].map(([program, { memoryMb }]) => `${program} ${Math.round(memoryMb)} MB`).join(', ');
  say(
    `${Math.round(atS / 60)} of ${minutes} min: ${memory}, Redis holds ${redisMb.toFixed(1)} MB in ${keys} keys`,
  );
}

process.exitCode = await runBounded('soak', (minutes + 10) * 60_000, async ({ signal, startHouse }) => {
  if (!(minutes > 0)) {
    say('MINUTES must be a number above 0.');
    return 2;
  }
  const house = await startHouse();
  const load = startLoad(house, { callers: 2, rooms: ['kitchen', 'bath', 'hall'], isMixed: true, signal });
  const looks = takeSamples(house, tell);
  const stopping = setInterval(() => void stopRings(house), 20_000);
  await delay(minutes * 60_000, undefined, { signal });
  clearInterval(stopping);
  await looks.stop();
  await load.stop();
  const growth = growthOf(looks.samples);
  say(`\n${growthTable(growth)}`);
  return await conclude(house, load, minutes >= warmMinutes ? growthCounts(growth) : []);
});
