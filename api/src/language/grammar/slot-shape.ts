import { z } from 'zod';
import { createAutomaton } from './automaton.ts';
import { isPhraseAt } from './phrase-at.ts';
import { createTemplateParser, type Template } from './template.ts';
import { createWordReader, type Word, type WordReader } from './words.ts';

type Phrase = readonly string[];

const plain = { spellings: {}, fillers: [], abbreviations: [] };
const readWhole = createWordReader(plain);
const readElided = createWordReader({ ...plain, elides: true });
const parse = createTemplateParser({ rules: {} });

/** Words with alternatives, as in a sentence, without slots: "(to|on) my list" is two phrases. */
export const wordPhrasesSchema = z
  .array(
    z.string().transform((text, { addIssue }): Phrase[] => {
      try {
        const template = parse(text);
        // Both readings of an apostrophe: "d'abord" is one word, or "d'" and "abord".
        const readers = text.includes("'") ? [readWhole, readElided] : [readWhole];
        return readers.flatMap((readWords) => phrasesOf(template, readWords));
      } catch (error) {
        addIssue(`"${text}": ${error instanceof Error ? error.message : error}`);
        return [];
      }
    }),
  )
  .default([])
  .transform((all) => all.flat());

/** Words that an open slot never holds. */
export const neverSchema = z.strictObject({
  /** It never starts with one of these, with or without an article. */
  first: wordPhrasesSchema,
  last: wordPhrasesSchema,
  inside: wordPhrasesSchema,
  /** It never consists of these words alone. */
  only: wordPhrasesSchema,
});

export type SlotExclusions = z.infer<typeof neverSchema>;

/** Decides which words may fill a slot. */
export interface SlotShape {
  /** Whether the slot may continue after the words up to `to`. */
  mayHold(words: readonly Word[], from: number, to: number): boolean;
  /** Whether the slot may end there. */
  mayEnd(words: readonly Word[], from: number, to: number): boolean;
  /** Whether these words may fill the whole slot. */
  fits(words: readonly Word[]): boolean;
}

/** Maximum number of them in a row. */
const maxOnlyWords = 6;
const maxArticles = 3;

/** Combines shapes: forbids every word that any of them forbids. */
export function neverOf(...kinds: readonly SlotExclusions[]): SlotExclusions {
  const all = (key: keyof SlotExclusions) => kinds.flatMap((kind) => kind[key]);
  return { first: all('first'), last: all('last'), inside: all('inside'), only: all('only') };
}

export function createSlotShape(never: SlotExclusions, articles: readonly string[]): SlotShape {
  const first = byWord(never.first, (phrase) => phrase[0]);
  const last = byWord(never.last, (phrase) => phrase.at(-1));
  const inside = byWord(never.inside, (phrase) => phrase.at(-1));
  const isOnly = createOnly(never.only.flat(), articles);
  const skips = new Set(articles);

  /** The start of the words after their articles. */
  const beginning = (words: readonly Word[], from: number, to: number): number => {
    let at = from;
    while (at < Math.min(to, from + maxArticles) && skips.has(words[at]?.word ?? '')) at += 1;
    return at;
  };
  const isFirst = (words: readonly Word[], at: number, to: number) =>
    (first.get(words[at]?.word ?? '') ?? []).some(
      (phrase) => at + phrase.length <= to && isPhraseAt(phrase, words, at),
    );
  const isLast = (known: Phrases, words: readonly Word[], from: number, to: number) =>
    (known.get(words[to - 1]?.word ?? '') ?? []).some(
      (phrase) => to - phrase.length >= from && isPhraseAt(phrase, words, to - phrase.length),
    );

  const mayHold: SlotShape['mayHold'] = (words, from, to) => !isLast(inside, words, from, to);
  const mayEnd: SlotShape['mayEnd'] = (words, from, to) =>
    !isOnly(words, from, to) &&
    !isFirst(words, from, to) &&
    !isFirst(words, beginning(words, from, to), to) &&
    !isLast(last, words, from, to);

  return {
    mayHold,
    mayEnd,
    fits: (words) => mayEnd(words, 0, words.length) && words.every((_word, at) => mayHold(words, 0, at + 1)),
  };
}

/** Whether words consist only of these, with or without articles. */
export function createOnly(only: readonly string[], articles: readonly string[]) {
  const known = new Set([...only, ...articles]);
  return (words: readonly Word[], from = 0, to = words.length): boolean =>
    to - from <= maxOnlyWords && words.slice(from, to).every(({ word }) => known.has(word));
}

type Phrases = ReadonlyMap<string, readonly Phrase[]>;

function byWord(all: readonly Phrase[], wordOf: (phrase: Phrase) => string | undefined): Phrases {
  return Map.groupBy(all, (phrase) => wordOf(phrase) ?? '');
}

function phrasesOf(template: Template, readWords: WordReader): Phrase[] {
  const states = createAutomaton([template], { readWords });
  if (states.some(({ slots }) => slots.length > 0)) throw new Error('there is no place for a slot');
  const from = (at: number, before: Phrase): Phrase[] => {
    const { words, sentence } = states[at] ?? { words: new Map<string, number>(), sentence: null };
    const longer = [...words].flatMap(([word, to]) => from(to, [...before, word]));
    return sentence === null ? longer : [before, ...longer];
  };
  return from(0, []);
}
