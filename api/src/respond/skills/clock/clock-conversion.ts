import { numberOf } from '../../../language/calendar/day.ts';
import { instantOf } from '../../../language/calendar/instant.ts';
import { exactHour } from '../../../language/calendar/moment.ts';
import { minutesAhead, zoneName } from '../../../language/calendar/time-zones.ts';
import { fill } from '../../../language/phrase.ts';
import type { Ask } from '../../core/skill.ts';
import type { PlaceTelling } from './clock-elsewhere.ts';
import { inTitleCase } from './clock-language.ts';
import type { TimePlace } from './clock-readers.ts';
import { type ClockSaid, clockIntents } from './clock-slots.ts';

const { tells } = clockIntents;

interface ConversionOptions extends PlaceTelling {
  /** The household's time zone. */
  timeZone: string;
}

/** Converts a time of day between places or zones. */
export function createClockConversion({ reply, words, say, clock, language, timeZone }: ConversionOptions) {
  const zoneOf = ({ zone }: TimePlace) => zone ?? timeZone;

  /** "in London", "in Pacific Time", "here". */
  const where = (at: number, site: TimePlace, name: string): string => {
    if (site.kind === 'here') return words.at_home;
    if (site.kind === 'zone')
      return fill(words.at_place, { place: zoneName(at, { timeZone: zoneOf(site), language }) });
    return fill(words.at_place, { place: inTitleCase(withoutZoneWords(name)) });
  };
  const withoutZoneWords = (name: string): string => {
    const ending = words.zone_words.find((word) => name.toLowerCase().endsWith(` ${word}`));
    return ending === undefined ? name : name.slice(0, -ending.length - 1);
  };

  /** Today, in that place. Without a.m. or p.m., seven or later means the morning. */
  const converted = (ask: Ask, { at: time, from, fromName, site, siteName }: ClockSaid) => {
    if (time === null || from === null || fromName === null || site === null || siteName === null)
      return null;
    const half = time.half ?? (time.hour >= 7 && time.hour < 12 ? 'am' : 'pm');
    const today = clock(ask.turn.createdAt, zoneOf(from));
    const wall = { ...today, hour: exactHour({ ...time, half }), minute: time.minute };
    const instant = instantOf(wall, { clock, timeZone: zoneOf(from) });
    const [one, other] = [clock(instant, zoneOf(from)), clock(instant, zoneOf(site))];
    const days = numberOf(other) - numberOf(one);
    const values = {
      time: say.time(one),
      from: where(instant, from, fromName),
      there: say.time(other),
      place: where(instant, site, siteName),
    };
    // Midnight belongs to both days.
    if (days === 0 || (days === 1 && other.hour + other.minute === 0))
      return reply('converted', values, ask.turn);
    return reply(days > 0 ? 'converted_next_day' : 'converted_day_before', values, ask.turn);
  };

  const difference = (ask: Ask, { from, fromName, site, siteName }: ClockSaid) => {
    if (from === null || fromName === null || site === null || siteName === null) return null;
    const at = ask.turn.createdAt;
    const ahead = minutesAhead(clock(at, zoneOf(site)), clock(at, zoneOf(from)));
    const [one, other] = [where(at, from, fromName), where(at, site, siteName)];
    if (ahead === 0) return reply('zones_same', { one, other }, ask.turn);
    const length = say.length(Math.abs(ahead));
    const [later, than] = ahead > 0 ? [other, one] : [one, other];
    return reply('zones_later', { length, later, than }, ask.turn);
  };

  return { time_converted: tells(converted), zone_difference: tells(difference) };
}
