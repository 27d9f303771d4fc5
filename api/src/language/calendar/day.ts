/** A calendar day, in any place. */
export interface Day {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

const dayMs = 24 * 3600 * 1000;

/** Days since 1 January 1970. */
export function numberOf({ year, month, day }: Day): number {
  return Math.round(Date.UTC(year, month - 1, day) / dayMs);
}

export function dayFrom(number: number): Day {
  const date = new Date(number * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(numberOf(day) * dayMs).getUTCDay();
}

/** Whether the calendar has this day: there is no 31st of April. */
export function isDay(day: Day): boolean {
  const same = dayFrom(numberOf(day));
  return same.month === day.month && same.day === day.day;
}

/** Null for a day that the month lacks. */
export function dayIn(day: Day): Day | null {
  return isDay(day) ? day : null;
}

/** Easter Sunday, by the anonymous Gregorian algorithm (Meeus, Jones and Butcher). */
export function easterOf(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return { year, month: Math.floor(sum / 31), day: (sum % 31) + 1 };
}

/**
 * A feast in a language file: month and day, days from Easter Sunday, or month/weekday/which (-1: the last).
 * The last form may add days: "11/4/4+1" is the day after Thanksgiving.
 */
export const feastPattern = /^(?:\d\d-\d\d|easter[+-]\d{1,2}|\d{1,2}\/[0-6]\/(?:[1-4]|-1)(?:\+\d)?)$/;

export function feastIn(year: number, feast: string): Day {
  const [, month, day] = /^(\d\d)-(\d\d)$/.exec(feast) ?? [];
  if (month !== undefined) return { year, month: Number(month), day: Number(day) };
  const [, offset] = /^easter([+-]\d+)$/.exec(feast) ?? [];
  if (offset !== undefined) return dayFrom(numberOf(easterOf(year)) + Number(offset));
  const [place = '', later = '0'] = feast.split('+');
  const [ofMonth = 1, weekday = 0, which = 1] = place.split('/').map(Number);
  const base = weekdayIn({ year, month: ofMonth }, { weekday, which });
  return dayFrom(numberOf(base) + Number(later));
}

/** The nth weekday of a month, such as its third Friday; -1 is the last. Null: the month has no fifth one. */
export function weekdayIn(
  { year, month }: Pick<Day, 'year' | 'month'>,
  { weekday, which }: { weekday: number; which: number },
): Day {
  const day = 1 + ((weekday - weekdayOf({ year, month, day: 1 }) + 7) % 7);
  if (which > 0) return { year, month, day: day + 7 * (which - 1) };
  const fifth = { year, month, day: day + 28 };
  return isDay(fifth) ? fifth : { year, month, day: day + 21 };
}

/** A day of a month, or the month's last day if it is shorter. */
export function clampedDay({ year, month }: Pick<Day, 'year' | 'month'>, day: number): Day {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { year, month, day: Math.min(day, last) };
}

/** The month this many months later, or earlier. */
export function monthAfter(
  { year, month }: Pick<Day, 'year' | 'month'>,
  months: number,
): { year: number; month: number } {
  const from = year * 12 + month - 1 + months;
  return { year: Math.floor(from / 12), month: (from % 12) + 1 };
}
