import type { Word, WordReader } from '../../../language/grammar/words.ts';
import type { HomeWords } from './home-words.ts';
import { createWordFinder } from './word-finder.ts';

interface LaterOptions {
  words: Pick<HomeWords, 'later' | 'later_by' | 'times' | 'values' | 'units' | 'everywhere'>;
  readWords: WordReader;
  /** Whether words are a command that could run at once. */
  isCommand: (words: readonly Word[]) => boolean;
}

/**
 * Detects commands for later: "turn off the lights in ten minutes", "when it gets dark, close the blinds".
 */
export function createLater({ words, readWords, isCommand }: LaterOptions) {
  const later = createWordFinder(words.later, readWords);
  const by = createWordFinder(words.later_by, readWords);
  const times = new Set([...words.times, ...words.values]);
  const isTime = (word: string | undefined) => word !== undefined && (/^\d/.test(word) || times.has(word));

  const units = new Set(words.units);
  const everywhere = createWordFinder(words.everywhere, readWords);
  /** "By 20 percent" is an amount, "in every room" is a place. */
  const isTimeAt = (said: readonly Word[], at: number) =>
    isTime(said[at]?.word) && !units.has(said[at + 1]?.word ?? '');
  const isWhere = (said: readonly Word[], at: number) =>
    everywhere.at(said, at - 1).some(({ end }) => end > at);

  const tellsWhen = (said: readonly Word[], at: number): boolean =>
    (later.at(said, at).length > 0 && !isWhere(said, at)) ||
    by.at(said, at).some(({ end }) => isTimeAt(said, end));

  return (said: readonly Word[]): boolean => {
    for (let at = 1; at < said.length; at += 1) {
      if (tellsWhen(said, at) && isCommand(said.slice(0, at))) return true;
      // "When did you open the blinds" has no pause before the command.
      if (said[at]?.gap !== '' && tellsWhen(said, 0) && isCommand(said.slice(at))) return true;
    }
    return false;
  };
}
