import type { CommunityData } from '../../language/community/community.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { List } from '../../language/grammar/lists.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import { type Slot, textIn } from '../core/slot.ts';

/** A slot in a sentence or a rule: `{timer_minutes:minutes}`. */
const slotPattern = /\{(\w+)(?::(\w+))?\}/g;

/** Names of rooms and lists: the data contains no values for these slots. */
export const anyName: SlotType = { isOpen: true, costPerWord: 2 };

/** The slots of the bound intents. Numbers are read with the lists that the community uses for a slot. */
export function createCommunitySlots(data: CommunityData, grammar: Pick<Grammar, 'listOf'>) {
  const made = new Map<string, List>();
  const listOf = (name: string): List[] => {
    const content = data.lists[name];
    if (!content) return [];
    const list = made.get(name) ?? grammar.listOf(content);
    made.set(name, list);
    return [list];
  };
  const kinds = kindsIn(data);

  const numberIn = (name: string): Slot<number> => ({
    read(words: readonly Word[]) {
      const values = [...(kinds.get(name) ?? [])].flatMap((kind) =>
        listOf(kind).map((list) => list.valueOf(words)),
      );
      const found = values.find((value) => value !== null && Number.isFinite(Number(value)));
      return found === undefined ? null : Number(found);
    },
  });

  return {
    hours: numberIn('hours'),
    minutes: numberIn('minutes'),
    seconds: numberIn('seconds'),
    start_hours: numberIn('start_hours'),
    start_minutes: numberIn('start_minutes'),
    start_seconds: numberIn('start_seconds'),
    name: textIn(),
    area: textIn(),
    item: textIn(),
    message: textIn(),
  };
}

/** The lists of each slot, in any sentence or rule. */
function kindsIn(data: CommunityData): ReadonlyMap<string, ReadonlySet<string>> {
  const sentences = Object.values(data.intents).flatMap(({ data: blocks }) =>
    blocks.flatMap((block) => block.sentences),
  );
  const kinds = new Map<string, Set<string>>();
  for (const text of [...sentences, ...Object.values(data.expansion_rules)]) {
    for (const [, type = '', slot = type] of text.matchAll(slotPattern)) {
      const known = kinds.get(slot) ?? new Set();
      kinds.set(slot, known.add(type));
    }
  }
  return kinds;
}
