import { request } from 'undici';
import type { Household } from './household.ts';
import { alternate, roundTo, type Summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { cpuMs } from './processes.ts';

const promise = { medianMs: 3, p99Ms: 15, perCoreSecond: 300 };
const callers = [1, 8, 32] as const;
const calls = { 1: 300, 8: 1_600, 32: 3_200 } as const;
const sentence = 'What time is it?';

interface Measured extends Summary {
  callers: number;
  perSecond: number;
  /** Per second of CPU time of api and worker, not of elapsed time. */
  perCoreSecond: number;
}

/** The speed of fixed rules that answer without a model: response time and throughput. */
export const skillsPart: Part = {
  name: 'skills',
  async run(house) {
    await measureAsking(house, 8, 400); // The first calls of a process compile their code.
    const measured: Measured[] = [];
    for (const count of callers) measured.push(await measureAsking(house, count, calls[count]));
    return report(measured);
  },
};

async function measureAsking(house: Household, count: number, total: number): Promise<Measured> {
  const ask = async (caller: number) => {
    const { statusCode, body } = await request(`${house.api.url}/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: sentence, client: `clock-${count}-${caller}` }),
      signal: house.signal,
    });
    const text = await body.text();
    if (statusCode !== 200 || !text.includes('"skills"'))
      throw new Error(`/ask answered ${statusCode} ${text}`);
  };
  const begunAt = performance.now();
  const before = await computedMs(house);
  const [times] = await alternate([ask], { callers: count, rounds: 1, callsInRow: total / count });
  const [tookMs, busyMs] = [performance.now() - begunAt, (await computedMs(house)) - before];
  if (!times) throw new Error('no question was asked');
  return {
    ...times,
    callers: count,
    perSecond: (total / tookMs) * 1_000,
    perCoreSecond: (total / busyMs) * 1_000,
  };
}

/** CPU time of both processes together; NaN if the system does not report it. */
async function computedMs({ api, worker }: Household): Promise<number> {
  const [one, other] = [await cpuMs(api.child), await cpuMs(worker)];
  return (one ?? Number.NaN) + (other ?? Number.NaN);
}

function report(measured: readonly Measured[]): Findings {
  const head = ['callers', 'calls', 'median', 'p95', 'p99', 'a second', 'a second of one core'];
  const rows = measured.map(
    ({ callers: count, calls: all, medianMs, p95Ms, p99Ms, perSecond, perCoreSecond }) => [
      String(count),
      String(all),
      `${medianMs.toFixed(1)} ms`,
      `${p95Ms.toFixed(1)} ms`,
      `${p99Ms.toFixed(1)} ms`,
      perSecond.toFixed(0),
      perCoreSecond.toFixed(0),
    ],
  );
  const { medianMs: alone = Number.NaN, p99Ms: slowest = Number.NaN } = measured[0] ?? {};
  const most = Math.max(...measured.map(({ perCoreSecond }) => perCoreSecond));
  const missed = [
    ...(alone <= promise.medianMs
      ? []
      : [`A skill answers in ${alone.toFixed(1)} ms; the limit is ${promise.medianMs} ms.`]),
    ...(slowest <= promise.p99Ms
      ? []
      : [`1 % of them take ${slowest.toFixed(1)} ms or more; the limit is ${promise.p99Ms} ms.`]),
    ...(most >= promise.perCoreSecond
      ? []
      : [
          `Skills answer ${most.toFixed(0)} times per second of one core; the target is ${promise.perCoreSecond}.`,
        ]),
  ];
  return {
    text: `/ask "${sentence}", answered by fixed rules\n${table([head, ...rows])}\nTarget: median at most ${promise.medianMs} ms, p99 at most ${promise.p99Ms} ms, at least ${promise.perCoreSecond} per second of one core: ${missed.length === 0 ? 'reached' : 'MISSED'}`,
    figures: measured.map((m) => ({
      ...m,
      perSecond: roundTo(m.perSecond, 1),
      perCoreSecond: roundTo(m.perCoreSecond, 1),
    })),
    missed,
  };
}
