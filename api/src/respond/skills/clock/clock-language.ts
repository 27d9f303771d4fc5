import { z } from 'zod';
import { relativeDateWordsSchema } from '../../../language/calendar/date-reader.ts';
import { type Day, feastPattern, weekdayOf } from '../../../language/calendar/day.ts';
import { isTimeZone, type LocalTime } from '../../../language/calendar/time-zones.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import { fill, phraseSchema } from '../../../language/phrase.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import { loadSkill } from '../../core/skill-language.ts';

const texts = z.array(z.string());
const counted = z.strictObject({ one: phraseSchema(['n']), other: phraseSchema(['n']) });

const timeZone = z.string().refine(isTimeZone, 'is not a time zone');

/** The words of `skills/clock.yaml`. */
export const clockWordsSchema = z.strictObject({
  hours: z.union([z.literal(12), z.literal(24)]),
  am: z.string(),
  pm: z.string(),
  time_of_half_day: phraseSchema(['time', 'half']),
  midnight: z.string(),
  noon: z.string(),
  full_date: phraseSchema(['weekday', 'day', 'month']),
  full_date_with_year: phraseSchema(['weekday', 'day', 'month', 'year']),
  ordinals: z.record(z.enum(['one', 'two', 'few', 'other']), phraseSchema(['n'])),
  week: counted,
  day: counted,
  months: texts.length(12),
  month_first: z.boolean().default(false),
  before_figures: texts.default([]),
  weekdays: texts.length(7),
  whose: z.string().min(1),
  the: texts,
  of: texts,
  next: texts,
  in: texts,
  last: texts,
  months_away: z.record(z.string(), z.int()),
  days: z.record(z.string(), z.int()),
  feasts: z.record(z.string(), z.string().regex(feastPattern)),
  hour: counted,
  minute: counted,
  hours_and_minutes: phraseSchema(['hours', 'minutes']),
  /** Lengths in days: "two WEEKS from now". */
  relative: relativeDateWordsSchema,
  lengths: z.record(z.string(), z.int().positive()),
  /** The speaker's own place. */
  here: texts,
  places: z.record(z.string(), timeZone),
  regions: z.record(z.string(), timeZone.nullable()),
  zones: z.record(z.string(), timeZone),
  zone_kinds: texts,
  zone_words: texts,
  /** Adds the place to a time: "it is noon IN LONDON", "it is noon HERE". */
  at_place: phraseSchema(['place']),
  at_home: z.string(),
  around_here: texts,
});

const shape = {
  replies: {
    time: ['time'],
    time_will: ['time'],
    time_will_on: ['time', 'weekday'],
    time_was: ['time'],
    time_was_on: ['time', 'weekday'],
    time_in: ['time', 'place'],
    time_in_other_day: ['time', 'place', 'weekday'],
    time_on_zone: ['time', 'zone'],
    zone: ['place', 'zone', 'length'],
    zone_behind: ['place', 'zone', 'length'],
    zone_same: ['place', 'zone'],
    converted: ['time', 'from', 'there', 'place'],
    converted_next_day: ['time', 'from', 'there', 'place'],
    converted_day_before: ['time', 'from', 'there', 'place'],
    zones_later: ['length', 'later', 'than'],
    zones_same: ['one', 'other'],
    set_zone: [],
    later_in: ['place', 'other', 'length'],
    same_time: ['place', 'other'],
    yes_today: ['date'],
    no_today: ['date'],
    yes_day: ['subject', 'date'],
    no_day: ['subject', 'date'],
    date_in: ['place', 'date'],
    zone_here: ['zone'],
    several_zones: [],
    date: ['date'],
    date_and_time: ['date', 'time'],
    day_of: ['subject', 'date'],
    day_was: ['subject', 'date'],
    date_is: ['date'],
    date_was: ['date'],
    year: ['year'],
    month: ['month'],
    until_today: [],
    until_own: [],
    until_one: ['subject'],
    until: ['days', 'subject'],
    until_past: ['days', 'subject'],
    until_yesterday: ['subject'],
    week_number: ['number'],
    year_left: ['days', 'year'],
    leap_year: ['year'],
    no_leap_year: ['year'],
    between: ['from', 'to', 'days'],
    between_weeks: ['from', 'to', 'weeks'],
    between_weeks_and_days: ['from', 'to', 'weeks', 'days'],
    weeks: ['weeks', 'subject'],
    weeks_and_days: ['weeks', 'days', 'subject'],
  },
  words: clockWordsSchema,
} as const;

/** Loads the words for times and dates from `skills/clock.yaml`. Other skills use the same words. */
export function loadClock(files: LanguageFiles): Clock {
  const before = clocks.get(files);
  if (before) return before;
  const loaded = readClock(files);
  clocks.set(files, loaded);
  return loaded;
}

const readClock = (files: LanguageFiles) => loadSkill(files, 'clock', shape);
type Clock = ReturnType<typeof readClock>;
const clocks = new WeakMap<LanguageFiles, Clock>();

/** Times and dates in the language's words. */
export function createDateWords(
  words: z.infer<typeof clockWordsSchema>,
  { formOf, ordinalOf }: LanguageRules,
) {
  const ordinal = (n: number) => fill(words.ordinals[ordinalOf(n)], { n });
  const weekday = (day: Day) => words.weekdays[weekdayOf(day)] ?? '';
  const month = (day: Day) => words.months[day.month - 1] ?? '';

  const feasts = Object.keys(words.feasts)
    .flatMap((feast) => feast.split(' '))
    .filter((word) => !words.the.includes(word) && !words.of.includes(word));
  const names = new Map([
    ...feasts.map((word) => [word.toLowerCase(), inTitleCase(word)] as const),
    ...[...words.weekdays, ...words.months].map((word) => [word.toLowerCase(), word] as const),
  ]);

  return {
    weekday,
    month,
    ordinal,
    /** A spoken date with capitals in its names: "friday", "the 24th of december". */
    name: (said: string) =>
      (said.endsWith(words.whose) ? said.slice(0, -words.whose.length) : said).replaceAll(
        // "1st" is no saint.
        /(?<!\p{N})[\p{L}']+/gu,
        (word) => names.get(word.toLowerCase()) ?? word,
      ),
    days: (n: number) => fill(words.day[formOf(n)], { n }),
    weeks: (n: number) => fill(words.week[formOf(n)], { n }),
    /** "two hours", "five hours and 30 minutes". */
    length(minutes: number): string {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      const inMinutes = fill(words.minute[formOf(rest)], { n: rest });
      if (hours === 0) return inMinutes;
      const inHours = fill(words.hour[formOf(hours)], { n: hours });
      return rest === 0 ? inHours : fill(words.hours_and_minutes, { hours: inHours, minutes: inMinutes });
    },
    time({ hour, minute }: LocalTime): string {
      const minutes = String(minute).padStart(2, '0');
      if (words.hours === 24) return `${hour}:${minutes}`;
      if (minute === 0 && hour % 12 === 0) return hour === 0 ? words.midnight : words.noon;
      const shown = `${hour % 12 || 12}${minute === 0 ? '' : `:${minutes}`}`;
      return fill(words.time_of_half_day, { time: shown, half: hour < 12 ? words.am : words.pm });
    },
    /** Includes the year if it is not the current one. */
    date(day: Day, today: Day): string {
      const values = { weekday: weekday(day), day: ordinal(day.day), month: month(day), year: day.year };
      return fill(day.year === today.year ? words.full_date : words.full_date_with_year, values);
    },
  };
}

/** "new york" is a name, in any case. */
export function inTitleCase(name: string): string {
  return /\p{Lu}/u.test(name)
    ? name
    : name.replaceAll(/(?<![\p{L}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase());
}
