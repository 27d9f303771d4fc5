import { z } from 'zod';
import { withCapital } from '../../../language/capitals.ts';
import { createNameReader } from '../../../language/grammar/name-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../../../language/grammar/phrase-at.ts';
import {
  createOnly,
  createSlotShape,
  neverOf,
  neverSchema,
  type SlotShape,
} from '../../../language/grammar/slot-shape.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, textOf, type Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';
import { fill, phraseSchema } from '../../../language/phrase.ts';
import type { ListName } from '../../../lists/list-action.ts';
import { type ItemFault, isSafe, keyOf, type ListItem, listItem } from '../../../lists/list-item.ts';

const texts = z.array(z.string());

export const listWordsSchema = z.strictObject({
  between: z.string(),
  last: z.string(),
  thing: phraseSchema([]),
  things: phraseSchema(['n']),
  /** {capital} is the name with a capital. */
  list_the: phraseSchema(['name', 'capital']),
  /** The same as the subject of a sentence, if it differs. */
  list_starts: phraseSchema(['name', 'capital']).optional(),
  /** Both forms for built-in lists with other names: "der Einkaufsliste", "Die Einkaufsliste". */
  called: z.record(z.string(), z.strictObject({ the: z.string(), starts: z.string() })).default({}),
  lists: z.record(z.string(), texts),
  usual: z.string(),
  list: z.string(),
  the: texts,
  ours: texts,
  whose: z.string(),
  of: texts,
  /** "LISTE vacances": a name may directly follow the word for a list. */
  noun_first: z.boolean().default(false),
  /** "die Liste HAUSHALT" besides "die HAUSHALTSliste": a name may follow, too. */
  noun_may_lead: z.boolean().default(false),
  last_one: texts,
  /** Turns the answer to an open question into a whole request, tried in this order. */
  answers: z
    .strictObject({
      /** Words before the answer that do not belong to it: "CALL IT camping". */
      leads: texts,
      make: z.array(phraseSchema(['answer'])),
      put: z.array(phraseSchema(['answer'])),
      put_on: z.array(phraseSchema(['answer', 'list'])),
      rename: z.array(phraseSchema(['answer', 'list'])),
      /** Nouns have a capital within a sentence, too. */
      keeps_capital: z.boolean().default(false),
    })
    .default({ leads: [], make: [], put: [], put_on: [], rename: [], keeps_capital: false }),
  articles: texts,
  /** "a DOZEN eggs": the article is the number. */
  amounts: texts,
  and: texts,
  deeds: texts,
  /** One item despite its "and": "fish and chips". */
  pairs: texts,
  /** Known goods, which count as separate items without a comma: "eggs milk and bread". */
  goods: z.strictObject({
    counted: texts,
    plain: texts,
    /** "chicken SOUP" */
    described: texts,
  }),
  /** One item if a noun follows: "salt and vinegar CHIPS". */
  pairs_with_noun: texts,
  /** Two items that may be one: "salt and pepper". */
  pairs_of_two: texts,
  not_items: texts,
  ticks: texts,
  never: z.strictObject({
    deed: neverSchema,
    thing: neverSchema,
    wish: neverSchema,
    /** Of a request without a verb, "milk to the list": with a verb, it is a statement. */
    noun_phrase: neverSchema.prefault({}),
    name: neverSchema,
    /** Of a second change that names no list: "add milk to the list and set A TIMER" is another request. */
    also: neverSchema.prefault({}),
  }),
  endings: z.record(z.string(), z.string()),
});

export type ListWords = z.infer<typeof listWordsSchema>;

/** List names are short. A longer one belongs to another kind of sentence. */
const maxNameWords = 3;
/** "My whole list", and the first word of its name. */
const maxThe = 3;

/**
 * Reads names of lists: "the shopping list", "my list", "our camping list", "Anna's list". A part of the name
 * is enough for lists of another program.
 */
export function createListReader(words: ListWords, others: () => readonly ListName[] = () => []) {
  const shape = createSlotShape(words.never.name, words.articles);
  const known = new Map<string, ListName>();
  for (const [name, others] of Object.entries(words.lists)) {
    const list = { key: keyOf(name), name };
    for (const other of [withNoun(list.key, words), ...others]) known.set(other, list);
    if (name === words.usual) known.set(words.list, list);
  }
  /** The built-in lists by their own name, as words: "to do". */
  const builtIn = new Map(
    Object.keys(words.lists).map((name) => [keyOf(name).replaceAll('-', ' '), named(name)]),
  );
  const knownAt = createNameReader(known);
  const otherAt = createOtherLists(words, others);
  const own = (said: readonly Word[], from: number): Read<ListName> | null => {
    for (let end = from + 1; end <= from + maxNameWords && end < said.length; end += 1) {
      if (said[end]?.word !== words.list || !shape.fits(said.slice(from, end))) continue;
      const name = joinedWords(said.slice(from, end));
      return { value: { key: keyOf(name), name }, end: end + 1 };
    }
    return null;
  };

  /** "My list of clients", only at the end of the text: elsewhere the end of the name is unclear. */
  const ofWhat = (said: readonly Word[], from: number): Read<ListName> | null => {
    const [list, ...behind] = said.slice(from);
    if (list?.word !== words.list) return null;
    const of = longestPhraseEnd(words.of, behind, 0);
    if (of === null && !words.noun_first && !words.noun_may_lead) return null;
    const named = behind.slice(of ?? 0);
    const rest = words.noun_first && words.the.includes(named[0]?.word ?? '') ? named.slice(1) : named;
    if (rest.length === 0 || rest.length > maxNameWords || !shape.fits(rest)) return null;
    const name = joinedWords(rest);
    return { value: { key: keyOf(name), name }, end: said.length };
  };

  const read = (said: readonly Word[], from: number): Read<ListName> | null => {
    if (isInCompound(said, from)) return null;
    const others = said.slice(from, from + maxThe).findIndex(({ word }) => !words.the.includes(word));
    const at = from + Math.max(others, 0);
    const hasArticle = at > from;
    const isSomebodys = said[from]?.word.endsWith(words.whose) ?? false;
    const named = (hasArticle || isSomebodys) && !words.noun_first ? own(said, at) : null;
    // The longest match: "my chores list" is not "the chores".
    const other = otherAt(said, at, hasArticle);
    // After the noun, the end of a name is unclear, unless such a list exists.
    const isOpen = words.noun_first ? other === null : hasArticle || words.noun_may_lead;
    return longestOf([other, knownAt(said, at), named, isOpen ? ofWhat(said, at) : null]);
  };

  /** "la lista CAMPING": possible ends of a name after the noun, if a sentence goes on behind it. */
  const endsOfWhat = (said: readonly Word[], from: number): number[] => {
    const isOpen = (words.noun_first || words.noun_may_lead) && read(said, from)?.end === said.length;
    const lengths = isOpen ? said.slice(from + 1).map((_, at) => from + 1 + at) : [];
    return lengths.filter((end) => read(said.slice(0, end), from)?.end === end);
  };

  return {
    read,
    slot: {
      costPerWord: 3,
      ends: (said, from) => {
        const found = read(said, from);
        return found ? [...new Set([found.end, ...endsOfWhat(said, from)])] : [];
      },
    } satisfies SlotType,
    /** A household list without an article, where only a list fits: "add tape to tools list". */
    readBare: (said: readonly Word[], from: number) =>
      read(said, from) ?? (words.noun_first ? otherAt(said, from, true) : own(said, from)),
    /** "My" and "our" mean a household list, whether it exists or not. */
    isOurs: ([first]: readonly Word[]): boolean => words.ours.includes(first?.word ?? ''),
    /** Keys of a list that may have these words as its name, "grocery" being one of "groceries". */
    keysOf: (said: readonly Word[]): string[] => {
      const first = said.findIndex(({ word }) => !words.the.includes(word));
      const bare = said.slice(Math.max(first, 0)).map(({ word }) => word);
      const name = withoutNoun(bare, words);
      const texts = [name.join(' '), ...singularsOf(name, words.endings), ...pluralsOf(name, words.endings)];
      return name.length === 0 ? [] : texts.map(keyOf);
    },
    /** A new name for a list, as spoken. */
    newName: (said: readonly Word[]) => builtIn.get(joinedWords(said)) ?? named(joinedWords(said)),
    /** A bare name, as in "make a list called camping". */
    readName: (said: readonly Word[]): ListName => {
      const name = joinedWords(said);
      return known.get(withNoun(name, words)) ?? { key: keyOf(name), name };
    },
    /** The list for another program's name: "Shopping List", "To-do". */
    calledSo: (text: string): ListName => {
      const spoken = spokenWords(text);
      const name = (spoken.length > 1 ? withoutNoun(spoken, words) : spoken).join(' ');
      const key = keyOf(name);
      return known.get(withNoun(key, words)) ?? { key, name };
    },
    /** Whether a list can have this name: "please" and "of dog names" are not names. */
    isName: shape.fits,
    usual: named(words.usual),
    /** The to-do list; the default list if the language has none. */
    tasks: named(words.deeds[0] ?? words.usual),
    /** Another program's list for tasks, such as "Personal Tasks", if there is just one. */
    otherTasks: (): ListName | null => {
      const key = keyOf(words.deeds[0] ?? '');
      const isForTasks = ({ name }: ListName) =>
        namesOf(name, words).some(({ text }) => known.get(text)?.key === key);
      const [first, ...more] = others().filter(isForTasks);
      return first && more.length === 0 ? first : null;
    },
    /** The built-in lists. */
    always: Object.keys(words.lists).map(named),
    called: ({ name }: ListName) => words.called[name]?.the ?? fill(words.list_the, spelled(name)),
    /** The same at the start of a sentence. */
    startingCalled: ({ name }: ListName) =>
      withCapital(words.called[name]?.starts ?? fill(words.list_starts ?? words.list_the, spelled(name))),
    nameSlot: nameSlot(words.list, (said) => shape.fits(said) || builtIn.has(joinedWords(said))),
  };
}

/** Whether a word continues a compound: "Liste" in "Kontaktliste", which is no list on its own. */
function isInCompound(said: readonly Word[], at: number): boolean {
  return at > 0 && said[at - 1]?.end === said[at]?.start;
}

/** Reads the lists of another program: "trader joe's list", "my tasks" for Personal Tasks. */
function createOtherLists(words: ListWords, others: () => readonly ListName[]) {
  const builtIn = new Set([
    words.list,
    ...Object.keys(words.lists).map((name) => withNoun(keyOf(name), words)),
  ]);
  let known: readonly ListName[] | null = null;
  let readers = readersOf([]);

  function readersOf(lists: readonly ListName[]) {
    const forms = lists.flatMap((list) => namesOf(list.name, words).map((form) => ({ ...form, list })));
    const byText = [...Map.groupBy(forms, ({ text }) => text)].flatMap(([text, found]) => {
      const [first, ...more] = new Set(found.map(({ list }) => list));
      return first && more.length === 0 && !builtIn.has(text) ? [{ text, list: first, found }] : [];
    });
    const readerOf = (isWanted: (needsArticle: boolean) => boolean) =>
      createNameReader(
        new Map(
          byText
            .filter(({ found }) => found.some(({ needsArticle }) => isWanted(needsArticle)))
            .map(({ text, list: { key, name } }) => [text, { key, name }]),
        ),
      );
    return { always: readerOf((needsArticle) => !needsArticle), withArticle: readerOf(() => true) };
  }

  return (said: readonly Word[], from: number, hasArticle: boolean): Read<ListName> | null => {
    const now = others();
    if (now !== known) [known, readers] = [now, readersOf(now)];
    return (hasArticle ? readers.withArticle : readers.always)(said, from);
  };
}

/** "camping list", "lista de camping". */
function withNoun(name: string, { list, of, noun_first }: ListWords): string {
  return noun_first ? [list, ...of.slice(0, 1), name].join(' ') : `${name} ${list}`;
}

/** All ways to say the name of a list with its noun: also "camping to-do list", "lista de el camping". */
function withNouns(name: string, words: ListWords): string[] {
  const { list, of, the, noun_first } = words;
  if (!noun_first) {
    const kinds = Object.keys(words.lists).map((kind) => keyOf(kind).replaceAll('-', ' '));
    return [withNoun(name, words), ...kinds.map((kind) => withNoun(`${name} ${kind}`, words))];
  }
  const between = of.slice(0, 1).flatMap((each) => [each, ...the.map((article) => `${each} ${article}`)]);
  return [`${list} ${name}`, ...between.map((each) => `${list} ${each} ${name}`)];
}

/** The words of a name without the noun: "camping" for "camping list" and "lista de camping". */
function withoutNoun(name: readonly string[], { list, of, the, noun_first }: ListWords): readonly string[] {
  if (!noun_first) return name.at(-1) === list ? name.slice(0, -1) : name;
  if (name[0] !== list) return name;
  const [first = '', second = ''] = name.slice(1);
  if (!of.includes(first)) return name.slice(1);
  return name.slice(the.includes(second) ? 3 : 2);
}

/** The words of a name in lower case, with their apostrophes. */
function spokenWords(name: string): string[] {
  return (
    name
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu) ?? []
  );
}

/** The names of a list: its full name, a part before "list", or its last words after an article. */
function namesOf(name: string, words: ListWords): { text: string; needsArticle: boolean }[] {
  const { endings } = words;
  const spoken = spokenWords(name);
  const wholes = [spoken, spoken.map((word) => word.replaceAll("'", ''))];
  const starts = wholes.flatMap((whole) => whole.map((_, at) => ({ whole, at })));
  return starts.flatMap(({ whole, at }) =>
    whole.slice(at).flatMap((_, count) => {
      const part = whole.slice(at, at + count + 1);
      const isLast = at + part.length === whole.length;
      const isWhole = part.length === whole.length;
      const texts = [part.join(' '), ...singularsOf(part, endings)];
      return texts.flatMap((text) => [
        ...withNouns(text, words).map((called) => ({ text: called, needsArticle: false })),
        ...(isLast ? [{ text, needsArticle: !isWhole || whole.length === 1 }] : []),
      ]);
    }),
  );
}

/** The same words with the last one in the singular: "task" for "tasks". */
function singularsOf(part: readonly string[], endings: ListWords['endings']): string[] {
  const last = part.at(-1) ?? '';
  const found = Object.entries(endings).filter(([ending]) => last.endsWith(ending));
  return found.map(([ending, instead]) =>
    [...part.slice(0, -1), last.slice(0, -ending.length) + instead].join(' '),
  );
}

/** The same words with the last one in the possible plurals: "tasks" for "task". */
function pluralsOf(part: readonly string[], endings: ListWords['endings']): string[] {
  const last = part.at(-1) ?? '';
  const found = Object.entries(endings).filter(([, instead]) => last.endsWith(instead));
  return found.map(([ending, instead]) =>
    [...part.slice(0, -1), last.slice(0, last.length - instead.length) + ending].join(' '),
  );
}

/** The longest match; the first one of equal length. */
function longestOf<T>(found: readonly (Read<T> | null)[]): Read<T> | null {
  return found.reduce((best, each) => (each && each.end > (best?.end ?? 0) ? each : best), null);
}

const spelled = (name: string) => ({ name, capital: withCapital(name) });
const named = (name: string): ListName => ({ key: keyOf(name), name });

/** A few words that do not name a list. */
function nameSlot(list: string, fits: SlotShape['fits']): SlotType {
  return {
    costPerWord: 2,
    ends: (words, from) => {
      const ends: number[] = [];
      for (let at = from; at < Math.min(from + maxNameWords, words.length); at += 1) {
        const word = words[at];
        if (word?.word === list || (at > from && word?.gap !== '')) break;
        ends.push(at + 1);
      }
      return ends.filter((end) => fits(words.slice(from, end)));
    },
  };
}

/** The words allowed in an item: nearly any for a task, fewer for goods, only plain ones for a wish. */
function itemShapes({
  never: { deed, thing, wish, noun_phrase, also },
  not_items: only,
  articles,
}: ListWords) {
  return {
    deed: createSlotShape(deed, articles),
    thing: createSlotShape(neverOf(deed, thing), articles),
    also: createSlotShape(neverOf(deed, thing, also), articles),
    noun_phrase: createSlotShape(neverOf(deed, noun_phrase), articles),
    wish: createSlotShape({ ...neverOf(deed, thing, wish), only: [only] }, articles),
  };
}

/** Why words are not an item: they name nothing ("this one"), or no thing ("to know what is"). */
export type NotItem = 'not_items' | 'no_thing';

interface Splitting {
  text: string;
  splitsAtAnd: boolean;
  known: readonly string[];
}

interface SaidItems {
  text: string;
  said: readonly Word[];
  list: ListName;
}

/**
 * Splits words without a comma into known goods: "eggs milk" are two. One unknown word, or a good that may
 * describe the next one, keeps them together. A pair of such goods is only split inside a longer list.
 */
function createGoodsReader({ counted, plain, described }: ListWords['goods']) {
  const all = [...counted, ...plain];
  const areCounted = (part: readonly Word[]) => counted.includes(joinedWords(part));

  const partsOf = (said: readonly Word[]): Word[][] => {
    const parts: Word[][] = [];
    for (let at = 0; at < said.length; ) {
      const end = longestPhraseEnd(all, said, at);
      if (end === null) return [];
      parts.push(said.slice(at, end));
      at = end;
    }
    return parts;
  };
  return (said: Word[], isListed: boolean): Word[][] => {
    const parts = partsOf(said);
    const areApart = parts.slice(1).every((part, at) => {
      const before = parts[at] ?? [];
      if (areCounted(before)) return true;
      const isDescribed = described.includes(joinedWords(part));
      return !isDescribed && (isListed || parts.length > 2 || areCounted(part));
    });
    // A repeated item is a recognition error.
    const areDistinct = new Set(parts.map(joinedWords)).size === parts.length;
    return parts.length > 1 && areApart && areDistinct ? parts : [said];
  };
}

/** Splits words into items: "milk, eggs and a loaf of bread". One fault rejects all. */
export function createItemReader(words: ListWords) {
  const deeds = new Set(words.deeds.map(keyOf));
  const goods = new Set(
    Object.keys(words.lists)
      .map(keyOf)
      .filter((key) => !deeds.has(key)),
  );
  const shapes = itemShapes(words);
  const knownGoods = createGoodsReader(words.goods);
  const isNameless = createOnly(words.not_items, words.articles);
  /** "Put it on the list" matches, and the reply asks for the name. */
  const mayEnd: SlotShape['mayEnd'] = (said, from, to) =>
    isNameless(said, from, to) || shapes.deed.mayEnd(said, from, to);

  /** Number of words of an item with "and" in its name; 0: no such item begins here. */
  const pairAt = (said: readonly Word[], at: number, known: readonly string[]): number => {
    const noun = longestPhraseEnd(words.pairs_with_noun, said, at);
    const hasNoun =
      said[noun ?? 0]?.gap === '' && noun !== null && skipPhrase(words.and, said, noun) === noun;
    const ends = [words.pairs, known].map((phrases) => longestPhraseEnd(phrases, said, at) ?? at);
    return Math.max(...ends, hasNoun ? noun + 1 : at) - at;
  };

  /** The next step from here: an item of some words, or the next item after a comma or "and". */
  const stepAt = (said: readonly Word[], at: number, { splitsAtAnd, known }: Splitting) => {
    const pair = pairAt(said, at, known);
    const isComma = said[at]?.gap === ',';
    const and = pair === 0 && (splitsAtAnd || isComma) ? skipPhrase(words.and, said, at) - at : 0;
    return { isNext: isComma || and > 0, separator: and, words: and > 0 ? 0 : Math.max(1, pair) };
  };

  const groupsOf = (said: readonly Word[], splitting: Splitting): Word[][] => {
    const groups: Word[][] = [[]];
    for (let at = 0; at < said.length; ) {
      const { isNext, separator, words: taken } = stepAt(said, at, splitting);
      if (isNext) groups.push([]);
      groups.at(-1)?.push(...said.slice(at, at + taken));
      at += separator + taken;
    }
    const items = groups
      .map((group) => withoutArticles(group, splitting.text, words))
      .filter((group) => group.length > 0);
    return splitting.splitsAtAnd ? items.flatMap((group) => knownGoods(group, items.length > 1)) : items;
  };
  const itemOf = (text: string, group: readonly Word[], shape: SlotShape): ListItem | ItemFault | NotItem => {
    if (isNameless(group)) return 'not_items';
    if (!shape.fits(group)) return 'no_thing';
    return isSafe(inText(text, group)) ? listItem(textOf(text, group)) : 'not_words';
  };

  return {
    slots: {
      items: { isOpen: true, costPerWord: 2, shape: { ...shapes.deed, mayEnd } },
      also: { isOpen: true, costPerWord: 2, shape: { ...shapes.also, mayEnd } },
      noun_phrase: { isOpen: true, costPerWord: 2, shape: shapes.noun_phrase },
      wish: { isOpen: true, costPerWord: 2, shape: shapes.wish },
      // Without a named list, prefer every other sentence.
      spare: { isOpen: true, costPerWord: 20, shape: shapes.wish },
    } satisfies Record<string, SlotType>,

    /** `known`: this household's items with "and" in their names. */
    read({ text, said, list }: SaidItems, known: readonly string[] = []): ListItem[] | ItemFault | NotItem {
      const shape = goods.has(list.key) ? shapes.thing : shapes.deed;
      const items = new Map<string, ListItem>();
      for (const group of groupsOf(said, { text, splitsAtAnd: !deeds.has(list.key), known })) {
        const item = itemOf(text, group, shape);
        if (typeof item === 'string') return item;
        items.set(item.key, items.get(item.key) ?? item);
      }
      return items.size === 0 ? 'not_items' : [...items.values()];
    },

    /** Whether an item has "and" in its name. */
    isPair: ({ key }: ListItem) => key.split(' ').some((word) => words.and.includes(word)),

    /** Whether the last two items may be one: "salt" and "vinegar chips", but not "a bag of flour". */
    mayBeOne(items: readonly ListItem[]): boolean {
      const [one, other] = items.slice(-2);
      if (!one || !other) return false;
      const parts = other.key.split(' ');
      const isNamed = words.pairs_of_two.includes(`${one.key}${words.last}${other.key}`);
      return isNamed || (parts.length > 1 && !parts.some((part) => words.of.includes(part)));
    },

    /** The matching items: the identical one, else all that contain all these words. */
    find(items: readonly ListItem[], meant: ListItem): ListItem[] {
      const wanted = meant.key.split(' ');
      const having = items.filter(({ key }) => {
        const said = key.split(' ');
        return wanted.every((word) => said.some((each) => isSameWord(each, word)));
      });
      const same =
        having.find(({ key }) => key === meant.key) ??
        having.find(({ key }) => key.split(' ').length === wanted.length);
      return same ? [same] : having;
    },
  };

  function isSameWord(one: string, other: string): boolean {
    return formsOf(one).some((form) => formsOf(other).includes(form));
  }

  /** A word unchanged, and without each possible ending: "es", or only its "s". */
  function formsOf(word: string): string[] {
    const without = Object.entries(words.endings)
      .filter(([ending]) => word.endsWith(ending) && word.length > ending.length + 1)
      .map(([ending, instead]) => word.slice(0, -ending.length) + instead);
    return [word, ...without];
  }
}

/** The "A" of "A.A. batteries" is no article. */
function withoutArticles(
  group: Word[],
  text: string,
  words: Pick<ListWords, 'articles' | 'amounts'>,
): Word[] {
  const first = group.findIndex(
    ({ word, end }, at) =>
      !words.articles.includes(word) ||
      text[end] === '.' ||
      words.amounts.includes(group[at + 1]?.word ?? ''),
  );
  return first < 0 ? [] : group.slice(first);
}

/** The text of an item as spoken, without surrounding punctuation. */
function inText(text: string, words: readonly Word[]): string {
  const [start, end] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
  const before = /\S*$/.exec(text.slice(Math.max(0, start - 100), start))?.[0] ?? '';
  const after = /^\S*/.exec(text.slice(end, end + 100))?.[0] ?? '';
  return before + text.slice(start, end) + after;
}
