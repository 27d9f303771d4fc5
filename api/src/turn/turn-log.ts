import type { Redis } from 'ioredis';
import { onRedis } from './redis.ts';
import type { Timings, Turn } from './turn.ts';

/** How many turns are looked back on. */
const mostTurns = 200;

export interface TurnEnd extends Pick<Turn, 'id' | 'source' | 'room' | 'createdAt'> {
  /** Who answered; null when nobody did. */
  via: string | null;
  /** `done`, or the code of the error that ended it. */
  outcome: string;
  timings: Timings;
}

export type TurnLog = ReturnType<typeof createTurnLog>;

/** How the last turns went and where their time was spent. Never what was said in them. */
export function createTurnLog({ redis }: { redis: Redis }) {
  return {
    async note(end: TurnEnd): Promise<void> {
      await onRedis(redis, () =>
        redis.xadd('hearth:turns', 'MAXLEN', '~', mostTurns, '*', 'turn', JSON.stringify(end)),
      );
    },
  };
}
