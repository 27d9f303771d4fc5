import fc from 'fast-check';
import rrule from 'rrule';
import { expect, test } from 'vitest';
import { nextTime, type Repetition } from '../../../../../api/src/timers/repetition.ts';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';

const { RRule } = rrule;
const timeZone = 'Europe/London';
const dayMs = 24 * 3_600_000;
const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const endings = ['th', 'st', 'nd', 'rd'] as const;

/** A day as its midnight in UTC. */
type Day = number;

interface Phrase {
  text: string;
  /** Null if no timer may be set. */
  day: ((today: Day) => Day) | null;
}

const first = (options: ConstructorParameters<typeof RRule>[0], from: Day): Day => {
  const start = new Date(from);
  return new RRule({ ...options, dtstart: start }).after(start, true)?.getTime() ?? Number.NaN;
};
const nextWeekday = (weekday: number, today: Day) =>
  first({ freq: RRule.WEEKLY, byweekday: weekday }, today + dayMs);
const christmas = (today: Day) => first({ freq: RRule.YEARLY, bymonth: 12, bymonthday: 25 }, today);
const ordinal = (n: number) => `${n}${(n > 10 && n < 14) || n % 10 > 3 ? 'th' : endings[n % 10]}`;

const phrases: fc.Arbitrary<Phrase> = fc
  .record({ weekday: fc.integer({ min: 0, max: 6 }), n: fc.integer({ min: 2, max: 28 }) })
  .chain(({ weekday, n }) => {
    const name = names[weekday] ?? '';
    const weekLater = (today: Day) => nextWeekday(weekday, today) + 7 * dayMs;
    const known: Phrase[] = [
      { text: 'tomorrow', day: (today) => today + dayMs },
      { text: 'the day after tomorrow', day: (today) => today + 2 * dayMs },
      { text: `on ${name}`, day: (today) => nextWeekday(weekday, today) },
      { text: `next ${name}`, day: (today) => nextWeekday(weekday, today) },
      { text: `a week from ${name}`, day: weekLater },
      { text: `a week on ${name}`, day: weekLater },
      { text: `${name} week`, day: weekLater },
      { text: `the ${name} after next`, day: weekLater },
      { text: `${n} days from tomorrow`, day: (today) => today + (n + 1) * dayMs },
      { text: `${n} days before Christmas`, day: (today) => christmas(today) - n * dayMs },
      { text: `${n} days after Christmas`, day: (today) => christmas(today) + n * dayMs },
      {
        text: `in ${n} weeks on ${name}`,
        day: (today) => first({ freq: RRule.WEEKLY, byweekday: weekday }, today + n * 7 * dayMs),
      },
      { text: 'the day before Christmas', day: (today) => christmas(today) - dayMs },
      {
        text: `on the ${ordinal(n)}`,
        day: (today) => first({ freq: RRule.MONTHLY, bymonthday: n }, today),
      },
      {
        text: 'at the end of the month',
        day: (today) => first({ freq: RRule.MONTHLY, bymonthday: -1 }, today),
      },
      {
        text: `on the last ${name} of the month`,
        day: (today) => first({ freq: RRule.MONTHLY, byweekday: weekday, bysetpos: -1 }, today),
      },
      ...[
        'this weekend',
        'next month',
        'in September',
        'sometime next week',
        `until ${name}`,
        `before ${name}`,
        'in a bit',
        'in a few weeks',
        'twice a week',
        'three times a day',
        'every hour',
      ].map((text): Phrase => ({ text, day: null })),
    ];
    return fc.constantFrom(...known);
  });

/** Times of day with a known half, and none, which is nine o'clock. */
const times = fc.constantFrom(
  { text: '', hour: 9, minute: 0 },
  { text: 'at 9 am', hour: 9, minute: 0 },
  { text: 'at noon', hour: 12, minute: 0 },
  { text: 'at half past seven in the evening', hour: 19, minute: 30 },
  { text: 'at 20:15', hour: 20, minute: 15 },
  { text: 'at 5:05 pm', hour: 17, minute: 5 },
);
const tasks = [
  'call Bob',
  'buy Christmas presents',
  'read the Sunday paper',
  'boil the eggs for ten minutes',
];
const shapes = [
  'Remind me WHEN to TASK.',
  'Remind me to TASK WHEN.',
  'WHEN remind me to TASK.',
  'Set a reminder for WHEN to TASK.',
  'Set a reminder to TASK WHEN.',
  'Set an alarm for WHEN.',
  'Wake me WHEN.',
] as const;

const shown = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' });
/** A time on the wall clock, computed by Intl alone. */
const wallOf = (day: Day, { hour, minute }: { hour: number; minute: number }) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' }).format(
    day + (hour * 60 + minute) * 60_000,
  );

/** The place of the room in a sentence. */
const places = ['nowhere', 'first', 'behind the verb', 'last'] as const;
const roomPhrase = 'in the bedroom';
const placed = (text: string, place: (typeof places)[number]): string => {
  if (place === 'first') return `${roomPhrase}, ${text}`;
  if (place === 'last') return text.replace(/\.$/, ` ${roomPhrase}.`);
  if (place === 'nowhere') return text;
  return text.replace(/(?<=[Rr]emind me|Wake me|a reminder|an alarm)/, ` ${roomPhrase}`);
};
const roomOf = (place: (typeof places)[number]) => (place === 'nowhere' ? 'kitchen' : 'bedroom');

const sentences = fc.record({
  phrase: phrases,
  time: times,
  isTimeFirst: fc.boolean(),
  task: fc.constantFrom(...tasks),
  shape: fc.constantFrom(...shapes),
  place: fc.constantFrom(...places),
  // Noon on the wall clock, in summer and in winter.
  today: fc.integer({ min: 0, max: 700 }).map((days) => Date.UTC(2026, 0, 1) + days * dayMs),
});
type Sentence = typeof sentences extends fc.Arbitrary<infer S> ? S : never;

const count = 5_000;
const seed = 20_261_121;
const slow = { tags: 'slow', timeout: 240_000 } as const;

/** "Wake me at 7 until Friday" is every day, from the next time on. */
const alarmDay = ({ phrase, time, today }: Pick<Sentence, 'phrase' | 'time' | 'today'>): Day | undefined => {
  if (!phrase.text.startsWith('until ')) return phrase.day?.(today);
  return today + (time.hour > 13 ? 0 : dayMs);
};

test('the skill sets what is spoken on its day and in its room, or nothing', slow, async () => {
  const planned = createPlannedTimers({ timeZone, rooms: ['kitchen', 'bedroom'] });
  const wrong: string[] = [];
  let set = 0;
  for (const each of fc.sample(sentences, { numRuns: count, seed })) {
    const { phrase, time, isTimeFirst, task, shape, place, today } = each;
    const when = (isTimeFirst ? [time.text, phrase.text] : [phrase.text, time.text]).join(' ').trim();
    const text = placed(shape.replace('WHEN', when).replace('TASK', task), place);
    const now = today + 12.5 * 3_600_000;
    const found = await planned.say([text], { createdAt: now });
    const [timer] = found.set;
    if (!timer) continue;
    set += 1;
    const label = shape.includes('TASK') ? task : null;
    const day = label === null ? alarmDay(each) : phrase.day?.(today);
    const expected = day === undefined ? 'none' : wallOf(day, time);
    const got = `${shown.format(timer.dueAt)} ${timer.label} ${timer.room}`;
    if (got !== `${expected} ${label} ${roomOf(place)}`)
      wrong.push(`${shown.format(now)}: ${text} => ${got}, not ${expected}`);
  }

  expect(wrong).toEqual([]);
  expect(set).toBeGreaterThan(count / 3);
});

/** A repetition with its bounds, as a rule of the calendar library. */
interface Series {
  text: string;
  rule: (start: Day) => ConstructorParameters<typeof RRule>[0];
}
/** The day of the month of a first time, or the last day of a shorter month. */
const monthDay = (start: Day) => {
  const days = Array.from({ length: new Date(start).getUTCDate() }, (_, at) => at + 1);
  return { bymonthday: days.length > 28 ? days.slice(27) : days.slice(-1), bysetpos: -1 };
};
const series: fc.Arbitrary<Series> = fc
  .record({ weekday: fc.integer({ min: 0, max: 6 }), n: fc.integer({ min: 2, max: 6 }) })
  .chain(({ weekday, n }) => {
    const name = names[weekday] ?? '';
    return fc.constantFrom<Series>(
      { text: 'every day', rule: () => ({ freq: RRule.DAILY }) },
      { text: `every ${name}`, rule: () => ({ freq: RRule.WEEKLY, byweekday: weekday }) },
      { text: 'every weekday', rule: () => ({ freq: RRule.WEEKLY, byweekday: [0, 1, 2, 3, 4] }) },
      { text: `every ${n} weeks`, rule: () => ({ freq: RRule.WEEKLY, interval: n }) },
      {
        text: `every ${n} months`,
        rule: (start) => ({ freq: RRule.MONTHLY, interval: n, ...monthDay(start) }),
      },
      { text: `on the ${ordinal(n)} of every month`, rule: () => ({ freq: RRule.MONTHLY, bymonthday: n }) },
    );
  });
const starts = fc.constantFrom<{ text: string; day: (today: Day) => Day }>(
  { text: '', day: (today) => today },
  { text: 'starting tomorrow', day: (today) => today + dayMs },
  { text: 'starting on Monday', day: (today) => nextWeekday(0, today) },
  {
    text: 'starting December 15th',
    day: (today) => first({ freq: RRule.YEARLY, bymonth: 12, bymonthday: 15 }, today),
  },
);
/** The last day, by the days of the sentence and of the first time. */
const ends = fc
  .integer({ min: 2, max: 20 })
  .chain((n) =>
    fc.constantFrom<{ text: string; day: ((today: Day, first: Day) => Day) | null }>(
      { text: '', day: null },
      { text: 'until Christmas', day: christmas },
      { text: `for ${n} days`, day: (_, from) => from + (n - 1) * dayMs },
      { text: `for ${n} weeks`, day: (_, from) => from + (7 * n - 1) * dayMs },
    ),
  );
const plans = fc.record({
  series,
  starts,
  ends,
  isEndFirst: fc.boolean(),
  isTimeLast: fc.boolean(),
  time: times,
  place: fc.constantFrom(...places),
  shape: fc.constantFrom(
    'Remind me WHEN to call Bob.',
    'Remind me to call Bob WHEN.',
    'Wake me WHEN.',
    'Set an alarm WHEN.',
  ),
  today: fc.integer({ min: 0, max: 700 }).map((days) => Date.UTC(2026, 0, 1) + days * dayMs),
});

/** The first times on the wall. */
const maxTimes = 8;
function timesOf({ series, starts, ends, time, today }: Plan): string[] {
  const at = (time.hour * 60 + time.minute) * 60_000;
  const day = starts.day(today);
  const endless = new RRule({ ...series.rule(day), dtstart: new Date(day + at) });
  const from = endless.after(new Date(today + noonMs))?.getTime() ?? 0;
  const last = ends.day?.(today, from - at);
  const found =
    last === undefined ? endless : new RRule({ ...endless.origOptions, until: new Date(last + dayMs - 1) });
  const walls: string[] = [];
  for (
    let next = found.after(new Date(today + noonMs));
    next && walls.length < maxTimes;
    next = found.after(next)
  )
    walls.push(wallOf(next.getTime(), { hour: 0, minute: 0 }));
  return walls;
}
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;
const noonMs = 12.5 * 3_600_000;

/** The sentence of a plan. Without a time of day, an alarm would ask for it. */
function sentenceOf({ series, starts, ends, isEndFirst, isTimeLast, time, place, shape }: Plan): string {
  const at = time.text === '' ? 'at 9 am' : time.text;
  const bounds = isEndFirst ? [ends.text, starts.text] : [starts.text, ends.text];
  const parts = isTimeLast ? [series.text, ...bounds, at] : [series.text, at, ...bounds];
  return placed(shape.replace('WHEN', parts.filter(Boolean).join(' ')), place);
}
function ringsOf(repeats: Repetition, now: number): string[] {
  const found: string[] = [];
  for (let next = nextTime(repeats, now); next !== null && found.length < maxTimes; )
    [, next] = [found.push(shown.format(next)), nextTime(repeats, next)];
  return found;
}

test('the skill repeats on the spoken days, within the spoken bounds', slow, async () => {
  const planned = createPlannedTimers({ timeZone, rooms: ['kitchen', 'bedroom'] });
  const wrong: string[] = [];
  let set = 0;
  for (const each of fc.sample(plans, { numRuns: count / 2, seed })) {
    const text = sentenceOf(each);
    const now = each.today + noonMs;
    const [timer] = (await planned.say([text], { createdAt: now })).set;
    if (!timer) continue;
    set += 1;
    const rings = timer.repeats ? ringsOf(timer.repeats, now) : ['once'];
    const found = [...rings, timer.room, timer.label].join('; ');
    const label = each.shape.includes('Bob') ? 'call Bob' : null;
    const expected = [...timesOf(each), roomOf(each.place), label].join('; ');
    if (found !== expected) wrong.push(`${shown.format(now)}: ${text} => ${found}, not ${expected}`);
  }

  expect(wrong).toEqual([]);
  expect(set).toBeGreaterThan(count / 3);
});
