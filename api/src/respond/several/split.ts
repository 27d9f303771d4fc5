import { longestPhraseEnd } from '../../language/grammar/phrase-at.ts';
import { textOf, type Word, type WordReader } from '../../language/grammar/words.ts';

/** People do not say longer texts in one breath. */
const maxCharacters = 400;
const maxParts = 4;
const maxJoints = 6;
/** "SET a timer and an alarm", "WHAT IS the time and the date" */
const maxLeadingWords = 3;
/** "REMIND ME TO TAKE OUT the bins on Monday and the recycling on Thursday": as many before the same word. */
const maxWordsToSame = 6;

interface Joint {
  /** Position where one part ends and the next starts. */
  from: number;
  to: number;
}

/**
 * A part of a sentence in its possible readings: unchanged, then with the first words of the previous part.
 */
export type Part = readonly string[];

interface SplitWords {
  /** Words between two requests. */
  joints: readonly string[];
  /** First words of a part that may omit the verb. */
  carried: readonly string[];
}

interface Splits {
  /** Every way to split a sentence, fewest parts first. */
  of(text: string): Part[][];
}

/** Finds where a sentence may split. Only the responders for its parts can decide. */
export function createSplits({ joints, carried }: SplitWords, readWords: WordReader): Splits {
  const jointsIn = (words: readonly Word[]): Joint[] => {
    const found: Joint[] = [];
    for (let at = 1; at < words.length; at += 1) {
      const end = longestPhraseEnd(joints, words, at);
      if (end === null && words[at]?.gap === '') continue;
      if (end !== words.length) found.push({ from: at, to: end ?? at });
      at = Math.max(at, (end ?? at) - 1);
    }
    return found;
  };

  const mayCarry = ([first, ...more]: readonly Word[]): boolean =>
    more.length > 0 && first !== undefined && carried.includes(first.word);

  /**
   * The first words of the previous part that this part may share. A lead before the same word comes first.
   * No other lead may end with a word that needs a verb: "remind me TO" the recycling.
   */
  const leadsOf = ([first]: readonly Word[], before: readonly Word[]): Word[][] => {
    const all = before
      .slice(1, maxWordsToSame + 1)
      .map((next, at) => ({ next, lead: before.slice(0, at + 1) }));
    const isSame = ({ next }: { next: Word }) => next.word === first?.word;
    const others = all
      .slice(0, maxLeadingWords)
      .filter((each) => !isSame(each) && !carried.includes(each.lead.at(-1)?.word ?? ''));
    return [...all.filter(isSame), ...others].map(({ lead }) => lead);
  };

  const partsAt = (text: string, words: readonly Word[], chosen: readonly Joint[]): Part[] => {
    const starts = [0, ...chosen.map(({ to }) => to)];
    const ends = [...chosen.map(({ from }) => from), words.length];
    const runs = starts.map((start, at) => words.slice(start, ends[at]));
    return runs.map((run, at) => {
      const before = mayCarry(run) ? (runs[at - 1] ?? []) : [];
      return [[], ...leadsOf(run, before)].map((lead) =>
        [lead, run]
          .filter((each) => each.length > 0)
          .map((each) => textOf(text, each))
          .join(' '),
      );
    });
  };

  return {
    of(text) {
      if (text.length > maxCharacters) return [];
      const words = readWords(text);
      const all = jointsIn(words);
      if (all.length === 0 || all.length > maxJoints) return [];
      const counts = Array.from({ length: Math.min(maxParts - 1, all.length) }, (_, at) => at + 1);
      return counts.flatMap((count) => choices(all, count)).map((chosen) => partsAt(text, words, chosen));
    },
  };
}

/** Every combination of `count` items, in order. */
function choices<T>(all: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return all.flatMap((each, at) => choices(all.slice(at + 1), count - 1).map((rest) => [each, ...rest]));
}
