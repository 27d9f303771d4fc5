import { setTimeout as delay } from 'node:timers/promises';
import { median, table } from '../measure.ts';
import { freePort } from '../processes.ts';
import { isFromLender, type Lender, startLender } from './lender.ts';
import { type Load, startLoad, stopRings } from './load.ts';
import { conclude, runBounded, say } from './report.ts';

/** How often the second machine dies, if it is back by then. */
const intervalMs = 20_000;
const awayMs = 6_000;
const maxMs = 30 * 60_000;
const minTurns = 1_000;

/** How the machine dies, and how it returns. */
interface Death {
  name: string;
  happen(lender: Lender): Promise<() => Promise<void> | void>;
}

const deaths: readonly Death[] = [
  {
    name: 'killed',
    async happen(lender) {
      await lender.kill();
      return lender.joinAgain;
    },
  },
  { name: 'asleep', happen: (lender) => lender.sleep() },
  { name: 'cut off', happen: (lender) => loseLine(lender, { isGone: true }) },
  { name: 'silent network', happen: (lender) => loseLine(lender, { isSilent: true }) },
  {
    name: 'removed',
    async happen(lender) {
      await lender.revoke();
      return lender.joinAnew;
    },
  },
];

async function loseLine(lender: Lender, how: Parameters<Lender['setLine']>[0]) {
  lender.setLine(how);
  return () => lender.setLine();
}

/** The stage of a turn in which the machine dies. */
interface Stage {
  name: string;
  until(lender: Lender): Promise<unknown>;
}

const stages: readonly Stage[] = [
  { name: 'recognition', until: (lender) => lender.untilBegun('stt') },
  { name: 'before the first word', until: (lender) => lender.untilBegun('llm') },
  // The first word comes after 100 ms, the last one after 300 ms.
  { name: 'in the answer', until: (lender) => lender.untilBegun('llm').then(() => delay(200)) },
];

interface Trial {
  death: string;
  stage: string;
  /** Calls that failed until the next death. */
  failed: number;
  /** The longest call among those that waited when the machine died. */
  longestMs: number;
  /** From its return until it is preferred again. */
  backMs: number;
}

process.exitCode = await runBounded('lending', maxMs, async ({ folder, signal, startHouse }) => {
  const httpsPort = await freePort();
  const house = await startHouse(
    { HTTPS_PORT: String(httpsPort) },
    { firstMs: 300, tokensPerSecond: 60, hearMs: 200 },
  );
  const lender = await startLender({ house, httpsPort, folder, signal });
  try {
    await lender.join();
    await lender.untilPreferred();
    const load = startLoad(house, { callers: 3, rooms: ['kitchen', 'bath', 'hall'], isMixed: false, signal });
    await delay(8_000, undefined, { signal });
    const trials: Trial[] = [];
    do {
      for (const stage of stages) {
        for (const death of deaths) {
          trials.push(await dieOnce(lender, load, { death, stage, signal }));
          await stopRings(house);
        }
      }
    } while (turnsOf(load) < minTurns);
    await load.stop();
    say(`\n${trialsTable(trials)}\n\n${turnsLine(load)}`);
    return await conclude(house, load, countsOfTrial(load));
  } finally {
    await lender.end();
  }
});

/** A timer comes due while the machine is away. */
async function dieOnce(
  lender: Lender,
  load: Load,
  { death, stage, signal }: { death: Death; stage: Stage; signal: AbortSignal },
): Promise<Trial> {
  const before = load.outcomes.length;
  await load.setTimer(5);
  await stage.until(lender);
  const diedAt = performance.now();
  const comeBack = await death.happen(lender);
  await delay(awayMs, undefined, { signal });
  await comeBack();
  const backMs = await lender.untilPreferred();
  await delay(Math.max(0, diedAt + intervalMs - performance.now()), undefined, { signal });
  const failed = load.outcomes.slice(before).filter(({ kind }) => kind !== 'answered');
  const waiting = load.outcomes.filter(({ atMs, tookMs }) => atMs < diedAt && atMs + tookMs > diedAt);
  const longestMs = Math.max(0, ...waiting.map(({ tookMs }) => tookMs));
  const reasons = failed.map(({ what, kind, code }) => ` (${what} ${kind}: ${code})`).join('');
  say(
    `${death.name}, ${stage.name}: failed calls ${failed.length}${reasons}, longest wait ${Math.round(longestMs)} ms, back after ${Math.round(backMs)} ms`,
  );
  return { death: death.name, stage: stage.name, failed: failed.length, longestMs, backMs };
}

function countsOfTrial(load: Load) {
  const typed = load.outcomes.filter(({ what }) => ['ask', 'skill', 'timer'].includes(what));
  return [
    {
      what: 'typed questions without an answer',
      found: typed.filter(({ kind }) => kind !== 'answered').length,
      max: 0,
    },
    { what: 'timers that rang twice', found: load.rooms.seen().rangTwice, max: 0 },
  ];
}

/** Turns with an end, typed and spoken. */
function turnsOf({ outcomes, rooms }: Load): number {
  const { answered, failed } = rooms.seen();
  return outcomes.length + answered + failed;
}

function turnsLine(load: Load): string {
  const asked = load.outcomes.filter(({ what, kind }) => what === 'ask' && kind === 'answered');
  const lent = asked.filter(({ reply }) => isFromLender(reply));
  const [lentMs, ownMs] = [lent, asked.filter(({ reply }) => !isFromLender(reply))].map((some) =>
    Math.round(median(some.map(({ tookMs }) => tookMs))),
  );
  return `${turnsOf(load)} turns. The second machine answered ${lent.length} of ${asked.length} typed questions, in ${lentMs} ms; the first one took ${ownMs} ms (medians).`;
}

function trialsTable(trials: readonly Trial[]): string {
  const rows = trials.map(({ death, stage, failed, longestMs, backMs }) => [
    ...[death, stage, String(failed)],
    `${Math.round(longestMs)} ms`,
    `${Math.round(backMs)} ms`,
  ]);
  return table([
    ['the machine is', 'in the stage', 'failed calls', 'longest wait', 'preferred again'],
    ...rows,
  ]);
}
