import type { z } from 'zod';
import { parseJson } from '../json.ts';
import type { Logger } from '../log.ts';

/** Under this key are so many lines that cannot be read. */
export type OnUnreadable = (key: string, lines: number) => void;

/** Keys remembered at the most. */
const maxKeys = 1_000;

/** Lines of JSON as what they should be, one by one: one that cannot be read is left out, and takes nothing else with it. */
export function readLines<T>(
  key: string,
  lines: readonly string[],
  { schema, onUnreadable }: { schema: z.ZodType<T>; onUnreadable: OnUnreadable | undefined },
): T[] {
  const found = lines.flatMap((line) => {
    const { data } = schema.safeParse(parseJson(line));
    return data === undefined ? [] : [data];
  });
  if (found.length < lines.length) onUnreadable?.(key, lines.length - found.length);
  return found;
}

/** Logs what cannot be read, once for each key and number of lines. Never the lines: they may hold words. */
export function createUnreadableLog(log: Pick<Logger, 'warn'>): OnUnreadable {
  const told = new Map<string, number>();
  return (key, lines) => {
    if (told.get(key) === lines) return;
    if (told.size >= maxKeys) told.clear();
    told.set(key, lines);
    log.warn({ key, lines }, 'some of what is kept cannot be read, and is left out');
  };
}
