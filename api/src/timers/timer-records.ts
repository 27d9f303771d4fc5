import { parseJson } from '../json.ts';
import { type Timer, timerSchema } from './timer.ts';

/** The timers of an action, as they were before it and after it. */
export function timersOfAction({ values }: { values: readonly string[] }): {
  id: string;
  before: Timer | null;
  after: Timer | null;
}[] {
  return triplesOf(values).map(([id, before, after]) => ({
    id,
    before: readTimer(before)[0] ?? null,
    after: readTimer(after)[0] ?? null,
  }));
}

/** What is to become of one timer when an action is taken back. */
export interface Undoing {
  id: string;
  /** What its record must be. */
  from: string;
  becomes: Timer | null;
}

/** How to take an action back: what was set goes, what was changed or taken away is as it was, unless its time is over. */
export function undoing(values: readonly string[], now: number): Undoing[] {
  return triplesOf(values).flatMap(([id, before, after]): Undoing[] => {
    if (before === '') return [{ id, from: '*', becomes: null }];
    const [old] = readTimer(before);
    if (old === undefined || old.dueAt <= now) return [];
    return [{ id, from: after, becomes: old }];
  });
}

/** As the script takes it. */
export function argsOf({ id, from, becomes }: Undoing): string[] {
  return [id, from, becomes ? JSON.stringify(becomes) : ''];
}

function triplesOf(values: readonly string[]): [string, string, string][] {
  const triples: [string, string, string][] = [];
  for (let at = 0; at + 2 < values.length; at += 3) {
    triples.push([values[at] ?? '', values[at + 1] ?? '', values[at + 2] ?? '']);
  }
  return triples;
}

/** A record; none when it cannot be read, so that one that is broken does not keep the others from ringing. */
export function readTimer(record: string): Timer[] {
  const { data } = timerSchema.safeParse(parseJson(record));
  return data === undefined ? [] : [data];
}
