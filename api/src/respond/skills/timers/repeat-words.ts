import { z } from 'zod';
import type { DateReader, SaidDate } from '../../../language/calendar/date-reader.ts';
import { type Day, weekdayOf } from '../../../language/calendar/day.ts';
import { type DayPart, dayPartNames } from '../../../language/calendar/moment-reader.ts';
import { periodNamed, periodNames, type SaidPeriod } from '../../../language/calendar/period.ts';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../../../language/grammar/phrase-at.ts';
import { remembered } from '../../../language/grammar/remembered.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { AdjunctPhrase } from '../../core/skill.ts';
import { createWeekdayReader, weekdayCodes } from './weekday-reader.ts';

const texts = z.array(z.string());
/**
 * A recurrence rule, and its part of the day or its period: "FREQ=DAILY morning", "FREQ=DAILY next_week".
 * Empty: understood but not supported.
 */
const rules = z.record(z.string(), z.string());

export const repeatWordsSchema = z.strictObject({
  every: texts,
  every_what: rules,
  regularly: rules,
  /** "every OTHER Monday" */
  every_other: texts,
  /** "ON Mondays" */
  on_days: texts,
  /** "ON THE 30th of every month" */
  on_the: texts,
  /** "the first DAY of every month" */
  day: texts,
  /** "the 30th OF EVERY MONTH" */
  of_every_month: texts,
  /** "every 30th OF THE MONTH" */
  of_the_month: texts,
  /** "the LAST Friday of every month" */
  last_day: texts,
  /** "every three MONTHS" */
  months: texts,
  /** "TWICE a week", "three TIMES a day": a frequency without a time. */
  times_per: texts,
  so_often: texts,
  per: texts,
  per_what: texts,
  /** "every day UNTIL Friday", "FOR five days", "STARTING on Monday": the start or end of a repetition. */
  until: texts,
  lasting: texts,
  starting: texts,
  /** "from Monday ON" */
  onwards: texts,
  /** "Mondays AND Fridays" */
  and_days: texts,
  /** "FROM Monday TO Thursday" */
  from_days: texts,
  to_days: texts,
  /** "every day EXCEPT Sunday", and other exceptions with their days. */
  except: texts,
  except_what: z.record(z.string(), z.string()),
  /** "Monday MORNINGS": a part of several days. */
  plural_parts: z.partialRecord(z.enum(dayPartNames), texts).default({}),
  /** The names of a weekday: singular and plural. */
  week: z.record(z.enum(weekdayCodes), z.tuple([z.string(), z.string()])),
});

type RepeatWords = z.infer<typeof repeatWordsSchema>;

/** A spoken repetition. */
export interface SaidRepeat {
  /** RFC 5545; null: no alarm can repeat this way. */
  rule: string | null;
  part: DayPart | null;
  /** "All next week": only the days of this period. */
  period?: SaidPeriod | undefined;
  /** Its words mean a repetition only after another one: "on Saturday". */
  isAlso?: true;
}

/** The end of a repetition. `on` depends on today, `after` on the day of the first time. */
export type SaidEnd = { on: SaidDate } | { after: SaidDate };

interface RepeatReaderOptions {
  words: RepeatWords;
  durations: DurationReader;
  dates: Pick<DateReader, 'read' | 'readAhead' | 'monthNumber'>;
  numbers: Pick<NumberReader, 'read' | 'readOrdinal'>;
}

/**
 * Reads "daily", "every day except Sunday", "Monday to Friday", "every other Monday", "on the 30th of every
 * month".
 */
export function createRepeatReader({ words, durations, dates, numbers }: RepeatReaderOptions) {
  const [whats, regulars] = [Object.keys(words.every_what), Object.keys(words.regularly)];
  const namesOf = (phrases: object) => (phrases === words.every_what ? whats : regulars);
  const excepted = Object.keys(words.except_what);
  const ofPhrase = (phrases: Readonly<Record<string, string>>, said: readonly Word[], at: number) => {
    const end = longestPhraseEnd(namesOf(phrases), said, at);
    if (end === null) return null;
    const phrase = said.slice(at, end).map(({ word }) => word);
    const [rule = '', name] = (phrases[phrase.join(' ')] ?? '').split(' ');
    const part = dayPartNames.find((each) => each === name) ?? null;
    const within = periodNames.find((each) => each === name);
    const period = within && periodNamed(within);
    return { value: { rule: rule === '' ? null : rule, part, ...(period && { period }) }, end };
  };

  const { dayAt, daysAt, rangeAt, isOneOrSeveral } = createWeekdayReader(words);
  /** "Monday mornings", "Saturday and Sunday nights". */
  const partsOfDays = (said: readonly Word[], from: number): Read<SaidRepeat> | null => {
    const days = weekly(daysAt(said, from, false));
    const { word = '' } = said[days?.end ?? said.length] ?? {};
    const part = dayPartNames.find((name) => words.plural_parts[name]?.includes(word));
    return days && part ? { value: { ...days.value, part }, end: days.end + 1 } : null;
  };
  const weekly = (days: Read<string> | null, more = ''): Read<SaidRepeat> | null =>
    days && { value: { rule: `FREQ=WEEKLY${more};BYDAY=${days.value}`, part: null }, end: days.end };

  /** "30th", or a plain "30". */
  const dayOfMonth = (said: readonly Word[], at: number): Read<number> | null => {
    const ordinal = numbers.readOrdinal(said, at);
    const number = ordinal ? null : numbers.read(said, at);
    const isWhole = number?.value.bottom === 1n && number.value.top <= 31n;
    const day = isWhole ? { value: Number(number.value.top), end: number.end } : ordinal;
    return day && day.value >= 1 && day.value <= 31 ? day : null;
  };
  /** "1st and 15th". */
  const daysOfMonth = (said: readonly Word[], at: number): Read<number[]> | null => {
    const first = dayOfMonth(said, at);
    if (!first) return null;
    const and = longestPhraseEnd(words.and_days, said, first.end);
    const others = and === null ? null : daysOfMonth(said, skipPhrase(words.on_the, said, and));
    return { value: [first.value, ...(others?.value ?? [])], end: others?.end ?? first.end };
  };
  /** "30th of every month", "1st and 15th of every month". */
  const monthly = (said: readonly Word[], at: number, behind: readonly string[]): Read<SaidRepeat> | null => {
    const days = daysOfMonth(said, at);
    if (!days) return null;
    const end = longestPhraseEnd(behind, said, skipPhrase(words.day, said, days.end));
    return end === null ? null : { value: { rule: monthlyRule(days.value), part: null }, end };
  };

  /** "the first Monday of every month", "every second Tuesday of the month". */
  const monthlyDay = (
    said: readonly Word[],
    at: number,
    behind: readonly string[],
  ): Read<SaidRepeat> | null => {
    const last = longestPhraseEnd(words.last_day, said, at);
    const place = last === null ? numbers.readOrdinal(said, at) : { value: -1, end: last };
    const day = place && dayAt(said, place.end, false);
    if (!place || !day || place.value > 4) return null;
    const end = longestPhraseEnd(behind, said, place.end + 1);
    const rule = `FREQ=MONTHLY;BYDAY=${place.value}${day}`;
    return end === null ? null : { value: { rule, part: null }, end };
  };

  /**
   * "every third day". "Every third Sunday" is every three weeks, or the third one of a month: no rule fits.
   */
  const everyOrdinal = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const place = numbers.readOrdinal(said, at);
    if (!place) return null;
    const days = daysAt(said, place.end, false);
    if (days) return { value: { rule: null, part: null }, end: days.end };
    const day = longestPhraseEnd(words.day, said, place.end);
    if (day !== null) return { value: { rule: `FREQ=DAILY;INTERVAL=${place.value}`, part: null }, end: day };
    const next = longestPhraseEnd(words.and_days, said, place.end);
    return next === null ? null : everyOrdinal(said, next);
  };

  /** "every two Mondays" */
  const everyFewWeeks = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const number = numbers.read(said, at);
    if (!number || number.value.bottom !== 1n || number.value.top < 1n) return null;
    return weekly(daysAt(said, number.end, false), `;INTERVAL=${number.value.top}`);
  };

  /** "every three months" */
  const everyMonths = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const number = numbers.read(said, at);
    const end = number && longestPhraseEnd(words.months, said, number.end);
    if (!number || end === null || number.value.bottom !== 1n || number.value.top < 1n) return null;
    return { value: { rule: `FREQ=MONTHLY;INTERVAL=${number.value.top}`, part: null }, end };
  };

  /** "twice a week", "three times a day", "twice daily". */
  const soOften = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const number = numbers.read(said, at);
    const counted = number && longestPhraseEnd(words.times_per, said, number.end);
    const often = counted ?? longestPhraseEnd(words.so_often, said, at);
    if (often === null) return null;
    const per = longestPhraseEnd(words.per, said, often);
    // "twice DAILY"
    const adverb = ofPhrase(words.regularly, said, often)?.end ?? null;
    const end = per === null ? adverb : longestPhraseEnd(words.per_what, said, per);
    return end === null ? null : { value: { rule: null, part: null }, end };
  };

  /** "starting on Monday". */
  const startAt = (said: readonly Word[], at: number): Read<SaidDate> | null => {
    const from = longestPhraseEnd(words.starting, said, at);
    const date = from === null ? null : dates.read(said, from);
    return date && { value: date.value, end: skipPhrase(words.onwards, said, date.end) };
  };
  /** "until Christmas", "for five days". */
  const endAt = (said: readonly Word[], at: number): Read<SaidEnd> | null => {
    const lasting = longestPhraseEnd(words.lasting, said, at);
    const length = lasting === null ? null : dates.readAhead(said, lasting);
    if (length) return { value: { after: length.value }, end: length.end };
    const until = longestPhraseEnd(words.until, said, at);
    const date = until === null ? null : dates.read(said, until);
    return date && { value: { on: date.value }, end: date.end };
  };
  const boundEnd = (said: readonly Word[], at: number): number | null => {
    const lasting = longestPhraseEnd(words.lasting, said, at);
    const length = lasting === null ? null : durations.read(said, lasting);
    return (startAt(said, at) ?? endAt(said, at) ?? length)?.end ?? null;
  };
  /** "Monday UNTIL FRIDAY" names days of the week, not an end. */
  const isInRange = (said: readonly Word[], at: number): boolean =>
    [at, at - 1, at - 2].some((from) => from >= 0 && (rangeAt(said, from)?.end ?? 0) > at);
  const boundsBy =
    (read: (said: readonly Word[], at: number) => Read<unknown> | null) =>
    (said: readonly Word[]): AdjunctPhrase[] =>
      said.flatMap((_, from) => {
        const found = read(said, from);
        return found && !isInRange(said, from) ? [{ from, to: found.end, nameAt: from, isKnown: true }] : [];
      });

  /** "every 4th of July". "Every March" and "every Easter" name no fixed day of the year. */
  const everyYear = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const date = dates.read(said, at);
    const isMonth = dates.monthNumber(said[at]?.word ?? '') !== null;
    const end = date?.end ?? (isMonth ? at + 1 : null);
    return end === null ? null : { value: { rule: date && yearlyOn(date.value), part: null }, end };
  };

  const everyLength = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const found = durations.read(said, at);
    if (!found) return null;
    const { days, ms } = found.value;
    const count = days !== null && days > 0 && ms === days * 24 * 3_600_000 ? days : null;
    const isWeeks = count !== null && count % 7 === 0;
    const inDays = count === null ? null : `FREQ=DAILY;INTERVAL=${count}`;
    const rule = isWeeks ? `FREQ=WEEKLY;INTERVAL=${count / 7}` : inDays;
    return { value: { rule, part: null }, end: found.end };
  };

  /** "except Sunday". */
  const exceptAt = (said: readonly Word[], at: number): Read<string> | null => {
    const from = longestPhraseEnd(words.except, said, at);
    if (from === null) return null;
    const end = longestPhraseEnd(excepted, said, from);
    const phrase = said.slice(from, end ?? from).map(({ word }) => word);
    const what = words.except_what[phrase.join(' ')];
    if (end !== null && what !== undefined) return { value: what, end };
    return daysAt(said, from, false);
  };

  /** The rule with its day: "every two weeks ON MONDAY", "every month ON THE 5TH". Null: no day follows. */
  const ruleWithDay = (rule: string, said: readonly Word[], at: number): Read<string | null> | null => {
    const the = longestPhraseEnd(words.on_the, said, at);
    const on = longestPhraseEnd(words.on_days, said, at) ?? the;
    if (rule.includes('WEEKLY')) {
      const days = on === null ? null : daysAt(said, on, false);
      return days && { value: `${rule};BYDAY=${days.value}`, end: days.end };
    }
    const days = the === null || !rule.startsWith('FREQ=MONTHLY') ? null : daysOfMonth(said, the);
    const monthDays = days && monthlyRule(days.value);
    return days && { value: monthDays && rule.replace('FREQ=MONTHLY', monthDays), end: days.end };
  };

  /** A week, month or year, and perhaps its day: "every year ON MAY 5TH". */
  const withDay = (said: readonly Word[], found: Read<SaidRepeat>): Read<SaidRepeat> => {
    const { rule, part } = found.value;
    if (!rule || rule.includes('BY')) return found;
    const date = rule === yearly ? dates.read(said, skipPhrase(words.on_the, said, found.end)) : null;
    if (date) return { value: { rule: yearlyOn(date.value), part }, end: date.end };
    const whole = ruleWithDay(rule, said, found.end);
    return whole ? { value: { rule: whole.value, part }, end: whole.end } : found;
  };

  const readWhole = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const found = readOften(said, at);
    if (!found) return null;
    const whole = withDay(said, found);
    const left = exceptAt(said, whole.end);
    if (!left) return whole;
    return { value: { ...whole.value, rule: exceptDays(whole.value.rule, left.value) }, end: left.end };
  };

  const readOften = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const on = longestPhraseEnd(words.on_days, said, at);
    // "lunes" alone is one Monday in a language whose plural is the same.
    const areSeveral = on !== null || !isOneOrSeveral(said[at]);
    const regularly =
      weekly(rangeAt(said, at)) ??
      ofPhrase(words.regularly, said, at) ??
      soOften(said, at) ??
      monthly(said, skipPhrase(words.on_the, said, at), words.of_every_month) ??
      monthlyDay(said, skipPhrase(words.on_the, said, at), words.of_every_month) ??
      partsOfDays(said, on ?? at) ??
      weekly(areSeveral ? daysAt(said, on ?? at, true) : null);
    if (regularly) return regularly;
    const from = longestPhraseEnd(words.every, said, at);
    if (from === null) return null;
    const other = longestPhraseEnd(words.every_other, said, from);
    return (
      monthlyDay(said, from, words.of_the_month) ??
      ofPhrase(words.every_what, said, from) ??
      weekly(other === null ? null : daysAt(said, other, false), ';INTERVAL=2') ??
      weekly(daysAt(said, from, false)) ??
      monthly(said, from, words.of_the_month) ??
      everyOrdinal(said, from) ??
      everyMonths(said, from) ??
      everyFewWeeks(said, from) ??
      everyLength(said, from) ??
      everyYear(said, from)
    );
  };
  /** After another repetition: "every Monday and ON THE FIRST OF THE MONTH", "... and ON SATURDAY at 9". */
  const readAlso = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const on = longestPhraseEnd(words.on_days, said, at);
    const the = skipPhrase(words.on_the, said, at);
    const found =
      monthly(said, the, words.of_the_month) ??
      monthlyDay(said, the, words.of_the_month) ??
      weekly(on === null ? null : daysAt(said, on, false));
    return found && { ...found, value: { ...found.value, isAlso: true } };
  };
  /** "weekday", "daily", "Tuesday and Thursday" before a noun. One day alone does not repeat. */
  const named = (said: readonly Word[], at: number): Read<SaidRepeat> | null => {
    const daily = ofPhrase(words.regularly, said, at);
    if (daily?.value.rule === 'FREQ=DAILY' && daily.end === at + 1) return daily;
    const several = [
      ofPhrase(words.every_what, said, at),
      weekly(rangeAt(said, at)),
      weekly(daysAt(said, at, false)),
    ];
    return several.find((found) => found?.value.rule?.includes(',')) ?? null;
  };
  /** "On Monday and Friday", for positions where only days fit. */
  const daysAlone = (said: readonly Word[]): SaidRepeat | null => {
    const found = weekly(daysAt(said, longestPhraseEnd(words.on_days, said, 0) ?? 0, false));
    return found?.end === said.length ? found.value : null;
  };
  return {
    named,
    daysAlone,
    read: remembered(readWhole),
    readAlso,
    except: exceptAt,
    range: rangeAt,
    startAt,
    endAt,
    boundEnd,
    starts: boundsBy(startAt),
    ends: boundsBy(endAt),
  };
}

/** A rule without some weekdays; null if it is not weekly. */
export function exceptDays(rule: string | null, left: string): string | null {
  const days =
    rule === 'FREQ=DAILY' ? weekdayCodes.join(',') : /^FREQ=WEEKLY;BYDAY=(.+)$/.exec(rule ?? '')?.[1];
  const out = left.split(',');
  const stay = days?.split(',').filter((day) => !out.includes(day)) ?? [];
  return stay.length === 0 ? null : weeklyOn(stay.join(','));
}

/** The rule for these weekdays. */
export function weeklyOn(days: string): string {
  return `FREQ=WEEKLY;BYDAY=${days}`;
}

/** The rule moved one day later. Null: it names days of the month or year. */
export function dayAfter(rule: string): string | null {
  return ofMonthOrYear.test(rule) ? null : withDaysMoved(rule, 1);
}

/** The rule moved one day earlier, for weekdays only. */
export function dayBefore(rule: string): string {
  return ofMonthOrYear.test(rule) ? rule : withDaysMoved(rule, -1);
}

const ofMonthOrYear = /^FREQ=(MONTHLY|YEARLY)/;
const yearly = 'FREQ=YEARLY';

function withDaysMoved(rule: string, days: 1 | -1): string {
  const moved = (codes: string) => codes.split(',').map((code) => weekdays.indexOf(code) + days + 7);
  const inOrder = (codes: string) => {
    const places = new Set(moved(codes).map((place) => place % 7));
    return weekdayCodes.filter((_, place) => places.has(place)).join(',');
  };
  return rule.replace(/(?<=BYDAY=)[A-Z,]+/, inOrder);
}

const weekdays: readonly string[] = weekdayCodes;

/**
 * A rule without a day ("every month"), on a spoken day. Null: the day is not the same each time, such as
 * "tomorrow" or "the last Friday".
 */
export function onDate(rule: string, date: SaidDate, today: Day): string | null {
  if (rule.includes('BY')) return rule;
  if (rule === yearly) return yearlyOn(date);
  const day = date(today);
  if (day === null) return null;
  if (rule.startsWith('FREQ=MONTHLY') && datesIn(date).some((each) => each?.day !== day.day)) return null;
  return onDayOf(rule, day);
}

/** The rule for a day of the year. Null: its date changes, such as that of Easter. */
function yearlyOn(date: SaidDate): string | null {
  const [first, ...others] = datesIn(date);
  if (!first || others.some((each) => each?.month !== first.month || each.day !== first.day)) return null;
  return monthlyRuleOf(first.day).replace('FREQ=MONTHLY', `${yearly};BYMONTH=${first.month}`);
}

/** The dates that a spoken date means in two years, as said on the first of each month. */
function datesIn(date: SaidDate): (Day | null)[] {
  const months = Array.from({ length: 24 }, (_, at) => ({
    year: 2026 + Math.floor(at / 12),
    month: at % 12,
  }));
  return months.map(({ year, month }) => date({ year, month: month + 1, day: 1 }));
}

/** A rule without a day ("every two weeks"), on the day of its first time. */
export function onDayOf(rule: string, first: Day): string | null {
  if (rule.includes('BY')) return rule;
  if (rule === yearly) return null;
  if (rule.startsWith('FREQ=MONTHLY')) return rule.replace('FREQ=MONTHLY', monthlyRuleOf(first.day));
  if (!rule.startsWith('FREQ=WEEKLY')) return rule;
  return `${rule};BYDAY=${weekdayCodes[(weekdayOf(first) + 6) % 7] ?? ''}`;
}

/** The rule for these days of each month. Null: of several, each must be in every month. */
function monthlyRule(days: readonly number[]): string | null {
  const [day, ...others] = days;
  if (day === undefined) return null;
  if (others.length === 0) return monthlyRuleOf(day);
  const inOrder = [...new Set(days)].toSorted((one, other) => one - other);
  return inOrder.every((each) => each <= 28) ? `FREQ=MONTHLY;BYMONTHDAY=${inOrder.join(',')}` : null;
}

/** Every month has 28 days. A later day falls on the last day of a shorter month. */
function monthlyRuleOf(day: number): string {
  if (day <= 28) return `FREQ=MONTHLY;BYMONTHDAY=${day}`;
  const days = Array.from({ length: day - 27 }, (_, at) => 28 + at);
  return `FREQ=MONTHLY;BYMONTHDAY=${days.join(',')};BYSETPOS=-1`;
}
