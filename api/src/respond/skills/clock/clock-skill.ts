import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Day, dayFrom, isDay, numberOf, weekdayOf } from '../../../language/calendar/day.ts';
import {
  createClock,
  createPlaceReader,
  type LocalTime,
  minutesAhead,
  zoneName,
} from '../../../language/calendar/time-zones.ts';
import { withCapital } from '../../../language/capitals.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import { rulesOf } from '../../../language/rules.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../skill.ts';
import { readBy, type SaidIn, slotOf, textIn } from '../slot.ts';
import { createDateWords, inTitleCase, loadClock } from './clock-language.ts';
import { createClockReaders } from './clock-readers.ts';

interface ClockOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  /** The household's own. */
  timeZone: string;
}

/** Time and date, here and elsewhere, and how long it is to a day. */
export function createClockSkill({ files, numbers, timeZone }: ClockOptions): Skill {
  const { reply, words, ...language } = loadClock(files);
  const rules = rulesOf(files);
  const clock = createClock();
  const places = createPlaceReader(words.places, words.regions);
  const read = createClockReaders(words, numbers);
  const name = basename(fileURLToPath(files.folder));
  const dates = rules.createDateReader(words, numbers);
  const say = createDateWords(words, rules);

  const slots = {
    place: slotOf(places.read),
    placeName: textIn('place'),
    date: slotOf(dates.read),
    dateName: textIn('date'),
    owner: slotOf(read.whose(places.read)),
    ownerName: textIn('owner'),
    other: readBy(places.read),
    otherName: textIn('other'),
    zone: slotOf(read.zone),
    here: slotOf(read.here),
    ahead: slotOf(read.ahead),
    nth: slotOf(numbers.readOrdinal),
    weekday: slotOf(read.weekday),
  };
  type Said = SaidIn<typeof slots>;
  const { tells } = intentsOf<Said>();

  const here = ({ turn }: Ask) => clock(turn.createdAt, timeZone);
  /** A day as it was named, within a sentence and at its start. */
  const subjectOf = ({ dateName }: Said) => {
    const name = say.name(dateName ?? '');
    return { name, start: withCapital(name) };
  };

  /** "london" and "london's" are the same place. */
  const placeIn = ({ place, placeName, owner, ownerName }: Said) => ({
    place: place ?? owner,
    placeName: placeName ?? ownerName?.slice(0, -words.whose.length) ?? null,
  });

  const timeIn = (ask: Ask, said: Said) => {
    const { place, placeName } = placeIn(said);
    if (place === null || placeName === null) return null;
    const [there, home] = [clock(ask.turn.createdAt, place), here(ask)];
    const values = { time: say.time(there), place: inTitleCase(placeName), weekday: say.weekday(there) };
    return reply(there.day === home.day ? 'time_in' : 'time_in_other_day', values, ask.turn);
  };

  /** "India is on India Standard Time, four hours and 30 minutes ahead of here." */
  const zoneOf = (ask: Ask, { place, placeName }: Pick<Said, 'place' | 'placeName'>) => {
    if (place === null || placeName === null) return null;
    const at = ask.turn.createdAt;
    const ahead = minutesAhead(clock(at, place), here(ask));
    const zone = zoneName(at, { timeZone: place, language: name });
    const values = { place: inTitleCase(placeName), zone };
    if (ahead === 0) return reply('zone_same', values, ask.turn);
    const length = say.length(Math.abs(ahead));
    return reply(ahead > 0 ? 'zone' : 'zone_behind', { ...values, length }, ask.turn);
  };

  /** Without another place, the difference from here. */
  const difference = (ask: Ask, { place, placeName, other, otherName }: Said) => {
    if (place === null || placeName === null) return null;
    if (other === null || otherName === null) return zoneOf(ask, { place, placeName });
    const at = ask.turn.createdAt;
    const [one, two] = [inTitleCase(placeName), inTitleCase(otherName)];
    const ahead = minutesAhead(clock(at, place), clock(at, other));
    if (ahead === 0) return reply('same_time', { place: one, other: two }, ask.turn);
    const length = say.length(Math.abs(ahead));
    return reply(
      'later_in',
      ahead > 0 ? { place: one, other: two, length } : { place: two, other: one, length },
      ask.turn,
    );
  };

  const dayIs = (ask: Ask, day: Day, subject: string) => {
    const today = here(ask);
    const values = { subject, date: say.date(day, today) };
    return reply(numberOf(day) < numberOf(today) ? 'day_was' : 'day_of', values, ask.turn);
  };

  /** The next day of that number, of this month where it has not passed. */
  const dayOfNumber = (ask: Ask, { nth }: Said) => {
    const today = here(ask);
    const next = [0, 1, 2]
      .map((months) => monthAfter(today, months))
      .map((month) => ({ ...month, day: nth ?? 0 }))
      .find((day) => isDay(day) && numberOf(day) >= numberOf(today));
    return next ? reply('date', { date: say.date(next, today) }, ask.turn) : null;
  };

  const isToday = (ask: Ask, isSo: boolean) => {
    const date = say.date(here(ask), here(ask));
    return reply(isSo ? 'yes_today' : 'no_today', { date }, ask.turn);
  };

  const dayOf = (ask: Ask, said: Said) => {
    const day = said.date?.(here(ask)) ?? null;
    return day ? dayIs(ask, day, subjectOf(said).start) : null;
  };

  const until = (ask: Ask, said: Said) => {
    const day = said.date?.(here(ask)) ?? null;
    if (!day) return null;
    const days = numberOf(day) - numberOf(here(ask));
    const { name, start } = subjectOf(said);
    if (days === 0) return reply('until_today', {}, ask.turn);
    if (days === 1) return reply('until_one', { subject: name }, ask.turn);
    if (days === -1) return reply('until_yesterday', { subject: start }, ask.turn);
    if (days < 0) return reply('until_past', { subject: start, days: -days }, ask.turn);
    return reply('until', { subject: name, days }, ask.turn);
  };

  const weeksUntil = (ask: Ask, said: Said) => {
    const day = said.date?.(here(ask)) ?? null;
    const days = day ? numberOf(day) - numberOf(here(ask)) : 0;
    if (days < 7) return until(ask, said);
    const [weeks, others] = [say.weeks(Math.floor(days / 7)), say.days(days % 7)];
    const values = { subject: subjectOf(said).name, weeks, days: others };
    return reply(days % 7 === 0 ? 'weeks' : 'weeks_and_days', values, ask.turn);
  };

  return defineSkill({
    name: 'clock',
    ...language,
    slots,
    intents: {
      time: tells((ask) => reply('time', { time: say.time(here(ask)) }, ask.turn)),
      time_in: tells(timeIn),
      time_on_zone: tells((ask, { zone }) => {
        if (zone === null) return null;
        const at = ask.turn.createdAt;
        const values = {
          time: say.time(clock(at, zone)),
          zone: zoneName(at, { timeZone: zone, language: name }),
        };
        return reply('time_on_zone', values, ask.turn);
      }),
      zone_of: tells((ask, said) => zoneOf(ask, placeIn(said))),
      difference: tells(difference),
      date_and_time: tells((ask) => {
        const now = here(ask);
        return reply('date_and_time', { date: say.date(now, now), time: say.time(now) }, ask.turn);
      }),
      day_in: tells((ask, { ahead }) => {
        const today = here(ask);
        if (ahead === null) return null;
        return reply('date', { date: say.date(dayFrom(numberOf(today) + ahead), today) }, ask.turn);
      }),
      day_of_number: tells(dayOfNumber),
      is_today: tells((ask, { date }) => {
        const day = date?.(here(ask)) ?? null;
        return day && isToday(ask, numberOf(day) === numberOf(here(ask)));
      }),
      is_weekday: tells((ask, { weekday }) =>
        weekday === null ? null : isToday(ask, weekdayOf(here(ask)) === weekday),
      ),
      date: tells((ask) => reply('date', { date: say.date(here(ask), here(ask)) }, ask.turn)),
      day_of: tells(dayOf),
      year: tells((ask) => reply('year', { year: here(ask).year }, ask.turn)),
      month: tells((ask) => reply('month', { month: say.month(here(ask)) }, ask.turn)),
      until: tells(until),
      weeks_until: tells(weeksUntil),
    },
  });
}

function monthAfter({ year, month }: LocalTime, months: number): { year: number; month: number } {
  const from = year * 12 + month - 1 + months;
  return { year: Math.floor(from / 12), month: (from % 12) + 1 };
}
