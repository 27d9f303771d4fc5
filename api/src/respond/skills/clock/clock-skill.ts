import { numberOf } from '../../../language/calendar/day.ts';
import type { TimeReader } from '../../../language/calendar/time-reader.ts';
import { createClock, createPlaceReader } from '../../../language/calendar/time-zones.ts';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import { rulesOf, tagOf } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import { type Ask, defineSkill, type Skill } from '../../core/skill.ts';
import { createClockConversion } from './clock-conversion.ts';
import { createClockDays } from './clock-days.ts';
import { createClockElsewhere } from './clock-elsewhere.ts';
import { createDateWords, loadClock } from './clock-language.ts';
import { createClockReaders } from './clock-readers.ts';
import { clockIntents, createClockSlots } from './clock-slots.ts';
import { createClockSpans } from './clock-spans.ts';

const { tells } = clockIntents;

interface ClockOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  /** The household's time zone. */
  timeZone: string;
  /** Readers for times and durations. */
  read: { times: TimeReader; durations: DurationReader };
}

/** Time and date, here and elsewhere, and the days until a date. */
export function createClockSkill({ files, numbers, timeZone, read }: ClockOptions): Skill {
  const { reply, words, ...language } = loadClock(files);
  const rules = rulesOf(files);
  const clock = createClock();
  const say = createDateWords(words, rules);
  const here = ({ turn }: Ask) => clock(turn.createdAt, timeZone);
  const places = createPlaceReader(words.places, words.regions);
  /** "What time will it be in 26 minutes?", with the weekday if it is not today's. */
  const tellTime = (ask: Ask, at: number | null): string | null => {
    if (at === null) return null;
    const there = clock(at, timeZone);
    const isPast = at < ask.turn.createdAt;
    const values = { time: say.time(there), weekday: say.weekday(there) };
    if (numberOf(there) === numberOf(here(ask)))
      return reply(isPast ? 'time_was' : 'time_will', values, ask.turn);
    return reply(isPast ? 'time_was_on' : 'time_will_on', values, ask.turn);
  };
  const shared = { reply, words, say, clock, here, timeZone, language: tagOf(files) };

  return defineSkill({
    name: 'clock',
    ...language,
    slots: createClockSlots({
      places,
      times: read.times,
      durations: read.durations,
      dates: rules.createDateReader(words, numbers),
      numbers,
      read: createClockReaders(words, numbers),
    }),
    intents: {
      time: tells((ask) => reply('time', { time: say.time(here(ask)) }, ask.turn)),
      time_ahead: tells((ask, { length }) => tellTime(ask, length && ask.turn.createdAt + length.ms)),
      time_ago: tells((ask, { length }) => tellTime(ask, length && ask.turn.createdAt - length.ms)),
      date_and_time: tells((ask) => {
        const now = here(ask);
        return reply('date_and_time', { date: say.date(now, now), time: say.time(now) }, ask.turn);
      }),
      date: tells((ask) => reply('date', { date: say.date(here(ask), here(ask)) }, ask.turn)),
      year: tells((ask) => reply('year', { year: here(ask).year }, ask.turn)),
      month: tells((ask) => reply('month', { month: say.month(here(ask)) }, ask.turn)),
      ...createClockElsewhere(shared),
      ...createClockConversion(shared),
      set_zone: tells((ask) => reply('set_zone', {}, ask.turn)),
      ...createClockDays(shared),
      ...createClockSpans(shared),
    },
  });
}
