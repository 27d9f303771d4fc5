import type { GeneratorValue } from 'fast-check';
import type { DateTime } from 'luxon';
import {
  after,
  ahead,
  coming,
  dateIn,
  eachOf,
  inNextWeek,
  isEach,
  onDate,
  onDayOfMonth,
  weekdayIn,
} from './calendar-days.ts';
import {
  capital,
  isHeads,
  oneOf,
  type Phrases,
  type SaidTime,
  type SpokenDay,
  type SpokenLength,
  type SpokenOften,
  type SpokenTime,
  type SpokenWhen,
  whole,
} from './said-time.ts';

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

function time(g: GeneratorValue): SpokenTime {
  const [hour, minute] = [whole(g, 0, 23), oneOf(g, [0, 0, 0, 5, 10, 15, 20, 30, 40, 45, 55])];
  const [short, minutes] = [hour % 12 || 12, String(minute).padStart(2, '0')];
  const said = (bare: string, at: SpokenTime['at'] = [{ hour, minute }]): SpokenTime => ({
    words: `at ${bare}`,
    bare,
    at,
  });
  const shown = minute === 0 ? inWords(g, short) : `${short}:${minutes}`;
  const half = oneOf(g, hour < 12 ? ['am', ' AM', ' a.m.'] : ['pm', ' PM', ' p.m.']);
  const part = partOf(hour);
  const past = { 0: '', 5: 'five past ', 15: 'quarter past ', 20: '20 past ', 30: 'half past ' }[minute];
  const forms: (SpokenTime | null)[] = [
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

const days: readonly ((g: GeneratorValue) => SpokenDay)[] = [
  (g) => {
    const [words, count] = oneOf(g, [
      ['today', 0],
      ['tomorrow', 1],
      ['the day after tomorrow', 2],
      ['a week from tomorrow', 8],
    ] as const);
    return { words, bare: words, on: (now) => [after(now, count)] };
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
    return { words, bare: words, on: (now) => inNextWeek(now, weekday) };
  },
  (g) => {
    const day = whole(g, 1, 31);
    const bare = `the ${ordinal(day)}`;
    return { words: `on ${bare}`, bare, on: (now) => onDayOfMonth(now, day) };
  },
  (g) => {
    const { words: bare, ...date } = aDate(g);
    return { words: `on ${bare}`, bare, on: (now) => onDate(now, date) };
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

/** "in ten minutes" */
function length(g: GeneratorValue): SpokenLength {
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
  const later = `${length} from now`;
  return oneOf(g, [
    { words: `in ${length}`, bare: length, after },
    { words: later, bare: later, after },
  ]);
}

const oftens: readonly ((g: GeneratorValue) => Omit<SpokenOften, 'bare'>)[] = [
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

/** The parts of a request that say when, in spoken order, and all of them without prepositions. */
function whenOf(g: GeneratorValue, when: SpokenWhen): { parts: readonly string[]; bare: string } {
  if ('length' in when) return { parts: [when.length.words], bare: when.length.bare };
  const { time, day } = when;
  if (!day) return { parts: [time.words], bare: time.bare };
  return isHeads(g)
    ? { parts: [time.words, day.words], bare: `${time.bare} ${day.words}` }
    : { parts: [day.words, time.words], bare: `${day.bare} ${time.words}` };
}

/** A request for a reminder or an alarm at a time that is said in these words. */
function request(g: GeneratorValue, said: SpokenWhen): Pick<SaidTime, 'text' | 'kind' | 'label'> {
  const { parts, bare } = whenOf(g, said);
  const when = parts.join(' ');
  if (isHeads(g)) {
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

export const english: Phrases = {
  time,
  day: (g) => oneOf(g, days)(g),
  length,
  often: (g) => {
    const { words, isOn } = oneOf(g, oftens)(g);
    return { words, bare: words, isOn };
  },
  request,
};
