import {
  type createClock,
  type LocalTime,
  minutesAhead,
  zoneName,
} from '../../../language/calendar/time-zones.ts';
import type { Ask } from '../../core/skill.ts';
import { type createDateWords, inTitleCase, type loadClock } from './clock-language.ts';
import { type ClockSaid, clockIntents } from './clock-slots.ts';

const { tells } = clockIntents;

type Clock = ReturnType<typeof loadClock>;

/** Dependencies for times in other places. */
export interface PlaceTelling {
  reply: Clock['reply'];
  words: Clock['words'];
  clock: ReturnType<typeof createClock>;
  /** Language tag for the names of time zones. */
  language: string;
  say: ReturnType<typeof createDateWords>;
}

interface ElsewhereOptions extends PlaceTelling {
  /** The household's time zone. */
  timeZone: string;
  here: (ask: Ask) => LocalTime;
}

/** Answers the time in other places, and its difference from here. */
export function createClockElsewhere({
  reply,
  words,
  say,
  clock,
  here,
  timeZone,
  language,
}: ElsewhereOptions) {
  /** "london" and "london's" are the same place. */
  const placeIn = ({ place, placeName, owner, ownerName }: ClockSaid) => ({
    place: place ?? owner,
    placeName: placeName ?? ownerName?.slice(0, -words.whose.length) ?? null,
  });

  const timeIn = (ask: Ask, said: ClockSaid) => {
    const { place, placeName } = placeIn(said);
    if (place === null || placeName === null) return null;
    const [there, home] = [clock(ask.turn.createdAt, place), here(ask)];
    const values = { time: say.time(there), place: inTitleCase(placeName), weekday: say.weekday(there) };
    return reply(there.day === home.day ? 'time_in' : 'time_in_other_day', values, ask.turn);
  };

  /** "India is on India Standard Time, four hours and 30 minutes ahead of here." */
  const zoneOf = (ask: Ask, { place, placeName }: Pick<ClockSaid, 'place' | 'placeName'>) => {
    if (place === null || placeName === null) return null;
    const at = ask.turn.createdAt;
    const ahead = minutesAhead(clock(at, place), here(ask));
    const zone = zoneName(at, { timeZone: place, language });
    const values = { place: inTitleCase(placeName), zone };
    if (ahead === 0) return reply('zone_same', values, ask.turn);
    const length = say.length(Math.abs(ahead));
    return reply(ahead > 0 ? 'zone' : 'zone_behind', { ...values, length }, ask.turn);
  };

  /** Without another place, the difference from here. */
  const difference = (ask: Ask, { place, placeName, other, otherName }: ClockSaid) => {
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

  return {
    time_in: tells(timeIn),
    time_on_zone: tells((ask, { zone }) => {
      if (zone === null) return null;
      const at = ask.turn.createdAt;
      const values = { time: say.time(clock(at, zone)), zone: zoneName(at, { timeZone: zone, language }) };
      return reply('time_on_zone', values, ask.turn);
    }),
    date_in: tells((ask, said) => {
      const { place, placeName } = placeIn(said);
      if (place === null || placeName === null) return null;
      const there = clock(ask.turn.createdAt, place);
      return reply('date_in', { place: inTitleCase(placeName), date: say.date(there, here(ask)) }, ask.turn);
    }),
    several_zones: tells((ask) => reply('several_zones', {}, ask.turn)),
    zone_here: tells((ask) =>
      reply('zone_here', { zone: zoneName(ask.turn.createdAt, { timeZone, language }) }, ask.turn),
    ),
    zone_of: tells((ask, said) => zoneOf(ask, placeIn(said))),
    difference: tells(difference),
  };
}
