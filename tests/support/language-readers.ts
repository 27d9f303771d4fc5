import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { digitsOf } from '../../api/src/language/numbers/fraction.ts';
import { loadSkill } from '../../api/src/respond/core/skill-language.ts';
import { loadClock } from '../../api/src/respond/skills/clock/clock-language.ts';
import { createTimerWords } from '../../api/src/respond/skills/timers/timer-words.ts';
import { timersShape } from '../../api/src/respond/skills/timers/timers-shape.ts';

/** The readers of a language's numbers, times and lengths. Each reads a whole text, or null. */
export function languageReaders(tag: string) {
  const { files, rules, grammar, numbers } = loadLanguage({
    folder: new URL(`../../api/languages/${tag}/`, import.meta.url),
  });
  const { readWords } = createGrammar(grammar);
  const reader = rules.createNumberReader(numbers);
  const { durations, times, dates, readRepeat } = createTimerWords({
    words: loadSkill(files, 'timers', timersShape).words,
    clockWords: loadClock(files).words,
    numbers: reader,
    rules,
  });
  const wholly = <T>(text: string, found: { value: T; end: number } | null): T | null =>
    found && found.end === readWords(text).length ? found.value : null;
  return {
    rules,
    readWords,
    dates,
    readRepeat,
    /** Its value with a decimal point. */
    number(text: string): string | null {
      const value = wholly(text, reader.read(readWords(text), 0));
      return value && digitsOf(value, { ...numbers.marks, decimal: '.', thousands: '' });
    },
    ordinal: (text: string) => wholly(text, reader.readOrdinal(readWords(text), 0)),
    /** "7:30", "19:05 pm". */
    time(text: string): string | null {
      const time = wholly(text, times.read(readWords(text), 0));
      if (!time) return null;
      const { hour, minute, half } = time;
      return `${hour}:${String(minute).padStart(2, '0')}${half === null ? '' : ` ${half}`}`;
    },
    minutes(text: string): number | null {
      const length = wholly(text, durations.read(readWords(text), 0));
      return length && length.ms / 60_000;
    },
  };
}
