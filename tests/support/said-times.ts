import type { GeneratorValue } from 'fast-check';
import fc from 'fast-check';
import { DateTime } from 'luxon';

/*
 * Requests for reminders and alarms, with days, times of day and orders of words in every combination. A
 * calendar library computes the times that they mean, and none of Hearth's own code.
 */

/** The household's time zone. */
const zone = 'Europe/London';

/** A request, and what it asks for. */
export interface SaidTime {
  text: string;
  /** When it is said. */
  now: DateTime;
  kind: 'alarm' | 'reminder';
  /** The text of the reminder. */
  label: string | null;
  /**
   * What it may mean. Each entry is the first time, and those after it if it repeats. Without entries,
   * it asks for a time that has passed.
   */
  meanings: readonly (readonly DateTime[])[];
}

/** A spoken time of day; "seven" alone may be in the morning or in the evening. */
interface Time {
  /** "at seven", and without the preposition. */
  words: string;
  bare: string;
  at: readonly { hour: number; minute: number }[];
}

/** A spoken day. The first is the likeliest; if the day itself is today, the next one may be meant too. */
interface Day {
  words: string;
  bare: string;
  on: (now: DateTime) => readonly DateTime[];
}

/** Spoken days that repeat. */
interface Often {
  words: string;
  /** Whether it rings on a day. Intervals count from the first day; null before it. */
  isOn: (day: DateTime, first: DateTime | null) => boolean;
}

const oneOf = <T>(g: GeneratorValue, all: readonly T[]): T =>
  g((from: readonly T[]) => fc.constantFrom(...from), all);
const whole = (g: GeneratorValue, min: number, max: number): number => g(fc.integer, { min, max });

const tasks = [
  'call Bob',
  'take out the bins',
  'feed the cat',
  'pay the rent',
  'buy two lemons',
  'ring the doctor about the results',
  'turn the oven off',
  'pick up the kids from school',
] as const;
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const places = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', [-1]: 'last' } as const;
/** Days of the year with a name: month and day. */
const feasts = [
  ['Christmas', 12, 25],
  ['Christmas Eve', 12, 24],
  ["New Year's Day", 1, 1],
  ['Halloween', 10, 31],
  ["Valentine's Day", 2, 14],
] as const;

const inWords = (g: GeneratorValue, n: number): string => String(oneOf(g, [numbers[n] ?? n, n]));
const ordinal = (n: number): string => {
  const ending = [11, 12, 13].includes(n % 100) ? undefined : ['th', 'st', 'nd', 'rd'][n % 10];
  return `${n}${ending ?? 'th'}`;
};

/** "in the morning", for times that nobody calls otherwise. Null: noon, midnight and around them. */
function partOf(hour: number): string | null {
  const parts = [
    [1, 11, 'in the morning'],
    [13, 16, 'in the afternoon'],
    [18, 20, 'in the evening'],
    [22, 23, 'at night'],
  ] as const;
  return parts.find(([from, to]) => hour >= from && hour <= to)?.[2] ?? null;
}

function time(g: GeneratorValue): Time {
  const [hour, minute] = [whole(g, 0, 23), oneOf(g, [0, 0, 0, 5, 10, 15, 20, 30, 40, 45, 55])];
  const [short, minutes] = [hour % 12 || 12, String(minute).padStart(2, '0')];
  const said = (bare: string, at: Time['at'] = [{ hour, minute }]): Time => ({
    words: `at ${bare}`,
    bare,
    at,
  });
  const shown = minute === 0 ? inWords(g, short) : `${short}:${minutes}`;
  const half = oneOf(g, hour < 12 ? ['am', ' AM', ' a.m.'] : ['pm', ' PM', ' p.m.']);
  const part = partOf(hour);
  const past = { 0: '', 5: 'five past ', 15: 'quarter past ', 20: '20 past ', 30: 'half past ' }[minute];
  const forms: (Time | null)[] = [
    said(`${minute === 0 ? short : shown}${half}`),
    hour > 12 ? said(`${hour}:${minutes}`) : null,
    hour > 0 && hour < 10 ? said(`0${hour}:${minutes}`) : null,
    said('noon', [{ hour: 12, minute: 0 }]),
    part !== null && past !== undefined ? said(`${past}${inWords(g, short)} ${part}`) : null,
    part !== null && minute === 0 ? said(`${inWords(g, short)} o'clock ${part}`) : null,
    said(shown, [
      { hour: short % 12, minute },
      { hour: (short % 12) + 12, minute },
    ]),
  ];
  return oneOf(
    g,
    forms.filter((form) => form !== null),
  );
}

/** The next such weekday, from 1 for Monday. If it is today, that of next week may be meant too. */
function coming(now: DateTime, weekday: number): DateTime[] {
  const first = now.startOf('day').plus({ days: (weekday - now.weekday + 7) % 7 });
  return first.hasSame(now, 'day') ? [first, first.plus({ weeks: 1 })] : [first];
}

/** The first of these days that is not over, and the second if the first is today. */
function ahead(now: DateTime, days: readonly DateTime[]): DateTime[] {
  const [first, second] = days.filter((day) => day >= now.startOf('day'));
  return [first, first?.hasSame(now, 'day') ? second : undefined].filter((day) => day !== undefined);
}

/** A day in several years or months from now, where it exists. */
function eachOf(now: DateTime, unit: 'years' | 'months', dayIn: (start: DateTime) => DateTime | null) {
  const starts = Array.from({ length: 10 }, (_, at) =>
    now.startOf(unit === 'years' ? 'year' : 'month').plus({ [unit]: at - 1 }),
  );
  return starts.map(dayIn).filter((day) => day?.isValid === true) as DateTime[];
}

/** The first, second, third, fourth or last (-1) such weekday of a month. */
function weekdayIn(month: DateTime, weekday: number, place: number): DateTime {
  const first = month.startOf('month').plus({ days: (weekday - month.startOf('month').weekday + 7) % 7 });
  const last = first.plus({ weeks: 4 });
  if (place > 0) return first.plus({ weeks: place - 1 });
  return last.month === month.month ? last : first.plus({ weeks: 3 });
}

const aPlace = (g: GeneratorValue) => oneOf(g, [1, 2, 3, 4, -1] as const);
const aWeekday = (g: GeneratorValue) => {
  const weekday = whole(g, 1, 7);
  return { weekday, name: weekdays[weekday - 1] ?? '' };
};
const aDate = (g: GeneratorValue) => {
  const [month, day] = [whole(g, 1, 12), whole(g, 1, 28)];
  const name = months[month - 1] ?? '';
  const words = [`${name} ${ordinal(day)}`, `${day} ${name}`, `the ${ordinal(day)} of ${name}`];
  return { month, day, words: oneOf(g, words) };
};
const dateIn = ({ month, day }: { month: number; day: number }) => {
  return (year: DateTime): DateTime => DateTime.fromObject({ year: year.year, month, day }, { zone });
};

const days: readonly ((g: GeneratorValue) => Day)[] = [
  (g) => {
    const [words, after] = oneOf(g, [
      ['today', 0],
      ['tomorrow', 1],
      ['the day after tomorrow', 2],
      ['a week from tomorrow', 8],
    ] as const);
    return { words, bare: words, on: (now) => [now.startOf('day').plus({ days: after })] };
  },
  (g) => {
    const { weekday, name } = aWeekday(g);
    const words = oneOf(g, [`on ${name}`, `this ${name}`]);
    return { words, bare: name, on: (now) => coming(now, weekday) };
  },
  (g) => {
    const { weekday, name } = aWeekday(g);
    const weeks = whole(g, 1, 5);
    const once = [`a week from ${name}`, `a week on ${name}`, `${name} week`];
    const words = weeks === 1 ? oneOf(g, once) : `${inWords(g, weeks)} weeks from ${name}`;
    return { words, bare: words, on: (now) => coming(now, weekday).map((day) => day.plus({ weeks })) };
  },
  (g) => {
    const { weekday, name } = aWeekday(g);
    const words = `${name} next week`;
    const next = (now: DateTime) => now.startOf('week').plus({ weeks: 1, days: weekday - 1 });
    // On a Sunday, "next week" begins tomorrow for some people.
    const on = (now: DateTime) => [next(now), ...(now.weekday === 7 ? [next(now).plus({ weeks: 1 })] : [])];
    return { words, bare: words, on };
  },
  (g) => {
    const day = whole(g, 1, 31);
    const bare = `the ${ordinal(day)}`;
    const dayIn = (month: DateTime) => (day <= (month.daysInMonth ?? 0) ? month.set({ day }) : null);
    return { words: `on ${bare}`, bare, on: (now) => ahead(now, eachOf(now, 'months', dayIn)) };
  },
  (g) => {
    const { words: bare, ...date } = aDate(g);
    return { words: `on ${bare}`, bare, on: (now) => ahead(now, eachOf(now, 'years', dateIn(date))) };
  },
  (g) => {
    const [place, { weekday, name }] = [aPlace(g), aWeekday(g)];
    const bare = `the ${places[place]} ${name} of the month`;
    const dayIn = (month: DateTime) => weekdayIn(month, weekday, place);
    return { words: `on ${bare}`, bare, on: (now) => ahead(now, eachOf(now, 'months', dayIn)) };
  },
  (g) => {
    const [place, { weekday, name }, month] = [aPlace(g), aWeekday(g), whole(g, 1, 12)];
    const bare = `the ${places[place]} ${name} in ${months[month - 1]}`;
    const dayIn = (year: DateTime) => weekdayIn(year.set({ month }), weekday, place);
    return { words: `on ${bare}`, bare, on: (now) => ahead(now, eachOf(now, 'years', dayIn)) };
  },
  (g) => {
    const [[bare, month, day], count, unit] = [oneOf(g, feasts), whole(g, 0, 3), oneOf(g, ['day', 'week'])];
    const dayIn = (year: DateTime) => dateIn({ month, day })(year).minus({ [`${unit}s`]: count });
    const before = count === 1 ? `a ${unit} before ` : `${inWords(g, count)} ${unit}s before `;
    const words = count === 0 ? `on ${bare}` : `${before}${bare}`;
    return { words, bare: count === 0 ? bare : words, on: (now) => ahead(now, eachOf(now, 'years', dayIn)) };
  },
  (g) => {
    const [count, unit] = [whole(g, 2, 9), oneOf(g, ['days', 'weeks'])];
    const words = oneOf(g, [`in ${inWords(g, count)} ${unit}`, `${inWords(g, count)} ${unit} from today`]);
    return { words, bare: words, on: (now) => [now.startOf('day').plus({ [unit]: count })] };
  },
];

/** "in ten minutes": hours and minutes count exactly, and days, weeks and months keep the time of day. */
function length(g: GeneratorValue): { words: string; after: Record<string, number> } {
  const [count, minutes] = [whole(g, 2, 12), whole(g, 2, 59)];
  const unit = oneOf(g, ['minutes', 'hours', 'days', 'weeks', 'months']);
  const [length, after] = oneOf<[string, Record<string, number>]>(g, [
    [`${inWords(g, count)} ${unit}`, { [unit]: count }],
    ['half an hour', { minutes: 30 }],
    ['an hour', { hours: 1 }],
    [oneOf(g, ['an hour and a half', '1 1/2 hours', '1.5 hours']), { minutes: 90 }],
    [`${inWords(g, count)} and a half hours`, { hours: count, minutes: 30 }],
    [`${inWords(g, count)} hours and ${inWords(g, minutes)} minutes`, { hours: count, minutes }],
  ]);
  return { words: oneOf(g, [`in ${length}`, `${length} from now`]), after };
}

const daysBetween = (day: DateTime, first: DateTime): number => Math.round(day.diff(first, 'days').days);
const isEach = (count: number) => (day: DateTime, first: DateTime | null) =>
  first === null || daysBetween(day, first) % count === 0;

const oftens: readonly ((g: GeneratorValue) => Often)[] = [
  (g) => ({ words: oneOf(g, ['every day', 'daily']), isOn: () => true }),
  (g) => {
    const { weekday, name } = aWeekday(g);
    return { words: oneOf(g, [`every ${name}`, `on ${name}s`]), isOn: (day) => day.weekday === weekday };
  },
  (g) => {
    const [one, other] = [aWeekday(g), aWeekday(g)];
    const words = oneOf(g, [`every ${one.name} and ${other.name}`, `on ${one.name}s and ${other.name}s`]);
    return { words, isOn: (day) => [one.weekday, other.weekday].includes(day.weekday) };
  },
  (g) => ({ words: oneOf(g, ['every weekday', 'Monday to Friday']), isOn: (day) => day.weekday <= 5 }),
  (g) => ({ words: oneOf(g, ['on weekends', 'every weekend']), isOn: (day) => day.weekday >= 6 }),
  () => ({ words: 'every day except Sunday', isOn: (day) => day.weekday !== 7 }),
  (g) => ({ words: oneOf(g, ['every other day', 'every two days']), isOn: isEach(2) }),
  (g) => {
    const count = whole(g, 3, 6);
    return { words: `every ${inWords(g, count)} days`, isOn: isEach(count) };
  },
  (g) => {
    const { weekday, name } = aWeekday(g);
    const words = oneOf(g, [`every other ${name}`, `every two weeks on ${name}`]);
    return { words, isOn: (day, first) => day.weekday === weekday && isEach(14)(day, first) };
  },
  (g) => {
    const number = whole(g, 1, 28);
    const words = oneOf(g, [
      `on the ${ordinal(number)} of every month`,
      `every month on the ${ordinal(number)}`,
    ]);
    return { words, isOn: ({ day }) => day === number };
  },
  (g) => {
    const [place, { weekday, name }] = [aPlace(g), aWeekday(g)];
    const bare = `${places[place]} ${name} of`;
    const words = oneOf(g, [`every ${bare} the month`, `on the ${bare} every month`]);
    return { words, isOn: (day) => day.hasSame(weekdayIn(day, weekday, place), 'day') };
  },
  () => ({ words: 'on the last day of every month', isOn: (day) => day.day === day.daysInMonth }),
  (g) => {
    const { words, month, day: number } = aDate(g);
    const often = oneOf(g, [`every year on ${words}`, `on ${words} every year`]);
    return { words: often, isOn: ({ day, month: its }) => day === number && its === month };
  },
];

const at = (day: DateTime, time: { hour: number; minute: number }): DateTime => day.set(time);

/** The first three times of a repetition. */
function firstTimes({ isOn }: Often, now: DateTime, time: { hour: number; minute: number }): DateTime[] {
  const times: DateTime[] = [];
  let first: DateTime | null = null;
  for (let day = now.startOf('day'); times.length < 3; day = day.plus({ days: 1 })) {
    if (!isOn(day, first) || at(day, time) <= now) continue;
    first ??= day;
    times.push(at(day, time));
  }
  return times;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A request for a reminder or an alarm at a time that is said in these words. */
function request(
  g: GeneratorValue,
  parts: readonly string[],
  bare: string,
): Omit<SaidTime, 'meanings' | 'now'> {
  const when = parts.join(' ');
  if (g(fc.boolean)) {
    const text = oneOf(g, [`Set an alarm for ${bare}.`, `Wake me ${when}.`, `Set an alarm ${when}.`]);
    return { text, kind: 'alarm', label: null };
  }
  const task = oneOf(g, tasks);
  const split = parts.length === 1 ? [] : [`Remind me ${parts[0]} to ${task} ${parts[1]}.`];
  const text = oneOf(g, [
    `Remind me ${when} to ${task}.`,
    `Remind me to ${task} ${when}.`,
    `${capital(when)} remind me to ${task}.`,
    `Set a reminder to ${task} ${when}.`,
    `Can you remind me ${when} to ${task}?`,
    ...split,
  ]);
  return { text, kind: 'reminder', label: task };
}

/** Any second from 2026 to 2031. */
function aMoment(g: GeneratorValue): DateTime {
  const [first, last] = [2026, 2032].map((year) => Math.floor(Date.UTC(year, 0, 1) / 1_000));
  return DateTime.fromSeconds(whole(g, first ?? 0, last ?? 0), { zone });
}

/** A request for one time. */
export function saidOnce(g: GeneratorValue): SaidTime {
  const now = aMoment(g);
  if (whole(g, 1, 5) === 1) {
    const { words, after } = length(g);
    const asked = request(g, [words], words.startsWith('in ') ? words.slice(3) : words);
    return { ...asked, now, meanings: [[now.plus(after)]] };
  }
  const said = time(g);
  const of = (day: DateTime) => said.at.map((each) => at(day, each));
  if (whole(g, 1, 5) === 1) {
    const next = (due: DateTime) => (due > now ? due : due.plus({ days: 1 }));
    return {
      ...request(g, [said.words], said.bare),
      now,
      meanings: of(now.startOf('day')).map((due) => [next(due)]),
    };
  }
  const day = oneOf(g, days)(g);
  const meanings = day
    .on(now)
    .flatMap(of)
    .filter((due) => due > now)
    .map((due) => [due]);
  const isTimeFirst = g(fc.boolean);
  const parts = isTimeFirst ? [said.words, day.words] : [day.words, said.words];
  const bare = isTimeFirst ? `${said.bare} ${day.words}` : `${day.bare} ${said.words}`;
  return { ...request(g, parts, bare), now, meanings };
}

/** A request for a time that repeats. */
export function saidOften(g: GeneratorValue): SaidTime {
  const now = aMoment(g);
  const [said, often] = [time(g), oneOf(g, oftens)(g)];
  const meanings = said.at.map((each) => firstTimes(often, now.startOf('minute'), each));
  const isTimeFirst = g(fc.boolean);
  const parts = isTimeFirst ? [said.words, often.words] : [often.words, said.words];
  return {
    ...request(g, parts, isTimeFirst ? `${said.bare} ${often.words}` : parts.join(' ')),
    now,
    meanings,
  };
}
