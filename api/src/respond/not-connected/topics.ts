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
  telling: z.strictObject({ begins: lines, asks: lines }),
  general: neverSchema,
});

/** A longer text tells a story or asks for an essay. */
const maxWords = 30;

type Finder = PhraseFinder<null>;

/** Finds a topic that needs a connection by single words. Null: none. */
type TopicReader = (words: readonly Word[]) => NotConnected | null;

export function loadTopics(files: LanguageFiles, readWords: WordReader): TopicReader {
  const { sets, topics, telling, general } = loadPart(files, 'topics.yaml', topicsSchema);
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

  return (words) => {
    if (words.length > maxWords || isTold(words) || !shape.fits(words)) return null;
    const isSaid = ([finder, names]: readonly [Finder, readonly string[]]) =>
      timesSaid(finder, words) >= names.length;
    return known.find(({ wanted }) => wanted.every(isSaid))?.kind ?? null;
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
