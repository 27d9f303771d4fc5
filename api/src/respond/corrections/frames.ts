import { z } from 'zod';
import { createSlotShape, neverSchema } from '../../language/grammar/slot-shape.ts';
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
  never: neverSchema,
  frames: z.array(frameSchema),
});

type NearWords = z.infer<typeof nearWordsSchema>;

/** Reads a time, a length or a room that starts here, and returns its end. Null: none starts here. */
export type FrameReader = (words: readonly Word[], from: number) => { end: number } | null;
/** By the name of the place. */
export type FrameReaders = (place: string) => FrameReader | undefined;

interface Frame {
  as: readonly string[];
  places: readonly string[];
  needed: readonly ReadonlySet<string>[];
  allowed: readonly ReadonlySet<string>[];
  why: boolean;
  isStatement: boolean;
}

/** A longer sentence says more, and a single word says too little. */
const maxWords = 16;
const minWords = 2;

/**
 * Finds the meaning of a sentence that no rule accepts. It names the thing and action of a frame, and its
 * places, such as a time and a room. Nothing else may be in it. Word order does not count. One unknown word
 * rules a frame out, because it may change everything.
 */
export function createFrames({ sets, always, reasons, questions, never, frames }: NearWords) {
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
    const filling: Filling = new Map();
    let rest = said;
    for (const place of frame.places) {
      const found = onlyPlace(rest, places(place));
      if (!found) return null;
      filling.set(place, found.inside);
      rest = found.rest;
    }
    const words = entriesOf(rest, phrases);
    const mayBeSaid = (word: string) =>
      small.has(word) || [...needed, ...allowed].some((set) => set.has(word));
    const isNamed = needed.every((set) => words.some((word) => set.has(word)));
    return isNamed && words.every(mayBeSaid) ? filling : null;
  };

  /** Matches without a reason at the end, if the frame allows one. */
  const fittedBefore = (frame: Frame, said: readonly Word[], places: FrameReaders) => {
    const reason = frame.why ? said.findLastIndex(({ word }, at) => at > 1 && reasonWords.has(word)) : -1;
    return reason < 0 ? null : fitted(frame, said.slice(0, reason), places);
  };

  return {
    /** All places of the frames. */
    places: new Set(known.flatMap((frame) => frame.places)),

    /** The meaning of each fitting frame, in words of the rules. */
    meanings(text: string, said: readonly Word[], places: FrameReaders): string[][] {
      if (said.length < minWords || said.length > maxWords || !shape.fits(said)) return [];
      return known.flatMap((frame) => {
        const filling = fitted(frame, said, places) ?? fittedBefore(frame, said, places);
        return filling ? [frame.as.map((way) => filled(way, { text, filling }))] : [];
      });
    },
  };
}

/** The places in a meaning: {when}, or {clock.place}, a slot of a skill. */
const placeNames = /\{([\w.]+)\}/g;

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

/** The words of each place. */
type Filling = Map<string, readonly Word[]>;

function filled(way: string, { text, filling }: { text: string; filling: Filling }): string {
  return way.replaceAll(placeNames, (_, place: string) => placeText(text, filling.get(place) ?? []));
}

function frameOf(
  { as, one_of, also, why, is_statement: isStatement }: NearWords['frames'][number],
  sets: NearWords['sets'],
): Frame {
  const wordsOf = (name: string) => {
    const words = sets[name];
    if (!words) throw new Error(`skills/near.yaml: there is no set "${name}"`);
    return new Set(words);
  };
  const named = [...(as[0] ?? '').matchAll(placeNames)].map(([, place = '']) => place);
  // "At seven on Mondays": reads the repetition before the time, which might take its day.
  const places = named.toSorted((one, other) => Number(other === 'often') - Number(one === 'often'));
  return { as, places, why, isStatement, needed: one_of.map(wordsOf), allowed: also.map(wordsOf) };
}

/** The words of a place, as they appear inside a sentence. */
function placeText(text: string, inside: readonly Word[]): string {
  const said = textOf(text, inside);
  return inside[0]?.start === 0 ? said.slice(0, 1).toLowerCase() + said.slice(1) : said;
}

/** The only place that the reader finds, and the words around it. Null: none, or several. */
function onlyPlace(said: readonly Word[], read: FrameReader | undefined) {
  const found: { from: number; end: number }[] = [];
  for (let from = 0; read && from < said.length; from += 1) {
    const end = read(said, from)?.end ?? from;
    if (end <= from) continue;
    found.push({ from, end });
    from = end - 1;
  }
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  return {
    inside: said.slice(only.from, only.end),
    rest: [...said.slice(0, only.from), ...said.slice(only.end)],
  };
}
