import { z } from 'zod';
import { parseJson } from '../json.ts';

/** An action as the version before kept it: texts by name, and a row of texts that only its kind could read. */
const oldSchema = z.looseObject({
  kind: z.string(),
  about: z.record(z.string(), z.string()),
  values: z.array(z.string()),
});

type Old = z.infer<typeof oldSchema>;

/**
 * Reads an action that an earlier version has noted: it lasts a day, and longer in a backup. One of today's, or one that makes no
 * sense, is returned as it is and checked by the schema.
 */
export function asOfToday(record: unknown): unknown {
  const { data: old } = oldSchema.safeParse(record);
  if (old === undefined) return record;
  const { about: _about, values: _values, ...rest } = old;
  return { ...rest, ...detailsOf(old) };
}

function detailsOf({ kind, about, values }: Old): object {
  if (kind.startsWith('list.')) return { list: about, ...itemsIn(values) };
  if (kind.startsWith('timer.')) return { timers: timersIn(values) };
  if (!kind.startsWith('home.')) return about;
  const command = { text: about['text'], isUnsure: about['came'] !== undefined };
  return kind === 'home.switch' ? { ...command, changed: values.map(changedIn) } : command;
}

/** Keys and values in turn, the key '' for the list itself. A value is an item's place, a tab and its text. */
function itemsIn(values: readonly string[]) {
  const entries = inRowsOf(2, values);
  const items = entries.filter(([key]) => key !== '');
  return {
    items: items.map(([key, value]) => {
      const [order, text] = value?.split('\t') ?? [];
      return { key, text, order: Number(order) };
    }),
    isWhole: items.length < entries.length,
  };
}

/** An id, the record before and the one after. */
function timersIn(values: readonly string[]) {
  return inRowsOf(3, values).map(([id, before, after]) => ({
    id,
    before: timerIn(before),
    after: timerIn(after),
  }));
}

function changedIn(value: string) {
  const [id, before, name] = value.split('\t');
  return { id, before, name };
}

function inRowsOf(length: number, values: readonly string[]): string[][] {
  return values.flatMap((_, at) => (at % length === 0 ? [values.slice(at, at + length)] : []));
}

/** Text that is no JSON fits no schema: the action then cannot be read. */
function timerIn(record = ''): unknown {
  return record === '' ? null : parseJson(record);
}
