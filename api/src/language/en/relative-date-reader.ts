import type { DateReader, DateWords, SaidDate } from '../calendar/date-reader.ts';
import {
  clampedDay,
  type Day,
  dayFrom,
  dayIn,
  isDay,
  monthAfter,
  numberOf,
  weekdayIn,
  weekdayOf,
} from '../calendar/day.ts';
import { createNameReader } from '../grammar/name-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import { remembered } from '../grammar/remembered.ts';
import { joinedWords, type Word } from '../grammar/words.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';

type Month = Pick<Day, 'year' | 'month'>;
type Rule = (said: readonly Word[], from: number) => Read<SaidDate> | null;

/** A day number this low may mean something else: "the first timer". */
const maxPick = 3;

/**
 * English dates relative to another one: "a week from Friday", "Tuesday week", "the Friday after next", "the
 * 15th".
 */
export function createRelativeDateReader(
  plain: Pick<DateReader, 'read'>,
  known: DateWords,
  numbers: NumberReader,
): DateReader {
  const { relative } = known;
  const months = known.months.map((name) => name.toLowerCase());
  const weekdays = createNameReader(new Map(known.weekdays.map((name, at) => [name.toLowerCase(), at])));
  const weeksAway = createNameReader(new Map(Object.entries(relative.weeks_away)));
  const lengthsLater = createNameReader(new Map(Object.entries(relative.lengths_later)));
  const lengthAt = createLengthReader(known, numbers);
  const { edge, weekdayOfMonth, monthDay } = createMonthRules(known, { numbers, months, weekdays });
  const mapped = (date: SaidDate, to: (day: Day) => Day): SaidDate => {
    return (today) => {
      const day = date(today);
      return day && to(day);
    };
  };

  /**
   * "a week from Friday", "two days before Christmas", "a week on Tuesday", "a fortnight tomorrow", "the day
   * after Thanksgiving".
   */
  const shifted: Rule = (said, from) => {
    const theDay = longestPhraseEnd(relative.the_day, said, from);
    const oneDay = (day: Day, sign: 1 | -1) => dayFrom(numberOf(day) + sign);
    const length = theDay === null ? lengthAt(said, from) : { value: oneDay, end: theDay };
    if (!length) return null;
    const before = longestPhraseEnd(relative.before, said, length.end);
    const after = longestPhraseEnd(relative.after, said, length.end);
    if (theDay !== null && before === null && after === null) return null;
    const at = before ?? after ?? skipPhrase(relative.on, said, length.end);
    const date = anchor(said, at);
    const sign = before === null ? 1 : -1;
    return date && { value: mapped(date.value, (day) => length.value(day, sign)), end: date.end };
  };

  /** "the Friday before Christmas". */
  const beside: Rule = (said, from) => {
    const weekday = weekdays(said, skipPhrase(known.the, said, from));
    if (!weekday) return null;
    const before = longestPhraseEnd(relative.before, said, weekday.end);
    const after = before === null ? longestPhraseEnd(relative.after, said, weekday.end) : null;
    const date = before === null && after === null ? null : anchor(said, before ?? after ?? 0);
    if (!date) return null;
    const away = (day: Day) => (weekday.value - weekdayOf(day) + 7) % 7;
    const to = (day: Day) => {
      const ahead = before === null ? away(day) || 7 : away(day) - 7;
      return dayFrom(numberOf(day) + ahead);
    };
    return { value: mapped(date.value, to), end: date.end };
  };

  /** "Tuesday week", "the Friday after next", "Tuesday next week", "Friday the 13th". */
  const ofWeekday: Rule = (said, from) => {
    const weekday = weekdays(said, skipPhrase(known.the, said, from));
    if (!weekday) return null;
    const later = longestPhraseEnd(relative.week_later, said, weekday.end);
    if (later !== null) return { value: coming(weekday.value, 7), end: later };
    const week = weeksAway(said, skipPhrase(known.in, said, weekday.end));
    if (week) return { value: inWeek(weekday.value, week.value), end: week.end };
    const date = plain.read(said, weekday.end) ?? monthDay(said, weekday.end, true);
    if (!date || weekdays(said, weekday.end)) return null;
    const same: SaidDate = (today) => {
      const day = date.value(today);
      if (day && day.day === 13 && weekday.value === friday) return nextFriday13(day);
      return day && weekdayOf(day) === weekday.value ? day : null;
    };
    return { value: same, end: date.end };
  };
  /** "tomorrow week", "next Thursday fortnight". */
  const weeksLater: Rule = (said, from) => {
    const day = plain.read(said, from);
    if (!day) return null;
    const name = joinedWords(said.slice(from, day.end));
    const isNamed = Object.hasOwn(known.days, name) || weekdays(said, day.end - 1) !== null;
    const later = isNamed ? lengthsLater(said, day.end) : null;
    return (
      later && { value: mapped(day.value, (date) => dayFrom(numberOf(date) + later.value)), end: later.end }
    );
  };
  /** "next week on Tuesday". */
  const weekFirst: Rule = (said, from) => {
    const week = weeksAway(said, from);
    const weekday = week && weekdays(said, skipPhrase(relative.on, said, week.end));
    return week && weekday && { value: inWeek(weekday.value, week.value), end: weekday.end };
  };

  const alone: Rule = (said, from) => monthDay(said, from, relative.on.includes(said[from - 1]?.word ?? ''));

  /** Rules for a base date, which is not relative itself. */
  const anchors: readonly Rule[] = [
    plain.read,
    ofWeekday,
    weeksLater,
    weekFirst,
    edge,
    weekdayOfMonth,
    alone,
  ];
  const anchor: Rule = remembered((said, from) => longestOf(anchors, said, from));

  return {
    read: remembered((said, from) => longestOf([...anchors, shifted, beside], said, from)),
    readWeekday: weekdays,
    monthNumber(word) {
      const at = months.indexOf(word);
      return at < 0 ? null : at + 1;
    },
    readAhead(said, from) {
      const length = lengthAt(said, from);
      return length && { value: (today) => length.value(today, 1), end: length.end };
    },
  };
}

/** "two weeks" as a step from one day to another. */
function createLengthReader({ lengths, relative }: DateWords, numbers: NumberReader) {
  const days = createNameReader(new Map(Object.entries(lengths)));
  const monthLengths = createNameReader(new Map(Object.entries(relative.months)));
  const counts = createNameReader(new Map(Object.entries(relative.counts)));

  const countAt = (said: readonly Word[], at: number): Read<number> | null => {
    const named = counts(said, at);
    if (named) return named;
    const number = numbers.read(said, at);
    return number?.value.bottom === 1n && number.value.top > 0n
      ? { value: Number(number.value.top), end: number.end }
      : null;
  };

  return (said: readonly Word[], at: number): Read<(from: Day, sign: 1 | -1) => Day> | null => {
    const count = countAt(said, at);
    if (!count) return null;
    const inDays = days(said, count.end);
    if (inDays) {
      const total = count.value * inDays.value;
      if (!Number.isInteger(total)) return null;
      return { value: (from, sign) => dayFrom(numberOf(from) + sign * total), end: inDays.end };
    }
    const inMonths = monthLengths(said, count.end);
    if (!inMonths) return null;
    const total = count.value * inMonths.value;
    if (!Number.isInteger(total)) return null;
    return { value: (from, sign) => clampedDay(monthAfter(from, sign * total), from.day), end: inMonths.end };
  };
}

interface MonthReaders {
  numbers: NumberReader;
  /** Lower-case names of the months. */
  months: readonly string[];
  weekdays: DateReader['readWeekday'];
}

/** Days by their place in a month. */
function createMonthRules(known: DateWords, { numbers, months, weekdays }: MonthReaders) {
  const { relative } = known;
  const monthsAway = createNameReader(new Map(Object.entries(known.months_away)));

  /** "of the month": this month, or the next if its day has passed. */
  const inMonth = (
    said: readonly Word[],
    from: number,
    dayOf: (month: Month) => Day,
  ): Read<SaidDate> | null => {
    const at = longestPhraseEnd(known.in, said, from);
    if (at === null) return null;
    const any = longestPhraseEnd(relative.any_month, said, at);
    if (any !== null) return { value: nextIn(dayOf), end: any };
    const away = monthsAway(said, at);
    if (away) return { value: (today) => dayIn(dayOf(monthAfter(today, away.value))), end: away.end };
    const month = months.indexOf(said[at]?.word ?? '') + 1;
    if (month === 0) return null;
    const named: SaidDate = (today) => {
      const year = [today.year, today.year + 1].find(
        (each) => numberOf(dayOf({ year: each, month })) >= numberOf(today),
      );
      return year === undefined ? null : dayIn(dayOf({ year, month }));
    };
    return { value: named, end: at + 1 };
  };
  /** "the end of the month", "the first day of December", "the end of the year". */
  const edge: Rule = (said, from) => {
    const last = longestPhraseEnd(relative.last_of, said, from);
    const first = longestPhraseEnd(relative.first_of, said, from);
    const at = last ?? first;
    if (at === null) return null;
    const found = inMonth(said, at, (month) => clampedDay(month, last === null ? 1 : 31));
    if (found) return found;
    const of = longestPhraseEnd(known.in, said, at);
    const year = last === null || of === null ? null : longestPhraseEnd(relative.this_year, said, of);
    return year === null ? null : { value: ({ year }) => ({ year, month: 12, day: 31 }), end: year };
  };
  /** "the last Friday of the month". */
  const weekdayOfMonth: Rule = (said, from) => {
    const at = skipPhrase(known.the, said, from);
    const isLast = known.last.includes(said[at]?.word ?? '');
    const which = isLast ? { value: -1, end: at + 1 } : numbers.readOrdinal(said, at);
    const weekday = which && weekdays(said, which.end);
    if (!weekday || which.value > 5) return null;
    const place = { weekday: weekday.value, which: which.value };
    return inMonth(said, weekday.end, (month) => weekdayIn(month, place));
  };
  /** "the 15th", "on the first", "the 5th of next month". */
  const monthDay = (said: readonly Word[], from: number, isOn: boolean): Read<SaidDate> | null => {
    const at = longestPhraseEnd(known.the, said, from);
    const ordinal = at === null ? null : numbers.readOrdinal(said, at);
    const day = ordinal ?? plainDay(said, from);
    if (!day || day.value < 1 || day.value > 31) return null;
    const dayOf = (month: Month) => ({ ...month, day: day.value });
    const whole = inMonth(said, day.end, dayOf);
    if (whole) return whole;
    // "the 17th OF EVERY MONTH", "the third FRIDAY of every month"
    if (longestPhraseEnd(known.of, said, day.end) !== null || weekdays(said, day.end)) return null;
    const mayBePick = ordinal !== null && day.value <= maxPick && !isOn && !isTimed(said, from, day.end);
    return mayBePick ? null : { value: nextIn(dayOf), end: day.end };
  };
  /** "the 1st AT 3:10", "de 1e OM 9": an ordinal in digits before a time of day. */
  const isTimed = (said: readonly Word[], from: number, end: number): boolean => {
    const [time, day] = [said[end + 1], joinedWords(said.slice(from, end))];
    // "24/12" is another date.
    if (!time || !/\d/.test(day) || day.includes('/')) return false;
    const hour = wholeNumber(numbers.read(said, end + 1));
    return /^\d+[:.]\d\d$/.test(time.word) || (hour !== null && hour.value <= 24);
  };
  /** "am 8.", "le 8": a number or an ordinal. */
  const plainDay = (said: readonly Word[], from: number): Read<number> | null => {
    const isBehind = relative.on_the.includes(said[from - 1]?.word ?? '');
    const at = longestPhraseEnd(relative.on_the, said, from) ?? (isBehind ? from : null);
    if (at === null) return null;
    const number = numbers.readOrdinal(said, at) ?? wholeNumber(numbers.read(said, at));
    return number && longestPhraseEnd(relative.not_alone, said, number.end) === null ? number : null;
  };

  return { edge, weekdayOfMonth, monthDay };
}

function wholeNumber(found: ReturnType<NumberReader['read']>): Read<number> | null {
  return found?.value.bottom === 1n ? { value: Number(found.value.top), end: found.end } : null;
}

function longestOf(rules: readonly Rule[], said: readonly Word[], from: number): Read<SaidDate> | null {
  let longest: Read<SaidDate> | null = null;
  for (const rule of said[from] ? rules : []) {
    const found = rule(said, from);
    if (found && found.end > (longest?.end ?? from)) longest = found;
  }
  return longest;
}

/** The next such weekday, and a number of days more. */
function coming(weekday: number, more: number): SaidDate {
  return (today) => dayFrom(numberOf(today) + ((weekday - weekdayOf(today) + 6) % 7) + 1 + more);
}

/** A weekday of this week or a later one. The week begins on Monday. */
function inWeek(weekday: number, weeks: number): SaidDate {
  return (today) => dayFrom(numberOf(today) - ((weekdayOf(today) + 6) % 7) + ((weekday + 6) % 7) + 7 * weeks);
}

const friday = 5;
/** Every 14 months contain one. */
const maxMonths = 14;

/** "Friday the 13th": people ask for the next one, in any month. */
function nextFriday13(from: Day): Day | null {
  const months = Array.from({ length: maxMonths }, (_, ahead) => monthAfter(from, ahead));
  return months.map((month) => ({ ...month, day: 13 })).find((day) => weekdayOf(day) === friday) ?? null;
}

/** The first month from this one on in which the day is still to come. */
function nextIn(dayOf: (month: Pick<Day, 'year' | 'month'>) => Day): SaidDate {
  return (today) => {
    for (let ahead = 0; ahead < 12; ahead += 1) {
      const day = dayOf(monthAfter(today, ahead));
      if (isDay(day) && numberOf(day) >= numberOf(today)) return day;
    }
    return null;
  };
}
