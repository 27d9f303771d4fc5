import { z } from 'zod';
import type { DateReader } from '../../../language/calendar/date-reader.ts';
import type { MomentReader, SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import { joinedWords, type Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';
import type { createRepeatReader } from './repeat-words.ts';

const texts = z.array(z.string());
const dayMs = 24 * 3_600_000;

export const freeTextWordsSchema = z.strictObject({
  /**
   * Words that belong to the time after them: "two days BEFORE", "a week FROM". A text that ends with one is
   * incomplete.
   */
  leading: texts,
  /** "to be home BY six": the time belongs to the task. */
  deadlines: texts,
  /** "boil the eggs FOR ten minutes": so does the duration. */
  lasting: texts,
  /** "my appointment IS on Tuesday": so does a time after one of these. */
  stating: texts.default([]),
  /** "turn the heating ON tomorrow": part of the verb. */
  particles: z
    .strictObject({
      words: texts,
      /** Verbs that need a particle, so it belongs to them before any day. */
      needing: texts,
      /**
       * Verbs that may have a particle. It belongs to them before a day that takes no preposition: "on
       * tomorrow".
       */
      taking: texts,
      /** With one of these, the verb already has its particle: "switch the lights OFF on Friday". */
      others: texts,
    })
    .default({ words: [], needing: [], taking: [], others: [] }),
  /** "swim 400 M": a distance, not a duration. */
  distances: texts,
  /** "THE Sunday paper": a day after one of these only describes the noun that follows. */
  articles: texts,
  /** Words after a day that are not a noun. */
  going_on: texts,
  /** Signs of an infinitive, if the verb comes last: "Brot ZU kaufen", "anZUrufen", "brood TE kopen". */
  infinitive_signs: texts.default([]),
  /** Words that may lead an infinitive: "OM brood te kopen". */
  infinitive_leads: texts.default([]),
});

interface FreeTextOptions {
  words: z.infer<typeof freeTextWordsSchema>;
  /** The ending of "tomorrow's". */
  whose: string;
  feasts: Readonly<Record<string, string>>;
  moments: MomentReader;
  dates: Pick<DateReader, 'read'>;
  durations: Pick<DurationReader, 'read'>;
  repeats: ReturnType<typeof createRepeatReader>;
  /** Words before a time, between two times, and after a time that depends on something else. */
  around: Readonly<Record<'before' | 'between' | 'behind', readonly string[]>>;
  /** "between three and four": the end of these words; null if none start here. */
  windowEnd: (said: readonly Word[], at: number) => number | null;
}

/** The position of a time in free text, and whether it repeats. */
export interface TimeInText {
  from: number;
  to: number;
  isRepeat: boolean;
  /** It names a day that was not understood, so the reminder must not default to today. */
  isDay?: boolean;
  moment: SaidMoment | null;
}

/** "between three and four": the exact time is open. */
const openTime: SaidMoment = {
  after: null,
  date: null,
  isToday: false,
  time: null,
  part: null,
  isOwnTime: true,
};

/** "THE EVENING pill" */
function isPartOnly({ part, time, date, after, isToday }: SaidMoment): boolean {
  return part !== null && time === null && date === null && after === null && !isToday;
}

function hasDay({ date, isVague, after }: SaidMoment): boolean {
  return date !== null || isVague === true || (after !== null && after.days !== null);
}

/**
 * Finds the times in the free text of a sentence, such as the text of a reminder. The stored text omits them.
 */
export function createFreeText({
  words,
  around,
  whose,
  feasts,
  moments,
  dates,
  durations,
  repeats,
  windowEnd,
}: FreeTextOptions) {
  const before = new Set([...words.articles, ...words.lasting, ...around.before]);
  const isOneOf = (phrases: readonly string[], word: Word | undefined) => phrases.includes(word?.word ?? '');

  /** "tomorrow's meeting", "Christmas presents", "the Sunday paper": a day that describes a noun. */
  const describes = (said: readonly Word[], from: number, end: number): boolean => {
    const text = joinedWords(said.slice(from, end));
    if (text.endsWith(whose)) return true;
    const next = said[end];
    const hasNoun = next !== undefined && next.gap === '' && !isOneOf(words.going_on, next);
    const isBefore = isOneOf(words.leading, said[from - 1]);
    return hasNoun && !isBefore && (Object.hasOwn(feasts, text) || isOneOf(words.articles, said[from - 1]));
  };

  /** "every Monday", but not "the MONTHLY report". */
  const repeatAt = (said: readonly Word[], from: number): Read<unknown> | null => {
    const found = repeats.read(said, from);
    return found && !describes(said, from, found.end) ? found : null;
  };
  const timeAt = (said: readonly Word[], from: number): TimeInText | null => {
    const often = repeatAt(said, from) ?? boundAt(said, from);
    if (often) return { from, to: often.end, isRepeat: true, moment: null };
    const window = windowEnd(said, from);
    if (window !== null) return { from, to: window, isRepeat: false, moment: openTime };
    if (isDeadline(said, from)) return null;
    return moments.read(said, from) ? momentAt(said, from) : lengthAt(said, from);
  };
  /** "be home by six": a deadline. A text never begins with one. */
  const isDeadline = (said: readonly Word[], from: number): boolean =>
    [from, from - 1].some((at) => at > 0 && isOneOf(words.deadlines, said[at]));
  /** "two weeks before the wedding", but not "before Friday" or "a present for Friday". */
  const isOnDay = (said: readonly Word[], from: number): boolean =>
    ![...words.deadlines, ...words.lasting].includes(said[from - 1]?.word ?? '');
  const momentAt = (said: readonly Word[], from: number): TimeInText | null => {
    const moment = moments.read(said, from);
    // "take the pills after lunch"
    if (!moment || moment.value.isOwnTime) return null;
    const day = dates.read(said, from);
    const isOnly = day?.end === moment.end || isPartOnly(moment.value);
    if (isOnly && describes(said, from, moment.end)) return null;
    const isDay = hasDay(moment.value) && isOnDay(said, from);
    return { from, to: moment.end, isRepeat: false, isDay, moment: moment.value };
  };
  const lengthAt = (said: readonly Word[], from: number): TimeInText | null => {
    const length = durations.read(said, from);
    if (!length || isOneOf(words.distances, said[length.end - 1])) return null;
    if (isOneOf(words.lasting, said[from - 1]) && length.value.ms < dayMs) return null;
    const isDay = length.value.ms >= dayMs && isOnDay(said, from);
    return { from, to: length.end, isRepeat: false, isDay, moment: null };
  };
  /** "for five days", "starting on Monday". */
  const boundAt = (said: readonly Word[], from: number): Read<null> | null => {
    const end = isOneOf(words.deadlines, said[from]) ? null : repeats.boundEnd(said, from);
    const isLong = end !== null && (durations.read(said, from + 1)?.value.ms ?? dayMs) >= dayMs;
    return end !== null && isLong ? { value: null, end } : null;
  };

  /** The start of a time, including words before it: "IN THE night", "ABOUT 20", "a cake FOR tomorrow". */
  const startOf = (said: readonly Word[], from: number): number => {
    let start = from;
    while (start > 0 && before.has(said[start - 1]?.word ?? '')) start -= 1;
    return start;
  };
  /** The end of a time, including words after it: "a week BEFORE THE WEDDING", "20 TO 30 minutes". */
  const endOf = (said: readonly Word[], to: number, next: number): number => {
    if (longestPhraseEnd(around.behind, said, to) !== null) return said.length;
    return longestPhraseEnd(around.between, said, to) === next ? next : to;
  };

  return {
    /** Whether the words contain a repetition. */
    isRepeated: (said: readonly Word[]) => said.some((_, at) => repeatAt(said, at) !== null),
    /** The words outside these times, grouped by adjacency. */
    without(said: readonly Word[], times: readonly TimeInText[]): Word[][] {
      const parts: Word[][] = [];
      let from = 0;
      for (const [at, time] of times.entries()) {
        const start = startOf(said, time.from);
        if (start > from) parts.push(said.slice(from, start));
        from = Math.max(from, endOf(said, time.to, times[at + 1]?.from ?? said.length));
      }
      return from < said.length ? [...parts, said.slice(from)] : parts;
    },
    /** All times in a text, in order. */
    timesIn(said: readonly Word[]): TimeInText[] {
      const found: TimeInText[] = [];
      for (let at = 0; at < said.length; ) {
        const time = timeAt(said, at);
        if (time) found.push(time);
        at = time?.to ?? at + 1;
      }
      const end = said.length;
      if (end > 0 && found.at(-1)?.to !== end && longestPhraseEnd(words.leading, said, end - 1) !== null)
        found.push({ from: end - 1, to: end, isRepeat: false, moment: null });
      return found;
    },
  };
}
