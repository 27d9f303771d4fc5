import { AppError } from '../errors.ts';
import type { TurnEnd, TurnLog, TurnTimes } from '../turn/turn-log.ts';
import { added, quantile, type StepCounts } from '../turn/turn-times.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type TurnRecord = components['schemas']['TurnRecord'];
type Percentiles = components['schemas']['Percentiles'];

const usualLimit = 50;

/** The latest turns: their outcome and the time each part took. */
export function adminTurnRoutes({ log }: { log: TurnLog }): Pick<Handlers, 'getTurns' | 'getTurn'> {
  return {
    async getTurns({ query }) {
      const { source, room, outcome, limit = usualLimit } = query;
      const [turns, day] = await Promise.all([log.last(), log.day()]);
      const isWanted = (turn: TurnEnd) =>
        (source === undefined || turn.source === source) &&
        (room === undefined || turn.room === room) &&
        (outcome === undefined ||
          turn.outcome === outcome ||
          (outcome === 'failed' && turn.outcome !== 'done' && turn.outcome !== 'turn_cancelled'));
      const times = day.flatMap((hour) => hour.times);
      return {
        turns: turns.filter(isWanted).slice(0, limit).map(toldOf),
        percentiles: percentilesOf(times.filter((each) => source === undefined || each.source === source)),
        percentiles_by_source: bySource(times),
        hours: day.map((hour) => ({
          at: new Date(hour.beganAt).toISOString(),
          percentiles: percentilesOf(hour.times),
        })),
      };
    },

    async getTurn({ path }) {
      const turn = (await log.last()).find(({ id }) => id === path.id || id.startsWith(`${path.id}.`));
      if (!turn)
        throw new AppError('not_found', 'There is no such turn among the last 200.', { param: 'id' });
      return toldOf(turn);
    },
  };
}

function toldOf({ createdAt, revision, ranOn, ...turn }: TurnEnd): TurnRecord {
  const timings = Object.fromEntries(Object.entries(turn.timings).map(([part, ms]) => [part, rounded(ms)]));
  return {
    ...turn,
    timings,
    created_at: new Date(createdAt).toISOString(),
    pipeline_revision: revision,
    ran_on: ranOn,
  };
}

function percentilesOf(times: readonly TurnTimes[]): Percentiles {
  const parts = new Map<string, StepCounts>();
  for (const { part, steps } of times) parts.set(part, added(parts.get(part) ?? new Map(), steps));
  return Object.fromEntries(
    [...parts].map(([part, steps]) => [
      part,
      {
        p50: quantile(steps, 0.5) ?? 0,
        p95: quantile(steps, 0.95) ?? 0,
        count: [...steps.values()].reduce((sum, count) => sum + count, 0),
      },
    ]),
  );
}

function bySource(times: readonly TurnTimes[]): Record<string, Percentiles> {
  const sources = new Set(times.map(({ source }) => source));
  return Object.fromEntries(
    [...sources].map((source) => [source, percentilesOf(times.filter((each) => each.source === source))]),
  );
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
