import type { z } from 'zod';
import type { DateReader } from '../../language/calendar/date-reader.ts';
import { type Day, dayFrom, numberOf, weekdayOf } from '../../language/calendar/day.ts';
import { type DayPart, dayPartNames } from '../../language/calendar/moment-reader.ts';
import type { Word } from '../../language/grammar/words.ts';
import { fill } from '../../language/phrase.ts';
import type { homeFactsShape } from './home-facts-shape.ts';

export type FactWords = z.infer<(typeof homeFactsShape)['words']>;

/** The days and the part of the day in a question. */
export interface QuestionDays {
  /** Day numbers, both inclusive. */
  from: number;
  to: number;
  part: DayPart | null;
  /** The question names no day. */
  isOpen: boolean;
}

/** The hours of each part of a day; a night ends on the next day. */
export const hoursOfPart: Readonly<Record<DayPart, readonly [number, number]>> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 23],
  night: [20, 30],
};

const saturday = 6;

interface QuestionDaysOptions {
  words: FactWords;
  dates: DateReader;
  weekday: (day: Day) => string;
  dateOf: (day: Day, today: Day) => string;
}

/** Finds the days anywhere in a question, and names them in answers. */
export function createQuestionDays({ words, dates, weekday, dateOf }: QuestionDaysOptions) {
  const isAny = (said: readonly Word[], any: readonly string[]) =>
    said.some(({ word }) => any.includes(word));
  const isOnly = (said: readonly Word[], any: readonly string[]) =>
    said.every(({ word }) => any.includes(word));

  const dayIn = (said: readonly Word[], today: Day): Day | null => {
    for (const at of said.keys()) {
      const found = dates.read(said, at);
      const day = found?.value(today);
      if (day) return day;
    }
    return null;
  };

  const partOf = (said: readonly Word[]): DayPart | null =>
    dayPartNames.find((part) => isAny(said, words.parts[part])) ?? null;

  const read = (said: readonly Word[], today: Day): QuestionDays => {
    const now = numberOf(today);
    const part = isAny(said, words.tonight) ? 'night' : partOf(said);
    const day = dayIn(said, today);
    if (day) return { from: numberOf(day), to: numberOf(day), part, isOpen: false };
    if (isAny(said, words.weekend)) {
      const ahead = weekdayOf(today) === 0 ? 0 : saturday - weekdayOf(today);
      return { from: now + ahead, to: now + ahead + (weekdayOf(today) === 0 ? 0 : 1), part, isOpen: false };
    }
    if (isAny(said, words.week)) return { from: now, to: now + 6, part: null, isOpen: false };
    return { from: now, to: now, part, isOpen: part === null };
  };

  /** "today", "tomorrow morning", "on Friday", "tonight". */
  const name = (number: number, part: DayPart | null, today: Day): string => {
    const ahead = number - numberOf(today);
    if (ahead === 0) return part ? words.parts_today[part] : words.today;
    const day = dayFrom(number);
    const far = ahead < 0 || ahead > 6 ? dateOf(day, today) : weekday(day);
    const named = ahead === 1 ? words.tomorrow : fill(words.on_day, { day: far });
    return part ? fill(words.day_part, { day: named, part: words.parts_named[part] }) : named;
  };

  return { read, name, isAny, isOnly };
}

export type QuestionDaysReader = ReturnType<typeof createQuestionDays>;
