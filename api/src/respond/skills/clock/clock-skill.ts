import { numberOf } from '../../../language/calendar/day.ts';
import { createClock, createPlaceReader } from '../../../language/calendar/time-zones.ts';
import { withCapital } from '../../../language/capitals.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import { rulesOf } from '../../../language/rules.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../skill.ts';
import { type SaidIn, slotOf, textIn } from '../slot.ts';
import { createDateWords, inTitleCase, loadClock } from './clock-language.ts';

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
  const places = createPlaceReader(words.places);
  const dates = rules.createDateReader(words, numbers);
  const say = createDateWords(words, rules);

  const slots = {
    place: slotOf(places.read),
    placeName: textIn('place'),
    date: slotOf(dates.read),
    dateName: textIn('date'),
  };
  type Said = SaidIn<typeof slots>;
  const { tells } = intentsOf<Said>();

  const here = ({ turn }: Ask) => clock(turn.createdAt, timeZone);
  /** A day as it was named, within a sentence and at its start. */
  const subjectOf = ({ dateName }: Said) => {
    const name = say.name(dateName ?? '');
    return { name, start: withCapital(name) };
  };

  const timeIn = (ask: Ask, { place, placeName }: Said) => {
    if (place === null || placeName === null) return null;
    const [there, home] = [clock(ask.turn.createdAt, place), here(ask)];
    const values = { time: say.time(there), place: inTitleCase(placeName), weekday: say.weekday(there) };
    return reply(there.day === home.day ? 'time_in' : 'time_in_other_day', values, ask.turn);
  };

  const dayOf = (ask: Ask, said: Said) => {
    const today = here(ask);
    const day = said.date?.(today) ?? null;
    if (!day) return null;
    const values = { subject: subjectOf(said).start, date: say.date(day, today) };
    return reply(numberOf(day) < numberOf(today) ? 'day_was' : 'day_of', values, ask.turn);
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
      date: tells((ask) => reply('date', { date: say.date(here(ask), here(ask)) }, ask.turn)),
      day_of: tells(dayOf),
      year: tells((ask) => reply('year', { year: here(ask).year }, ask.turn)),
      month: tells((ask) => reply('month', { month: say.month(here(ask)) }, ask.turn)),
      until: tells(until),
      weeks_until: tells(weeksUntil),
    },
  });
}
