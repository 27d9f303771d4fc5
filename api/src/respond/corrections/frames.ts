import { z } from 'zod';
import { isPhraseAt } from '../../language/grammar/phrase-at.ts';
import { createSlotShape, neverSchema, wordPhrasesSchema } from '../../language/grammar/slot-shape.ts';
import { textOf, type Word } from '../../language/grammar/words.ts';

const texts = z.array(z.string().trim().min(1));

const frameSchema = z.strictObject({
  /** The meaning in a rule's words, with the same {places} in each. The first that a rule accepts is used. */
  as: texts,
  /** The sentence must contain an entry of each of these sets. */
  one_of: texts,
  /** Sets whose entries are also allowed. */
  also: texts.default([]),
  /** A reason in any words may follow. */
  why: z.boolean().default(false),
  /** No question: "it is cold in here", but not "is it cold in here". */
  is_statement: z.boolean().default(false),
  /** In any form, even one of `never`: "HOW WOULD I convert inches to yards". Only for what is just told. */
  any_form: z.boolean().default(false),
});

/** The words of `skills/near.yaml`. */
export const nearWordsSchema = z.strictObject({
  /** Words, and phrases of two words such as "to do", which count as one word. */
  sets: z.record(z.string(), texts),
  /** Words without meaning. */
  always: texts,
  /** Words that begin a reason: "an alarm at six BECAUSE the train leaves at seven". */
  reasons: texts,
  /** Words that begin a question: "IS it cold in here". */
  questions: texts,
  /** Words before a bare time: "FOR seven". */
  leads: texts,
  /** Words before a request: "IS IT POSSIBLE TO add grapes to the list". */
  openings: wordPhrasesSchema,
  /** Words after a request: "spell the word comity, I NEED TO KNOW". */
  closings: wordPhrasesSchema,
  /** Words of the speaker, and those of the answer: "my" and "your". */
  persons: z.record(z.string(), z.string()),
  never: neverSchema,
  frames: z.array(frameSchema),
});

type NearWords = z.infer<typeof nearWordsSchema>;

/** Reads a time, a length or a room that starts here, and returns its end. Null: none starts here. */
export type FrameReader = (words: readonly Word[], from: number) => { end: number } | null;
/** By the name of the place. */
export type FrameReaders = (place: string) => FrameReader | undefined;

/** The meaning of a sentence in the words of rules. The first that a rule accepts counts. */
export interface FrameMeaning {
  ways: readonly string[];
  /** Not for a sentence in any form, which may be no request. */
  mayAct: boolean;
}

interface Frame {
  as: readonly string[];
  places: readonly string[];
  /** It has a place for words that nothing else in it knows: {rest}. */
  hasRest: boolean;
  needed: readonly ReadonlySet<string>[];
  allowed: readonly ReadonlySet<string>[];
  why: boolean;
  isStatement: boolean;
  anyForm: boolean;
}

/** A longer sentence says more, and a single word says too little. */
const maxWords = 16;
const minWords = 2;

/**
 * Finds the meaning of a sentence that no rule accepts. It names the thing and action of a frame, and its
 * places, such as a time and a room. Nothing else may be in it. Word order does not count. One unknown word
 * rules a frame out, because it may change everything.
 */
export function createFrames(options: NearWords) {
  const { sets, always, reasons, questions, openings, closings, never, frames } = options;
  const small = new Set(always);
  const asks = new Set(questions);
  const reasonWords = new Set(reasons);
  const shape = createSlotShape(never, []);
  const known = frames.map((frame) => frameOf(frame, sets));
  const phrases = new Set(Object.values(sets).flatMap((set) => set.filter((text) => text.includes(' '))));

  /** The words that fill a frame's places. Null: the frame does not fit. */
  const fitted = (frame: Frame, said: readonly Word[], places: FrameReaders): Filling | null => {
    const { needed, allowed, isStatement } = frame;
    if (isStatement && asks.has(said[0]?.word ?? '')) return null;
    const found = fillPlaces(frame.places, said, places);
    if (!found) return null;
    const isOfFrame = (word: string) => [...needed, ...allowed].some((set) => set.has(word));
    const open = frame.hasRest
      ? openWords(found.rest, { needed, small, isOfFrame, phrases })
      : { inside: [], around: [found.rest] };
    if (!open) return null;
    const words = open.around.flatMap((part) => entriesOf(part, phrases));
    const isNamed = needed.every((set) => words.some((word) => set.has(word)));
    if (!isNamed || !words.every((word) => small.has(word) || isOfFrame(word))) return null;
    return frame.hasRest ? found.filling.set(restPlace, open.inside) : found.filling;
  };

  /** Matches without a reason at the end, if the frame allows one. */
  const fittedBefore = (frame: Frame, said: readonly Word[], places: FrameReaders) => {
    const reasons = frame.why
      ? [...said.keys()].filter((at) => at > 1 && reasonWords.has(said[at]?.word ?? ''))
      : [];
    for (const at of reasons.toReversed()) {
      const filling = fitted(frame, said.slice(0, at), places);
      if (filling) return filling;
    }
    return null;
  };

  return {
    /** All places of the frames. */
    places: new Set(known.flatMap((frame) => frame.places.map(kindOf))),

    /** The words of a request without those around it. Null: it has none around it. */
    request(text: string, said: readonly Word[]): string | null {
      const opening = longest(openings.filter((phrase) => isPhraseAt(phrase, said, 0)));
      const closing = longest(
        closings.filter((phrase) => isPhraseAt(phrase, said, said.length - phrase.length)),
      );
      const rest = said.slice(opening, said.length - closing);
      return opening + closing === 0 || rest.length < minWords ? null : textOf(text, rest);
    },

    /** The meaning of each fitting frame, in words of the rules. */
    meanings(text: string, said: readonly Word[], places: FrameReaders): FrameMeaning[] {
      if (said.length < minWords || said.length > maxWords) return [];
      const isUsual = shape.fits(said);
      const entries = possibleEntries(said, phrases);
      return known.flatMap((frame) => {
        if (!isUsual && !frame.anyForm) return [];
        // Reading the places takes longer than all other checks.
        if (!frame.needed.every((set) => entries.some((entry) => set.has(entry)))) return [];
        const filling = fitted(frame, said, places) ?? fittedBefore(frame, said, places);
        const ways = filling && frame.as.map((way) => filled(way, { text, filling }));
        return ways ? [{ ways, mayAct: !frame.anyForm }] : [];
      });
    },
  };
}

const longest = (phrases: readonly (readonly string[])[]): number =>
  Math.max(0, ...phrases.map((phrase) => phrase.length));

/** The places in a meaning: {when}, or a slot of a skill, {clock.place}. {units.unit:other} is another. */
const placeNames = /\{([\w.:]+)\}/g;

const kindOf = (place: string): string => place.split(':')[0] ?? place;

/** The words, with known phrases of two words joined: "read my TO DO list". */
function entriesOf(said: readonly Word[], phrases: ReadonlySet<string>): string[] {
  const entries: string[] = [];
  for (let at = 0; at < said.length; at += 1) {
    const [word, next] = [said[at]?.word ?? '', said[at + 1]?.word];
    const isPhrase = next !== undefined && phrases.has(`${word} ${next}`);
    entries.push(isPhrase ? `${word} ${next}` : word);
    if (isPhrase) at += 1;
  }
  return entries;
}

/** The place for words that a frame does not know: an item for a list. */
const restPlace = 'rest';
/** More words are likely another request. */
const maxRestWords = 6;

interface OpenWordsOptions {
  /** Sets of the frame. The place is between a word of the first and one of the second. */
  needed: readonly ReadonlySet<string>[];
  small: ReadonlySet<string>;
  isOfFrame: (entry: string) => boolean;
  phrases: ReadonlySet<string>;
}

/**
 * The words that the frame does not know, and those around them: "put CLEANING THE BATHROOM on the list".
 * Null: they are not in their place, or too many.
 */
function openWords(said: readonly Word[], { needed, small, isOfFrame, phrases }: OpenWordsOptions) {
  const isPhrase = (at: number) => phrases.has(`${said[at]?.word} ${said[at + 1]?.word}`);
  const isOwn = said.map(({ word }, at) => isOfFrame(word) || isPhrase(at) || isPhrase(at - 1));
  const isOpen = (at: number) => !isOwn[at] && !small.has(said[at]?.word ?? '');
  const places = [...said.keys()].filter(isOpen);
  const [from, to] = [places[0], (places.at(-1) ?? 0) + 1];
  if (from === undefined || to - from > maxRestWords || isOwn.slice(from, to).includes(true)) return null;
  const [verb, thing] = needed;
  const before = said.slice(0, from).findLastIndex(({ word }) => !small.has(word));
  const isBehindVerb = verb?.has(said[before]?.word ?? '') === true;
  if (!isBehindVerb || !said.slice(to).some(({ word }) => thing?.has(word))) return null;
  return { inside: said.slice(from, to), around: [said.slice(0, from), said.slice(to)] };
}

/** Every word and phrase that some of these words may form in this order. */
function possibleEntries(said: readonly Word[], phrases: ReadonlySet<string>): string[] {
  const words = said.map(({ word }) => word);
  const pairs = words.flatMap((first, at) => words.slice(at + 1).map((next) => `${first} ${next}`));
  return [...words, ...pairs.filter((pair) => phrases.has(pair))];
}

/** The words of each place. */
type Filling = Map<string, readonly Word[]>;

function filled(way: string, { text, filling }: { text: string; filling: Filling }): string {
  return way.replaceAll(placeNames, (_, place: string) => placeText(text, filling.get(place) ?? []));
}

function frameOf(
  { as, one_of, also, why, is_statement: isStatement, any_form: anyForm }: NearWords['frames'][number],
  sets: NearWords['sets'],
): Frame {
  const wordsOf = (name: string) => {
    const words = sets[name];
    if (!words) throw new Error(`skills/near.yaml: there is no set "${name}"`);
    return new Set(words);
  };
  const named = [...(as[0] ?? '').matchAll(placeNames)].map(([, place = '']) => place);
  // "At seven on Mondays": reads the repetition before the time, which might take its day.
  const places = named
    .filter((place) => place !== restPlace)
    .toSorted((one, other) => Number(other === 'often') - Number(one === 'often'));
  const hasRest = named.includes(restPlace);
  return {
    as,
    places,
    hasRest,
    why,
    isStatement,
    anyForm,
    needed: one_of.map(wordsOf),
    allowed: also.map(wordsOf),
  };
}

/** The words of a place, as they appear inside a sentence. */
function placeText(text: string, inside: readonly Word[]): string {
  const said = textOf(text, inside);
  return inside[0]?.start === 0 ? said.slice(0, 1).toLowerCase() + said.slice(1) : said;
}

/** The words of each place, and the words around them. Null: a place is missing, or is there too often. */
function fillPlaces(names: readonly string[], said: readonly Word[], places: FrameReaders) {
  const filling: Filling = new Map();
  let rest = said;
  for (const kind of new Set(names.map(kindOf))) {
    const wanted = names.filter((name) => kindOf(name) === kind);
    const found = placesIn(rest, places(kind));
    if (found.inside.length !== wanted.length) return null;
    for (const [at, inside] of found.inside.entries()) filling.set(wanted[at] ?? kind, inside);
    rest = found.rest;
  }
  return { filling, rest };
}

/** All places that the reader finds, and the words around them. */
function placesIn(said: readonly Word[], read: FrameReader | undefined) {
  const inside: (readonly Word[])[] = [];
  const rest: Word[] = [];
  for (let from = 0; from < said.length; ) {
    const end = Math.max(from, read?.(said, from)?.end ?? from);
    if (end > from) inside.push(said.slice(from, end));
    else rest.push(...said.slice(from, from + 1));
    from = Math.max(end, from + 1);
  }
  return { inside, rest };
}
