import { z } from 'zod';
import { createPhraseFinder, type PhraseFinder } from '../../language/grammar/phrase-finder.ts';
import { createSlotShape, neverSchema } from '../../language/grammar/slot-shape.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import { type LanguageFiles, loadPart } from '../../language/language.ts';
import { type NotConnected, notConnected } from './not-connected-shape.ts';

const lines = z.array(z.string().trim().min(1)).min(1);

/** The contents of `topics.yaml`. */
const topicsSchema = z.strictObject({
  sets: z.record(z.string(), lines),
  topics: z.array(z.strictObject({ kind: z.enum(notConnected), said: lines })),
  places: z.strictObject({
    /** The sets whose words name no place. */
    sets: lines,
    /** Words before a place. */
    after: lines,
    determiners: lines,
    /** Endings of words that name no place. */
    endings: lines.default([]),
    known: lines,
    /** Unknown words name a place anywhere. If not, they do only behind a word of `after`. */
    anywhere: z.boolean().default(true),
  }),
  telling: z.strictObject({ begins: lines, asks: lines }),
  general: neverSchema,
});

/** A longer text tells a story or asks for an essay. */
const maxWords = 30;

type Finder = PhraseFinder<null>;

/** A topic that needs a connection. `place`: the words that may name one; empty: none do. */
interface FoundTopic {
  kind: NotConnected;
  place: readonly Word[];
}

/** Finds a topic by single words. Null: none. */
type TopicReader = (words: readonly Word[]) => FoundTopic | null;

export function loadTopics(files: LanguageFiles, readWords: WordReader): TopicReader {
  const { sets, topics, places, telling, general } = loadPart(files, 'topics.yaml', topicsSchema);
  const shape = createSlotShape(general, []);
  const finderOf = (texts: readonly string[]): Finder =>
    createPhraseFinder(
      texts.map((text) => ({ text, stands: null })),
      readWords,
    );
  const finders = new Map(Object.entries(sets).map(([name, texts]) => [name, finderOf(texts)]));
  const [begins, asks] = [finderOf(telling.begins), finderOf(telling.asks)];
  const isTold = (words: readonly Word[]) =>
    begins.at(words, 0).length > 0 && timesSaid(asks, words.slice(1)) === 0;
  const finderFor = (name: string): Finder => {
    const finder = finders.get(name);
    if (!finder) throw new Error(`topics.yaml: there is no set "${name}"`);
    return finder;
  };
  const known = topics.map(({ kind, said }) => ({ kind, wanted: [...Map.groupBy(said, finderFor)] }));

  const placeIn = createPlaceFinder({
    ...places,
    known: new Set(
      [...places.known, ...places.sets.flatMap((name) => sets[name] ?? [])].flatMap((text) =>
        readWords(text).map(({ word }) => word),
      ),
    ),
  });

  return (words) => {
    if (words.length > maxWords || isTold(words) || !shape.fits(words)) return null;
    const isSaid = ([finder, names]: readonly [Finder, readonly string[]]) =>
      timesSaid(finder, words) >= names.length;
    const kind = known.find(({ wanted }) => wanted.every(isSaid))?.kind;
    return kind === undefined ? null : { kind, place: placeIn(words) };
  };
}

/** How often one of these phrases occurs, counting each at its full length. */
function timesSaid(finder: Finder, words: readonly Word[]): number {
  let times = 0;
  for (let at = 0; at < words.length; at += 1) {
    const end = Math.max(...finder.at(words, at).map((found) => found.end));
    if (!Number.isFinite(end)) continue;
    times += 1;
    at = end - 1;
  }
  return times;
}

interface PlaceWords {
  after: readonly string[];
  determiners: readonly string[];
  endings: readonly string[];
  known: ReadonlySet<string>;
  anywhere: boolean;
}

/** Finds the first words that may name a place: unknown ones, except "the plants" without "in" before it. */
function createPlaceFinder({ after, determiners, endings, known, anywhere }: PlaceWords) {
  const isUnknown = ({ word }: Word) =>
    !known.has(word) && !/^\d/.test(word) && !endings.some((ending) => word.endsWith(ending));
  const isOwn = (words: readonly Word[], at: number) =>
    determiners.includes(words[at - 1]?.word ?? '') && !after.includes(words[at - 2]?.word ?? '');
  const follows = (words: readonly Word[], at: number): boolean => {
    const before = words[at - 1]?.word ?? '';
    return after.includes(before) || (determiners.includes(before) && follows(words, at - 1));
  };
  return (words: readonly Word[]): readonly Word[] => {
    const from = words.findIndex(
      (word, at) => isUnknown(word) && !isOwn(words, at) && (anywhere || follows(words, at)),
    );
    if (from < 0) return [];
    const to = words.findIndex((word, at) => at > from && !isUnknown(word));
    return words.slice(from, to < 0 ? words.length : to);
  };
}
