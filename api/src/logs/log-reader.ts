import type { Redis } from 'ioredis';
import { onRedis } from '../redis/redis.ts';
import { createLogFilter, type LogFilter } from './log-filter.ts';
import { type LogLine, logStream, readLine } from './log-line.ts';

/** Lines per read, so that a long search does not block the process. */
const chunk = 500;
/**
 * Tolerance between the time of a line and its position: lines wait while Redis is unavailable, and clocks
 * differ.
 */
const clockSlackMs = 60_000;

export type LogReader = ReturnType<typeof createLogReader>;

/** Reads the logs of all processes. */
export function createLogReader({ redis }: { redis: Redis }) {
  const before = (id: string, from: string) =>
    onRedis(redis, () => redis.xrevrange(logStream, id, from, 'COUNT', chunk));

  return {
    /** The newest matching lines, newest last. */
    async find(filter: LogFilter, limit: number): Promise<LogLine[]> {
      const isWanted = createLogFilter(filter);
      const from = filter.sinceMs === undefined ? '-' : String(Math.max(0, filter.sinceMs - clockSlackMs));
      const found: LogLine[] = [];
      let until = '+';
      for (;;) {
        const entries = await before(until, from);
        const lines = entries.flatMap(([id, fields]) => lineOf(id, fields) ?? []);
        found.push(...lines.filter(isWanted).slice(0, limit - found.length));
        const oldest = entries.at(-1)?.[0];
        if (oldest === undefined || entries.length < chunk || found.length >= limit) break;
        until = `(${oldest}`;
      }
      return found.reverse().sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
    },
    /** The id of the newest line, or an id before all lines. */
    async newest(): Promise<string> {
      const [entry] = await onRedis(redis, () => redis.xrevrange(logStream, '+', '-', 'COUNT', 1));
      return entry?.[0] ?? '0-0';
    },
    /** The lines after an id, in order, limited to one chunk. */
    async after(id: string): Promise<LogLine[]> {
      const entries = await onRedis(redis, () => redis.xrange(logStream, `(${id}`, '+', 'COUNT', chunk));
      return entries.flatMap(([each, fields]) => lineOf(each, fields) ?? []);
    },
  };
}

function lineOf(id: string, [, written = '']: string[]): LogLine | undefined {
  return readLine(id, written);
}
