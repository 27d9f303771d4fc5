import fc from 'fast-check';
import rrule from 'rrule';
import { expect, test } from 'vitest';
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

const sentences = fc.record({
  phrase: phrases,
  time: times,
  isTimeFirst: fc.boolean(),
  task: fc.constantFrom(...tasks),
  shape: fc.constantFrom(...shapes),
  // Noon on the wall clock, in summer and in winter.
  today: fc.integer({ min: 0, max: 700 }).map((days) => Date.UTC(2026, 0, 1) + days * dayMs),
});

const count = 5_000;
const seed = 20_261_121;

test('the skill sets a reminder or an alarm on the spoken day, or none', { timeout: 120_000 }, async () => {
  const planned = createPlannedTimers({ timeZone });
  const wrong: string[] = [];
  let set = 0;
  for (const each of fc.sample(sentences, { numRuns: count, seed })) {
    const { phrase, time, isTimeFirst, task, shape, today } = each;
    const when = (isTimeFirst ? [time.text, phrase.text] : [phrase.text, time.text]).join(' ').trim();
    const text = shape.replace('WHEN', when).replace('TASK', task);
    const now = today + 12.5 * 3_600_000;
    const found = await planned.say([text], { createdAt: now });
    const [timer] = found.set;
    if (!timer) continue;
    set += 1;
    const day = phrase.day?.(today);
    const expected = day === undefined ? 'none' : wallOf(day, time);
    const label = shape.includes('TASK') ? task : null;
    const got = `${shown.format(timer.dueAt)} ${timer.label}`;
    if (got !== `${expected} ${label}`)
      wrong.push(`${shown.format(now)}: ${text} => ${got}, not ${expected}`);
  }

  expect(wrong).toEqual([]);
  expect(set).toBeGreaterThan(count / 3);
});
