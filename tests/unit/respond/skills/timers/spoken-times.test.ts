import { describe, expect, test } from 'vitest';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';
import { now } from '../../../../support/skills.ts';

const planned = createPlannedTimers();
const local = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** The timers that a sentence sets, from 15:20 on Saturday, the 21st of November 2026. */
async function setBy(...texts: string[]): Promise<(string | undefined)[][]> {
  const { set } = await planned.say(texts, { createdAt: now });
  return set.map(({ dueAt, label, repeats }) => [
    local.format(dueAt),
    ...(label === null ? [] : [label]),
    ...(repeats ? [repeats.rule] : []),
  ]);
}

describe('a day', () => {
  test.each([
    ['Remind me tomorrow week to bake.', '2026-11-29 09:00'],
    ['Remind me Thursday fortnight to bake.', '2026-12-10 09:00'],
    ['Remind me next Wednesday week at noon to bake.', '2026-12-02 12:00'],
    ['Remind me at 20 past to bake.', '2026-11-21 16:20'],
    ['remind me on valentines day to bake', '2027-02-14 09:00'],
    ['remind me three days after new years day to bake', '2027-01-04 09:00'],
  ])('is counted in weeks from its name: %s', async (text, due) => {
    expect(await setBy(text)).toEqual([[due, 'bake']]);
  });

  test.each([
    'Remind me Christmas week to bake.',
    'Remind me tomorrow after the meeting to bake.',
    'Remind me tomorrow through Friday to bake.',
  ])('that is only partly understood sets nothing: %s', async (text) => {
    expect(await setBy(text)).toEqual([]);
  });
});

test.each([
  'Remind me between 5 and 6 to bake.',
  'Remind me before 5 to bake.',
  'Remind me before Christmas to bake.',
  'Remind me the week before Easter to bake.',
])('a time that is open is asked for: %s', async (text) => {
  const { reply } = await planned.say([text]);

  expect(reply).toBe('When shall I remind you?');
});

test.each([
  'Alarm for 7 to 8.',
  'Set an alarm for 7 to 8.',
  'Wake me at seven to eight.',
  'Remind me from 7 to 8 to bake.',
  'Set my alarm for 6 till 7.',
  'Remind me at 11 to 12 to bake.',
])('a range of hours is no time before an hour: %s', async (text) => {
  expect(await setBy(text)).toEqual([]);
});

test.each([
  ['Alarm for 10 to 8.', '2026-11-21 19:50'],
  ['Alarm for 7 minutes to 8.', '2026-11-21 19:53'],
  ['Alarm for 23 to 8.', '2026-11-21 19:37'],
  ['Alarm for 7 pm sharp.', '2026-11-21 19:00'],
])('a plain time of day is set: %s', async (text, due) => {
  expect(await setBy(text)).toEqual([[due]]);
});

test.each([
  ['Remind me at quarter to to leave.', '2026-11-21 15:45'],
  ['Remind me at ten to to leave.', '2026-11-21 15:50'],
  ['Remind me at twenty five to to leave.', '2026-11-21 15:35'],
  ['Remind me to leave at a quarter to.', '2026-11-21 15:45'],
])('minutes before an open hour mean the next one: %s', async (text, due) => {
  expect(await setBy(text)).toEqual([[due, 'leave']]);
});

test.each([
  ['Wake me half an hour before 7.', '2026-11-22 06:30'],
  ['Alarm 5 minutes before 6.', '2026-11-21 17:55'],
  ['Wake me an hour before noon.', '2026-11-22 11:00'],
  ['Wake me 20 minutes before 6:30 pm.', '2026-11-21 18:10'],
  ['Wake me two hours before 9 tomorrow.', '2026-11-22 07:00'],
])('a length before a time of day is that much earlier: %s', async (text, due) => {
  expect(await setBy(text)).toEqual([[due]]);
});

test.each(['Wake me two hours before 1.', 'Wake me an hour before 12:30 am.'])(
  'a length that leads into another half of the day sets nothing: %s',
  async (text) => {
    expect(await setBy(text)).toEqual([]);
  },
);

test.each([
  ['Timer for 10 minutes for the number 5 bus.', '2026-11-21 15:30', 'number 5 bus'],
  ['Set a timer for 20 minutes for the 45 bus.', '2026-11-21 15:40', '45 bus'],
  ['20 minute timer for bus 45.', '2026-11-21 15:40', 'bus 45'],
])('the name of a timer may contain a number: %s', async (text, due, name) => {
  expect(await setBy(text)).toEqual([[due, name]]);
});

test.each([
  ['Tomorrow I would like an alarm for 9 tomorrow.', '2026-11-22 09:00'],
  ['On Monday set an alarm for 9 on Monday.', '2026-11-23 09:00'],
])('a day that is said twice counts once: %s', async (text, due) => {
  expect(await setBy(text)).toEqual([[due]]);
});

test.each([
  ['Alarm for 9 every day.', 'Wake me 30 minutes earlier tomorrow.', 'Alarm, now tomorrow at 8:30 AM.'],
  ['Alarm for 9 tomorrow.', 'Tomorrow wake me 30 minutes earlier.', 'Alarm, now tomorrow at 8:30 AM.'],
  [
    'Alarm for 7 tonight.',
    'Wake me 30 minutes earlier tomorrow.',
    'There is no alarm tomorrow, only the alarm today at 7 PM.',
  ],
  ['Alarm for 9 tomorrow.', 'Skip tomorrow.', 'I cancelled the 9 AM alarm.'],
  ['What time is it?', 'Skip tomorrow.', 'There is no alarm tomorrow.'],
  [
    'Remind me to call Bob.',
    'When I get home.',
    "When exactly, for example at six o'clock or in half an hour?",
  ],
  ['Set a timer for 5.', 'I meant seconds.', 'Timer, five seconds.'],
])('a day or a place in a follow-up is understood: %s %s', async (first, second, expected) => {
  const { reply } = await planned.say([first, second], { createdAt: now });

  expect(reply).toBe(expected);
});

describe('a repetition', () => {
  const workdays = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

  test.each([
    [
      'Remind me on the 1st and 15th of every month to pay.',
      '2026-12-01 09:00',
      'FREQ=MONTHLY;BYMONTHDAY=1,15',
    ],
    [
      'Remind me every month on the 15th and the 1st to pay.',
      '2026-12-01 09:00',
      'FREQ=MONTHLY;BYMONTHDAY=1,15',
    ],
    ['Remind me nightly at ten to pay.', '2026-11-21 22:00', 'FREQ=DAILY'],
    ['Remind me every school morning at 7 50 to pay.', '2026-11-23 07:50', workdays],
    ['Remind me on school nights at 9 to pay.', '2026-11-22 21:00', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,SU'],
    ['Remind me every 4th of July to pay.', '2027-07-04 09:00', 'FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4'],
    ['Remind me annually on March 3rd to pay.', '2027-03-03 09:00', 'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3'],
    [
      'Remind me every February 29th to pay.',
      '2027-02-28 09:00',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1',
    ],
    ['Remind me every alternate Wednesday to pay.', '2026-11-25 09:00', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=WE'],
  ])('is set as it was said: %s', async (text, due, rule) => {
    expect(await setBy(text)).toEqual([[due, 'pay', rule]]);
  });

  test('names each day of the month in the answer', async () => {
    const { reply } = await planned.say(['Remind me on the 1st and 15th of every month to pay.']);

    expect(reply).toBe('I will remind you on the 1st and 15th of every month at 9 AM to pay.');
  });

  test.each([
    'Remind me on the 15th and 31st of every month to pay.',
    'Remind me every January to pay.',
    'Remind me every Easter to pay.',
    'Remind me every birthday to call Bob.',
    'Remind me annually to pay.',
    'Remind me every hour on the hour to pay.',
  ])('that timers do not have is refused: %s', async (text) => {
    const { reply, set } = await planned.say([text]);

    expect({ reply, set }).toEqual({
      reply: expect.stringMatching(/^I did not understand how often\./),
      set: [],
    });
  });
});

describe('several timers', () => {
  test.each([
    ['set a timer for two minutes thirty seconds and another for five', ['15:22', '15:25']],
    ['set two timers one for 1 hour 20 minutes and one for 30 minutes', ['16:40', '15:50']],
    ['set timers for 1 minute 1 minute 30 seconds and 2 minutes', ['15:21', '15:21', '15:22']],
    ['set timers for 5 10 and 15 minutes', ['15:25', '15:30', '15:35']],
    ['set two timers for 5 minutes and 30 seconds', ['15:25', '15:20']],
  ])('keep the parts of each length together: %s', async (text, times) => {
    expect(await setBy(text)).toEqual(times.map((time) => [`2026-11-21 ${time}`]));
  });
});

describe('an alarm with an end and no days', () => {
  test.each([
    ['Wake me at 7 for the next 3 days.', '2026-11-22 07:00', 'FREQ=DAILY;UNTIL=20261124T235959Z'],
    ['Alarm at 7 until Friday.', '2026-11-22 07:00', 'FREQ=DAILY;UNTIL=20261127T235959Z'],
    ['Wake me on Monday at 7 until Friday.', '2026-11-23 07:00', 'FREQ=DAILY;UNTIL=20261127T235959Z'],
  ])('repeats every day until then: %s', async (text, due, rule) => {
    expect(await setBy(text)).toEqual([[due, rule]]);
  });
});

test.each([
  [['Set a timer for 5 minutes.', 'Another one for 10 minutes.'], ['2026-11-21 15:30']],
  [['Set an alarm for 7.', 'And another at 8:30.'], ['2026-11-21 20:30']],
  [['Remind me in 5 minutes to eat.', 'Another one for 8.'], []],
  [['Another one for 8.'], []],
  [['Set a reminder in 1 minute to bake.', 'Remind me again in 10 minutes.'], ['2026-11-21 15:30']],
])('"another one" and "again" mean what was just set: %s', async (texts, dues) => {
  const { set } = await planned.say(texts, { createdAt: now });

  expect(set.map(({ dueAt }) => local.format(dueAt))).toEqual(dues);
});

test('"remind me again" without a reminder sets nothing', async () => {
  const { reply, set } = await planned.say(['Remind me again in 10 minutes.']);

  expect(set).toEqual([]);
  expect(reply).toMatch(/^I do not know what to remind you of/);
});

test.each([
  ['Skip Monday.', 'Not on Monday at 7 AM. The next one is tomorrow at 7 AM.'],
  ['Not on Monday.', 'Not on Monday at 7 AM. The next one is tomorrow at 7 AM.'],
])('a day of a repeating alarm is skipped: %s', async (text, reply) => {
  expect((await planned.say(['Set an alarm for 7 every day.', text], { createdAt: now })).reply).toBe(reply);
});

test('"not tomorrow" may be about something else than an alarm of before', async () => {
  const texts = ['Set an alarm for 7 every day.', 'Set a timer for 10 minutes.', 'Not tomorrow.'];

  expect((await planned.say(texts, { createdAt: now })).reply).toBeNull();
});

test('a day without an alarm is not skipped, and the answer says so', async () => {
  expect((await planned.say(['Skip Monday.'])).reply).toBe('There is no alarm Monday.');
});
