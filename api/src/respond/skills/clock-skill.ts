import { z } from 'zod';
import { createDateReader, type SaidDate } from '../calendar/date-reader.ts';
import { type Day, feastPattern, numberOf, weekdayOf } from '../calendar/day.ts';
import { createClock, createPlaceReader, isTimeZone, type LocalTime } from '../calendar/time-zones.ts';
import type { LanguageFiles } from '../language.ts';
import type { NumberReader } from '../numbers/number-reader.ts';
import { fill, phraseSchema } from '../phrase.ts';
import type { Ask, Skill } from './skill.ts';
import { loadSkill } from './skill-language.ts';
import { slotOf } from './slot.ts';

const texts = z.array(z.string());
const counted = z.strictObject({ one: phraseSchema(['n']), other: phraseSchema(['n']) });

const wordsSchema = z.strictObject({
  hours: z.union([z.literal(12), z.literal(24)]),
  am: z.string(),
  pm: z.string(),
  midnight: z.string(),
  noon: z.string(),
  full_date: phraseSchema(['weekday', 'day', 'month']),
  full_date_with_year: phraseSchema(['weekday', 'day', 'month', 'year']),
  ordinals: z.record(z.enum(['one', 'two', 'few', 'other']), phraseSchema(['n'])),
  week: counted,
  day: counted,
  months: texts.length(12),
  weekdays: texts.length(7),
  the: texts,
  of: texts,
  next: texts,
  days: z.record(z.string(), z.int()),
  feasts: z.record(z.string(), z.string().regex(feastPattern)),
  places: z.record(z.string(), z.string().refine(isTimeZone, 'is no time zone')),
});

const shape = {
  intents: ['time', 'time_in', 'date', 'day_of', 'year', 'month', 'until', 'weeks_until'],
  replies: {
    time: ['time'],
    time_in: ['time', 'place'],
    time_in_other_day: ['time', 'place', 'weekday'],
    date: ['date'],
    day_of: ['subject', 'date'],
    day_was: ['subject', 'date'],
    year: ['year'],
    month: ['month'],
    until_today: [],
    until_one: ['subject'],
    until: ['days', 'subject'],
    until_past: ['days', 'subject'],
    until_yesterday: ['subject'],
    weeks: ['weeks', 'subject'],
    weeks_and_days: ['weeks', 'days', 'subject'],
  },
  words: wordsSchema,
} as const;

interface ClockOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  /** The household's own. */
  timeZone: string;
}

/** Time and date, here and elsewhere, and how long it is to a day. */
export function createClockSkill({ files, numbers, timeZone }: ClockOptions): Skill {
  const { reply, words, ...language } = loadSkill(files, 'clock', shape);
  const clock = createClock();
  const places = createPlaceReader(words.places);
  const dates = createDateReader(words, numbers);
  const say = createDateWords(words);

  const here = ({ turn }: Ask) => clock(turn.createdAt, timeZone);
  const dateOf = (ask: Ask) => {
    const said: SaidDate | undefined = dates.read(ask.words('date'), 0)?.value;
    return said?.(here(ask)) ?? null;
  };

  const subject = (ask: Ask) => say.name(ask.said('date'));

  const timeIn = (ask: Ask) => {
    const zone = places.read(ask.words('place'), 0);
    if (!zone) return null;
    const [there, home] = [clock(ask.turn.createdAt, zone.value), here(ask)];
    const values = {
      time: say.time(there),
      place: inTitleCase(ask.said('place')),
      weekday: say.weekday(there),
    };
    return reply(there.day === home.day ? 'time_in' : 'time_in_other_day', values, ask.turn);
  };

  const dayOf = (ask: Ask) => {
    const day = dateOf(ask);
    if (!day) return null;
    const isPast = numberOf(day) < numberOf(here(ask));
    return reply(
      isPast ? 'day_was' : 'day_of',
      { subject: say.atStart(subject(ask)), date: say.date(day, here(ask)) },
      ask.turn,
    );
  };

  const until = (ask: Ask) => {
    const day = dateOf(ask);
    if (!day) return null;
    const days = numberOf(day) - numberOf(here(ask));
    const [name, start] = [subject(ask), say.atStart(subject(ask))];
    if (days === 0) return reply('until_today', {}, ask.turn);
    if (days === 1) return reply('until_one', { subject: name }, ask.turn);
    if (days === -1) return reply('until_yesterday', { subject: start }, ask.turn);
    if (days < 0) return reply('until_past', { subject: start, days: -days }, ask.turn);
    return reply('until', { subject: name, days }, ask.turn);
  };

  const weeksUntil = (ask: Ask) => {
    const day = dateOf(ask);
    const days = day ? numberOf(day) - numberOf(here(ask)) : 0;
    if (days < 7) return until(ask);
    const values = {
      subject: subject(ask),
      weeks: say.weeks(Math.floor(days / 7)),
      days: say.days(days % 7),
    };
    return reply(days % 7 === 0 ? 'weeks' : 'weeks_and_days', values, ask.turn);
  };

  return {
    name: 'clock',
    ...language,
    slotTypes: { place: slotOf(places.read), date: slotOf(dates.read) },
    intents: {
      time: { effect: 'none', answer: (ask) => reply('time', { time: say.time(here(ask)) }, ask.turn) },
      time_in: { effect: 'none', answer: timeIn },
      date: {
        effect: 'none',
        answer: (ask) => reply('date', { date: say.date(here(ask), here(ask)) }, ask.turn),
      },
      day_of: { effect: 'none', answer: dayOf },
      year: { effect: 'none', answer: (ask) => reply('year', { year: here(ask).year }, ask.turn) },
      month: { effect: 'none', answer: (ask) => reply('month', { month: say.month(here(ask)) }, ask.turn) },
      until: { effect: 'none', answer: until },
      weeks_until: { effect: 'none', answer: weeksUntil },
    },
  };
}

/** Times and dates in the words of the language. */
function createDateWords(words: z.infer<typeof wordsSchema>) {
  const plural = new Intl.PluralRules('en', { type: 'ordinal' });
  const ordinal = (n: number) => {
    const rule = plural.select(n);
    const known = rule === 'one' || rule === 'two' || rule === 'few' ? rule : 'other';
    return fill(words.ordinals[known], { n });
  };
  const weekday = (day: Day) => words.weekdays[weekdayOf(day)] ?? '';
  const month = (day: Day) => words.months[day.month - 1] ?? '';

  const names = new Map(
    [...words.weekdays, ...words.months, ...Object.keys(words.feasts).flatMap((feast) => feast.split(' '))]
      .filter((word) => !words.the.includes(word) && !words.of.includes(word))
      .map((word) => [word.toLowerCase(), inTitleCase(word)]),
  );

  return {
    weekday,
    month,
    /** A date as it was said, its names with capitals: "friday", "the 24th of december". */
    name: (said: string) =>
      said.replace(/'s$/, '').replaceAll(/[\p{L}']+/gu, (word) => names.get(word.toLowerCase()) ?? word),
    atStart: (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
    days: (n: number) => fill(n === 1 ? words.day.one : words.day.other, { n }),
    weeks: (n: number) => fill(n === 1 ? words.week.one : words.week.other, { n }),
    time({ hour, minute }: LocalTime): string {
      const minutes = String(minute).padStart(2, '0');
      if (words.hours === 24) return `${hour}:${minutes}`;
      if (minute === 0 && hour % 12 === 0) return hour === 0 ? words.midnight : words.noon;
      const shown = `${hour % 12 || 12}${minute === 0 ? '' : `:${minutes}`}`;
      return `${shown} ${hour < 12 ? words.am : words.pm}`;
    },
    /** With the year where it is not this one. */
    date(day: Day, today: Day): string {
      const values = { weekday: weekday(day), day: ordinal(day.day), month: month(day), year: day.year };
      return fill(day.year === today.year ? words.full_date : words.full_date_with_year, values);
    },
  };
}

/** "new york" is a name, however it was written. */
function inTitleCase(name: string): string {
  return /\p{Lu}/u.test(name)
    ? name
    : name.replaceAll(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase());
}
