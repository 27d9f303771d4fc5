import { keys } from '../redis/keys.ts';
import type { StoredKey } from './backup-file.ts';

/** The contents of a backup, in numbers. */
export interface RecordCounts {
  conversations: number;
  lists: number;
  timers: number;
  settings: number;
}

export function emptyCounts(): RecordCounts {
  return { conversations: 0, lists: 0, timers: 0, settings: 0 };
}

/** Passes the keys through and counts them. */
export async function* counted(
  kept: AsyncIterable<StoredKey>,
  counts: RecordCounts,
): AsyncGenerator<StoredKey> {
  let last = '';
  for await (const each of kept) {
    count(each, each.key !== last, counts);
    last = each.key;
    yield each;
  }
}

/** Only the first chunk of a key counts as a key. */
function count({ key, value }: StoredKey, isFirst: boolean, counts: RecordCounts): void {
  const held = typeof value === 'string' ? 0 : value.length;
  if (key === keys.timers.of()) counts.timers += held;
  // One field is the revision.
  if (key === keys.settings.of()) counts.settings += held - (isFirst ? 1 : 0);
  // An empty list has no key of its own, only its name here.
  if (key === keys.lists.of()) counts.lists += held;
  if (isFirst && /^hearth:conversation:.*:exchanges$/.test(key)) counts.conversations += 1;
}
