import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import { numberOf } from '../../../language/calendar/day.ts';
import { createClock, createPlaceReader } from '../../../language/calendar/time-zones.ts';
import { withCapital } from '../../../language/capitals.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import { rulesOf } from '../../../language/rules.ts';
import type { Ask, Skill } from '../skill.ts';
import { slotOf } from '../slot.ts';
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
      { subject: withCapital(subject(ask)), date: say.date(day, here(ask)) },
      ask.turn,
    );
  };

  const until = (ask: Ask) => {
    const day = dateOf(ask);
    if (!day) return null;
    const days = numberOf(day) - numberOf(here(ask));
    const [name, start] = [subject(ask), withCapital(subject(ask))];
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
