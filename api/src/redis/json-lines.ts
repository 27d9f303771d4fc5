import type { z } from 'zod';
import { parseJson } from '../json.ts';
import type { Logger } from '../log.ts';

/** Called with a key and its number of unreadable lines. */
export type OnUnreadable = (key: string, lines: number) => void;

/** Maximum number of remembered keys. */
const maxKeys = 1_000;

/** Parses lines of JSON one by one. Skips unreadable lines. */
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

/**
 * Logs unreadable lines once for each key and number of lines. It never logs their content, which may be
 * people's words.
 */
export function createUnreadableLog(log: Pick<Logger, 'warn'>): OnUnreadable {
  const reported = new Map<string, number>();
  return (key, lines) => {
    if (reported.get(key) === lines) return;
    if (reported.size >= maxKeys) reported.clear();
    reported.set(key, lines);
    log.warn({ key, lines }, 'skipped stored entries that cannot be read');
  };
}
