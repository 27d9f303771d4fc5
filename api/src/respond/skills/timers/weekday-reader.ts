import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';

/** As recurrence rules write them (RFC 5545). */
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

interface WeekdayWords {
  /** "Mondays AND Fridays" */
  and_days: readonly string[];
  /** "FROM Monday TO Thursday" */
  from_days: readonly string[];
  to_days: readonly string[];
  /** The names of a weekday: singular and plural. */
  week: Readonly<Record<(typeof weekdayCodes)[number], readonly [string, string]>>;
}

/** Reads weekdays as the codes of a recurrence rule: "MO,WE". */
export function createWeekdayReader(words: WeekdayWords) {
  const sameForSeveral = new Set(
    Object.values(words.week).flatMap(([one, several]) => (one === several ? [one] : [])),
  );
  const dayAt = (said: readonly Word[], at: number, isSeveral: boolean) =>
    weekdayCodes.find((code) => {
      const [one, several] = words.week[code];
      const { word } = said[at] ?? {};
      return word === several || (!isSeveral && word === one);
    });
  /** "Mondays, Wednesdays and Fridays". */
  const daysAt = (said: readonly Word[], from: number, isSeveral: boolean): Read<string> | null => {
    const codes = new Set<string>();
    let end = from;
    for (let at = from; ; ) {
      const code = dayAt(said, at, isSeveral);
      if (code === undefined) break;
      codes.add(code);
      end = at + 1;
      at = longestPhraseEnd(words.and_days, said, end) ?? end;
    }
    const inOrder = weekdayCodes.filter((code) => codes.has(code));
    return inOrder.length === 0 ? null : { value: inOrder.join(','), end };
  };
  /** "from Monday to Thursday". */
  const rangeAt = (said: readonly Word[], at: number): Read<string> | null => {
    const from = longestPhraseEnd(words.from_days, said, at) ?? at;
    const first = dayAt(said, from, false);
    const to = first && longestPhraseEnd(words.to_days, said, from + 1);
    const last = to ? dayAt(said, to, false) : undefined;
    if (!first || !last || !to) return null;
    const [start, end] = [weekdayCodes.indexOf(first), weekdayCodes.indexOf(last)];
    // "From Saturday to Tuesday" continues into the next week.
    const isIn = (_: string, day: number) =>
      start <= end ? day >= start && day <= end : day >= start || day <= end;
    return { value: weekdayCodes.filter(isIn).join(','), end: to + 1 };
  };

  return {
    dayAt,
    daysAt,
    rangeAt,
    /** A name that is the same for one day and for several. */
    isOneOrSeveral: (word: Word | undefined) => word !== undefined && sameForSeveral.has(word.word),
  };
}
