import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openQueues } from '../api/src/jobs/queues.ts';
import { createRingJobs } from '../api/src/timers/ring-jobs.ts';
import { followTimers } from '../api/src/timers/timer-news.ts';
import { createTimerStore } from '../api/src/timers/timer-store.ts';
import type { Household } from './household.ts';
import { roundTo, summary, table } from './measure.ts';
import type { Part } from './part.ts';

const count = 100;
/** They are due one after the other, starting this long after they are set. */
const firstMs = 3_000;
const intervalMs = 60;
/** The worker is replaced when this many have been due. */
const replacedAfter = 30;
const maxWaitMs = 30_000;

/** How late timers ring, as the api processes receive them, also while the only worker is replaced. */
export const timersPart: Part = {
  name: 'timers',
  async run(house) {
    const undisturbed = await latenessOf(house, async () => undefined);
    const replaced = await latenessOf(house, () => house.replaceWorker());
    const row = (name: string, { medianMs, p95Ms, maxMs }: typeof replaced) => [
      name,
      ...[medianMs, p95Ms, maxMs].map((ms) => `${roundTo(ms, 1)} ms`),
    ];
    const rows = [
      ['lateness', 'p50', 'p95', 'max'],
      row('undisturbed', undisturbed),
      row('worker replaced', replaced),
    ];
    const isLate = undisturbed.maxMs > 1_000;
    return {
      text: `${count} timers, due every ${intervalMs} ms; all rang, each once\n${table(rows)}`,
      figures: { undisturbed, replaced },
      missed: isLate ? [`a timer rang ${Math.round(undisturbed.maxMs)} ms late, undisturbed`] : [],
    };
  },
};

/** Sets the timers, runs a function halfway through, and returns how late each rang. */
async function latenessOf({ redisUrl, signal }: Household, disturb: () => Promise<void>) {
  const [redis, subscriber] = [new Redis(redisUrl), new Redis(redisUrl)];
  await Promise.all([once(redis, 'ready'), once(subscriber, 'ready')]);
  const ignore = () => undefined;
  const timers = createTimerStore({
    redis,
    jobs: createRingJobs({ redis, queues: openQueues({ redis, onError: ignore }) }),
  });
  const lateMs = new Map<string, number>();
  let rings = 0;
  followTimers({
    subscriber,
    onNews: ({ change, timer }) => {
      if (change !== 'ringing') return;
      rings += 1;
      lateMs.set(timer.id, Date.now() - timer.dueAt);
    },
    onReady: ignore,
    onBadEvent: ignore,
  });
  try {
    const setAt = Date.now();
    for (let nth = 0; nth < count; nth += 1) {
      const dueAt = setAt + firstMs + nth * intervalMs;
      const action = { turn: `bench-${setAt}-${nth}`, at: setAt, kind: 'timer.set' } as const;
      const given = {
        kind: 'timer',
        by: 'length',
        label: null,
        room: null,
        client: null,
        setAt,
        dueAt,
      } as const;
      await timers.set({ action, conversation: null }, { ...given, durationMs: dueAt - setAt });
    }
    await delay(setAt + firstMs + replacedAfter * intervalMs - Date.now(), undefined, { signal });
    await disturb();
    const deadline = Date.now() + maxWaitMs;
    while (lateMs.size < count && Date.now() < deadline) await delay(50, undefined, { signal });
    if (rings !== count || lateMs.size !== count) throw new Error(`${count} timers were set, ${rings} rang`);
    for (const { id } of await timers.all()) await timers.remove(id);
    return summary([...lateMs.values()]);
  } finally {
    redis.disconnect();
    subscriber.disconnect();
  }
}
