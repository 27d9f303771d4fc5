import { z } from 'zod';
import { dayFrom, numberOf } from '../../../language/calendar/day.ts';
import { fill, joined, phraseSchema } from '../../../language/phrase.ts';
import { lastDayOf, type Repetition, wallTimeOf } from '../../../timers/repetition.ts';
import type { createDateWords } from '../clock/clock-language.ts';
import { dayBefore } from './repeat-words.ts';
import { weekdayCodes } from './weekday-reader.ts';

/** Words for a repetition: "every weekday at 6:30 AM". */
export const repeatTellingSchema = z.strictObject({
  at: phraseSchema(['often', 'time']),
  every: phraseSchema(['what']),
  every_other: phraseSchema(['what']),
  every_several: phraseSchema(['n', 'what']),
  /** The same for weeks if their gender differs: "jeden Tag", "jede Woche". */
  weekly: z
    .strictObject({
      every: phraseSchema(['what']),
      every_other: phraseSchema(['what']),
      every_several: phraseSchema(['n', 'what']).optional(),
    })
    .optional(),
  next: phraseSchema(['often', 'when']),
  until: phraseSchema(['often', 'date']),
  first: phraseSchema(['often', 'date']),
  counted: phraseSchema(['often', 'date']),
  on_days: phraseSchema(['often', 'days']),
  day: z.tuple([z.string(), z.string()]),
  week: z.tuple([z.string(), z.string()]),
  weekday: z.string(),
  monthly: phraseSchema(['day']),
  monthly_several: phraseSchema(['day', 'n']),
  yearly: phraseSchema(['day', 'month']),
  month_weekday: phraseSchema(['place', 'weekday']),
  places: z.record(z.string(), z.string()),
  month_end: z.string(),
  /** From the first to the thirty-first. */
  month_days: z.array(z.string()).length(31),
});

type Everys = NonNullable<z.infer<typeof repeatTellingSchema>['weekly']>;

interface RepeatTelling {
  words: { last: string; between: string; repeats: z.infer<typeof repeatTellingSchema> };
  dates: Pick<ReturnType<typeof createDateWords>, 'time' | 'weekday' | 'date' | 'month' | 'ordinal'>;
}

/** A Monday, from which the names of weekdays are derived. */
const monday = { year: 2026, month: 11, day: 23, hour: 0, minute: 0 } as const;
const weekOf: readonly string[] = weekdayCodes;
const workdays = 'MO,TU,WE,TH,FR';

/** Phrases a repetition: how often, and at which time. */
export function createRepeatTeller({ words, dates }: RepeatTelling) {
  const { time, weekday, date } = dates;
  const { repeats } = words;
  const times = (
    interval: number,
    [one, several]: readonly [string, string],
    { every, every_other: everyOther, every_several: everySeveral }: Everys = repeats,
  ): string => {
    if (interval === 1) return fill(every, { what: one });
    if (interval === 2) return fill(everyOther, { what: one });
    return fill(everySeveral ?? repeats.every_several, { n: interval, what: several });
  };
  const daysOf = (codes: string): string => {
    if (codes === workdays) return repeats.weekday;
    const days = codes.split(',').map((code) => weekOf.indexOf(code));
    return joined(
      days.map((day) => weekday({ ...monday, day: monday.day + day })),
      words,
    );
  };
  /** "second Tuesday" */
  const monthWeekday = (day: string): string | null => {
    const [, place = '', code = ''] = /^(-?\d)(\w\w)$/.exec(day) ?? [];
    const called = repeats.places[place];
    return called === undefined
      ? null
      : fill(repeats.month_weekday, { place: called, weekday: daysOf(code) });
  };
  /** "1st and 15th". With BYSETPOS, the days before the last one are for shorter months. */
  const monthDaysOf = (days: string, rule: string): string => {
    const all = days.split(',').map((day) => repeats.month_days[Number(day) - 1] ?? repeats.month_end);
    return joined(rule.includes('BYSETPOS') ? all.slice(-1) : all, words);
  };
  const yearlyOf = (parts: ReadonlyMap<string, string>): string => {
    const [month, days] = [Number(parts.get('BYMONTH')), parts.get('BYMONTHDAY') ?? ''];
    const day = Number(days.split(',').at(-1));
    return fill(repeats.yearly, { day: dates.ordinal(day), month: dates.month({ ...monday, month }) });
  };
  const monthlyOf = (parts: ReadonlyMap<string, string>, interval: number, rule: string): string => {
    const day = monthWeekday(parts.get('BYDAY') ?? '') ?? monthDaysOf(parts.get('BYMONTHDAY') ?? '', rule);
    return interval === 1
      ? fill(repeats.monthly, { day })
      : fill(repeats.monthly_several, { day, n: interval });
  };
  const weeklyOf = (days: string | undefined, interval: number): string => {
    if (days === undefined) return times(interval, repeats.week, repeats.weekly);
    const what = daysOf(days);
    if (interval > 2)
      return fill(repeats.on_days, { often: times(interval, repeats.week, repeats.weekly), days: what });
    return times(interval, [what, what]);
  };
  const oftenOf = (rule: string): string => {
    const parts = new Map(
      rule.split(';').map((part) => {
        const [key = '', value = ''] = part.split('=');
        return [key, value];
      }),
    );
    const interval = Number(parts.get('INTERVAL') ?? 1);
    if (parts.get('FREQ') === 'YEARLY') return yearlyOf(parts);
    if (parts.get('FREQ') === 'MONTHLY') return monthlyOf(parts, interval, rule);
    if (parts.get('FREQ') === 'DAILY') return times(interval, repeats.day);
    return weeklyOf(parts.get('BYDAY'), interval);
  };
  return (repetition: Repetition): string => {
    const wall = wallTimeOf(repetition);
    // Midnight is spoken as the end of a day.
    const isMidnight = wall.hour === 0 && wall.minute === 0;
    const rule = isMidnight ? dayBefore(repetition.rule) : repetition.rule;
    const often = fill(repeats.at, { often: oftenOf(rule), time: time(wall) });
    const last = lastDayOf(repetition.rule);
    if (!last) return often;
    const day = isMidnight ? dayFrom(numberOf(last) - 1) : last;
    return fill(repeats.until, { often, date: date(day, wall) });
  };
}
