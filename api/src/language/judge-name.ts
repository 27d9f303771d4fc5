import { createCalled } from './called.ts';
import { spokenWordsOf } from './spoken-words.ts';

/** Minimum share of recognised calls. Below it, people often have to repeat the name. */
const mostlyFound = 0.8;
/** A spelling with fewer sounds resembles too many words: "huh". */
const minSounds = 4;
/** Longer texts are sentences. */
const maxWords = 4;

interface JudgedName {
  judgement: 'known' | 'learned' | 'unsteady';
  /** How often recognition wrote the name exactly. */
  found: number;
  spellings: string[];
}

interface JudgeNameOptions {
  calls: readonly string[];
  soundsOf: (word: string) => string;
  /** Whether a sentence has its own meaning, so it is not a spelling of a name. */
  isRequest: (text: string) => boolean;
}

/**
 * Rates how well recognition hears a name, from several samples. It learns a spelling only if the other
 * samples would have found it. The next call is then likely to work, too.
 */
export function createJudgeName({ calls, soundsOf, isRequest }: JudgeNameOptions) {
  const finds = (names: readonly string[], text: string): boolean =>
    names.length > 0 && createCalled({ names, calls, soundsOf })(text)?.request === '';
  const isSpelling = (words: string): boolean =>
    words.split(' ').length <= maxWords &&
    words.split(' ').map(soundsOf).join('').length >= minSounds &&
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
