import { z } from 'zod';
import { parseJson } from '../../json.ts';

/** An action in the previous format: texts by name, and a list of texts that only its kind could read. */
const oldSchema = z.looseObject({
  kind: z.string(),
  about: z.record(z.string(), z.string()),
  values: z.array(z.string()),
});

type Old = z.infer<typeof oldSchema>;

/**
 * Converts an action recorded by an earlier version; it may last a day, or longer in a backup. Current or
 * unreadable records pass unchanged, and the schema checks them.
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

/**
 * Reads alternating keys and values. The key '' is the list itself. A value is an item's place, a tab and its
 * text.
 */
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

/** Reads an id, the record before the action, and the record after it. */
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

/** Invalid JSON matches no schema, so the action counts as unreadable. */
function timerIn(record = ''): unknown {
  return record === '' ? null : parseJson(record);
}
