import { createCalled } from './called.ts';
import { spokenWordsOf } from './spoken-words.ts';

/** So much of what was said is to be found, or a family says it again and again. */
const mostlyFound = 0.8;
/** A spelling with fewer sounds is like too much else: "huh". */
const leastSounds = 4;
/** More words are a sentence. */
const maxWords = 4;

export interface JudgedName {
  judgement: 'known' | 'learned' | 'unsteady';
  /** How many times the name was found as it is written. */
  found: number;
  spellings: string[];
}

interface JudgeNameOptions {
  calls: readonly string[];
  soundsOf: (word: string) => string;
  /** Whether a sentence means something by itself: such a one is no spelling of a name. */
  isRequest: (text: string) => boolean;
}

/**
 * How well a name is heard, from what the recognition wrote each time that somebody said it. A spelling is learned only if those of the other times
 * would have found it: then the next time is likely to be found, too.
 */
export function createJudgeName({ calls, soundsOf, isRequest }: JudgeNameOptions) {
  const finds = (names: readonly string[], text: string): boolean =>
    names.length > 0 && createCalled({ names, calls, soundsOf })(text)?.request === '';
  const isSpelling = (words: string): boolean =>
    words.split(' ').length <= maxWords &&
    words.split(' ').map(soundsOf).join('').length >= leastSounds &&
    !isRequest(words);

  return ({ name, heard }: { name: string; heard: readonly string[] }): JudgedName => {
    const written = heard.map((text) =>
      spokenWordsOf(text)
        .map(({ text: word }) => word)
        .join(' '),
    );
    const isFound = written.map((text) => finds([name], text));
    const found = isFound.filter(Boolean).length;
    if (found >= mostlyFound * heard.length) return { judgement: 'known', found, spellings: [] };
    const others = written.map((text, at) => (isFound[at] || !isSpelling(text) ? null : text));
    const isSteady = others.map(
      (text, at) =>
        text !== null &&
        finds(
          others.filter((_, place) => place !== at).flatMap((other) => other ?? []),
          text,
        ),
    );
    const steady = isSteady.filter(Boolean).length;
    if (found + steady < mostlyFound * heard.length) return { judgement: 'unsteady', found, spellings: [] };
    const spellings = [...new Set(others.filter((_, at) => isSteady[at]))].flatMap((text) => text ?? []);
    return { judgement: 'learned', found, spellings };
  };
}
