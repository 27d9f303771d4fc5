import { expect, test } from 'vitest';
import type { NewTimer } from '../../../../../api/src/timers/timer.ts';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';
import { now } from '../../../../support/skills.ts';

const planned = createPlannedTimers();
/** From 15:20 on a Saturday. */
const minutes = (count: number) => now + count * 60_000;
const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);
const reminder = 'Remind me to call Bob.';
const again = "When exactly, for example at six o'clock or in half an hour?";

const setBy = async (texts: readonly string[]) => {
  const { set } = await planned.say(texts, { createdAt: now });
  return set.map(({ label, dueAt }) => ({ label, dueAt }));
};

test.each([
  ['Set a Sunday roast timer for an hour.', 'Sunday roast', minutes(60)],
  ['Set a timer for the Sunday dinner for two hours.', 'Sunday dinner', minutes(120)],
  ['Set a Christmas cake timer for an hour.', 'Christmas cake', minutes(60)],
  ['Set a Sunday alarm for 7.', null, at('22T07:00')],
])('keeps a day in a name and takes a day alone as the day: %s', async (text, label, dueAt) => {
  expect(await setBy([text])).toEqual([{ label, dueAt }]);
});

test('asks for the day of an alarm that has a day in its name', async () => {
  const text = 'Set a Monday gym alarm for 6.';

  expect(await planned.say([text])).toMatchObject({ reply: 'Which day?', set: [] });
  expect(await setBy([text, 'Monday.'])).toEqual([{ label: 'Monday gym', dueAt: at('23T06:00') }]);
});

test.each([
  [
    'Set an alarm for 1 p.m. every day this week.',
    'Alarm, every day at 1 PM until Sunday, the 22nd of November.',
  ],
  ['Wake me at six all week.', 'I will wake you every day at 6 AM until Sunday, the 22nd of November.'],
  ['Wake me at six every weekday this week.', 'None of these times comes before it ends.'],
  [
    'Wake me every day next week at six.',
    'I will wake you every day at 6 AM until Sunday, the 29th of November, first on Monday, the 23rd of November.',
  ],
])('repeats only within the period that was said: %s', async (text, reply) => {
  expect(await planned.say([text])).toMatchObject({ reply });
});

test.each([
  'Wake me at 8 pm tomorrow morning.',
  'Set an alarm for 9 am tonight.',
  'Remind me at 7 am this evening to call Bob.',
])('asks for the time if it contradicts the part of the day: %s', async (text) => {
  expect(await planned.say([text])).toMatchObject({ reply: 'At what time?', set: [] });
});

test('tells the subject in the words of the other side, and leaves the time in it', async () => {
  const { reply } = await planned.say(['Remind me tomorrow that I am at the doctor at 8am.']);

  expect(reply).toBe('I will remind you tomorrow at 9 AM that you are at the doctor at 8am.');
});

test('cancels an alarm that is named by its repetition', async () => {
  const { reply } = await planned.say(['Set an alarm for 6 am every day.', 'Cancel my daily alarm.']);

  expect(reply).toBe('Only the next one, tomorrow at 6 AM, or all: every day at 6 AM?');
});

test.each([
  ['Remind me to go to the bank on Monday.', 'Cancel my reminder to go to the bank on Monday.'],
  ['Remind me to play tennis tomorrow.', 'Delete my reminder to play tennis tomorrow.'],
  ['Remind me of the dentist on Friday at 10.', 'Cancel the reminder about the dentist on Friday at 10.'],
  ['Set a work alarm for 6 tomorrow.', 'Cancel the alarm for work tomorrow.'],
])('cancels it by its name and its time: %s', async (first, second) => {
  expect((await planned.say([first, second])).reply).toMatch(/^I cancelled the /);
});

test('says that there is none at another time', async () => {
  const { reply } = await planned.say([
    'Remind me of the dentist on Friday at 10.',
    'Cancel the reminder about the dentist on Monday.',
  ]);

  expect(reply).toBe(
    'There is no reminder about the dentist on Monday, only the reminder "the dentist" on Friday at 10 AM.',
  );
});

test.each(['Cancel my alarm before bedtime.', 'Turn off all alarms for Saturday and Sunday.'])(
  'cancels nothing for a time that it cannot tell: %s',
  async (text) => {
    expect(await planned.say(['Set an alarm for 7 am tomorrow.', text])).toMatchObject({ reply: null });
  },
);

test('takes twelve tonight for midnight, even if it is called p.m.', async () => {
  expect(await setBy(['Set an alarm for 12 pm tonight.'])).toEqual([{ label: null, dueAt: at('22T00:00') }]);
});

test.each([
  ['Set a recurring alarm for 6:30.', 'Monday.', 'Alarm, every Monday at 6:30 AM.'],
  ['Set a repeating alarm for 7 am.', 'Monday and Friday.', 'Alarm, every Monday and Friday at 7 AM.'],
  ['Set a recurring alarm for 6:30.', 'Every weekday.', 'Alarm, every weekday at 6:30 AM.'],
  [
    'Set a recurring reminder to feed Rex at 7 am.',
    'Daily.',
    'I will remind you every day at 7 AM to feed Rex.',
  ],
])('asks for the days of what repeats: %s', async (text, days, reply) => {
  expect(await planned.say([text])).toMatchObject({ reply: 'On which days?', asks: true, set: [] });
  expect((await planned.say([text, days])).reply).toBe(reply);
});

test('sets nothing for one day of what is to repeat', async () => {
  const texts = ['Set a recurring alarm for 6:30.', 'Tomorrow.'];

  expect(await planned.say(texts)).toMatchObject({ set: [] });
});

test.each([
  ['4:30 am.', '22T04:30'],
  ['4:30 pm.', '21T16:30'],
  ['Eight.', '21T20:00'],
])('asks which four is meant tonight, and takes %s', async (text, dueAt) => {
  const first = 'Set an alarm tonight at 4:30.';

  expect(await planned.say([first])).toMatchObject({ reply: 'At what time?', asks: true, set: [] });
  expect(await setBy([first, text])).toEqual([{ label: null, dueAt: at(dueAt) }]);
});

test.each([
  ["Remind me that my doctor's appointment is Tuesday.", "my doctor's appointment is Tuesday"],
  ['Remind me my flight leaves at 6 am on Friday.', 'my flight leaves at 6 am on Friday'],
  ['Remind me that the meeting is at 4.', 'the meeting is at 4'],
])('asks when to tell of something that has its own time: %s', async (text, label) => {
  expect(await planned.say([text])).toMatchObject({ reply: 'When shall I remind you?', set: [] });
  expect(await setBy([text, 'Tomorrow at 9.'])).toEqual([{ label, dueAt: at('22T09:00') }]);
});

test.each([
  ['turn the heating on tomorrow', 'turn the heating on', '22T09:00'],
  ['switch the lights on Friday', 'switch the lights on', '27T09:00'],
  ['switch the lights off on Friday', 'switch the lights off', '27T09:00'],
  ['put the kettle on tomorrow at 4 pm', 'put the kettle on', '22T16:00'],
  ['leave the house on Friday', 'leave the house', '27T09:00'],
  ['turn the oven on at 6', 'turn the oven on', '21T18:00'],
  ['pick up the kids for 3 tomorrow afternoon', 'pick up the kids', '22T15:00'],
  ['book a table for 4 tonight', 'book a table for 4', '21T20:00'],
  ['buy food for 3 tomorrow', 'buy food for 3', '22T09:00'],
  ['go to my appointment on 3 pm', 'go to my appointment', '22T15:00'],
])('tells the words of a subject from those of its time: %s', async (text, label, dueAt) => {
  expect(await setBy([`Remind me to ${text}.`])).toEqual([{ label, dueAt: at(dueAt) }]);
});

const alarmAt = (time: string): NewTimer => ({
  kind: 'alarm',
  by: 'clock',
  label: null,
  room: 'kitchen',
  client: 'kitchen',
  setAt: now - 3_600_000,
  durationMs: null,
  dueAt: at(time),
});

test.each([
  [
    ['Change the alarm to 8:30.', 'The 7 am one.'],
    ['21T17:00', '22T08:30'],
  ],
  [
    ['Make the alarm 8:30.', 'The first one.'],
    ['21T20:30', '22T07:00'],
  ],
  [
    ['Move the alarm to Tuesday.', 'The 5 pm one.'],
    ['24T17:00', '22T07:00'],
  ],
  [['Change my 5 pm alarm to 6 tomorrow.'], ['22T18:00', '22T07:00']],
  [['Change my 7 am alarm to 7:30 for today.'], ['21T17:00', '22T07:00']],
  [
    ['Edit the 7 am alarm.', 'To 8.'],
    ['21T17:00', '22T08:00'],
  ],
  [
    ['Edit my alarm for tomorrow.', 'Six.'],
    ['21T17:00', '22T06:00'],
  ],
])('moves an alarm within its half of the day: %j', async (texts, dueAt) => {
  await planned.say(texts, { createdAt: now }, [alarmAt('21T17:00'), alarmAt('22T07:00')]);

  expect(planned.there().map((timer) => timer.dueAt)).toEqual(dueAt.map(at));
});

const day = (date: string) => Date.parse(`${date}:00Z`);
const inSeptember = 'Remind me in September to call Bob.';

test.each([
  [[inSeptember, 'The 5th.'], day('2027-09-05T08:00')],
  [[inSeptember, 'At ten.', 'The 5th.'], day('2027-09-05T09:00')],
  [[inSeptember, 'Sunday the 5th.'], day('2027-09-05T08:00')],
  [['Remind me next month to call Bob.', 'The 29th.'], day('2026-12-29T09:00')],
  [['Remind me next month to call Bob.', 'In two days.'], at('23T15:20')],
  [['Remind me next year to call Bob.', 'March 1st.'], day('2027-03-01T09:00')],
  [['Remind me the week after next to call Bob.', 'Monday.'], at('30T09:00')],
  [['Remind me this weekend to call Bob.', 'Tomorrow.'], at('22T09:00')],
  [['Remind me this weekend at ten to call Bob.', 'Sunday.'], at('22T10:00')],
  [['Wake me next weekend.', 'Sunday at nine.'], at('29T09:00')],
  [['Wake me tomorrow.', 'Eight.'], at('22T08:00')],
  [['Set an alarm for Friday.', 'Seven.'], at('27T07:00')],
  [['Set an alarm for Friday.', 'Seven on Thursday.'], at('26T07:00')],
])('keeps the day or period that was said before the answer: %j', async (texts, dueAt) => {
  expect((await setBy(texts)).map((each) => each.dueAt)).toEqual([dueAt]);
});

test.each([
  ['Remind me to call Ann a day before my birthday.', 'call Ann'],
  ['Remind me to call Joe a couple of weeks before the wedding.', 'call Joe'],
  ['Remind me to pay the bill on the second Tuesday after Easter.', 'pay the bill'],
  ['Remind me to pay the bill in the first week of January.', 'pay the bill'],
  ['Remind me to pay the bill in early January.', 'pay the bill'],
])('sets nothing for today in place of a day that it does not know: %s', async (text, label) => {
  expect(await planned.say([text, 'At nine.'])).toMatchObject({ reply: 'Which day?', asks: true, set: [] });
  expect(await setBy([text, 'At nine.', 'January the 5th.'])).toEqual([
    { label, dueAt: day('2027-01-05T09:00') },
  ]);
});

test.each([
  ['Remind me to check the oven in about 20 to 30 minutes.', 'check the oven'],
  ['Remind me to take the cake out 10 minutes after the timer.', 'take the cake out'],
  ['Remind me to pack the night before the trip.', 'pack'],
])('keeps no part of a time in the text of a reminder: %s', async (text, label) => {
  expect(await setBy([text, 'At nine.'])).toEqual([{ label, dueAt: at('21T21:00') }]);
});

test.each([
  ['Remind me to call Tom no wait Tim at 5.', 'call Tim'],
  ['Remind me to buy milk, sorry, butter at 5.', 'buy butter'],
  ['Remind me to call Tom, no, I mean Tim, at 5.', 'call Tim'],
  ['Remind me to say sorry to Tom at 5.', 'say sorry to Tom'],
  ['Remind me to say no to Tom at 5.', 'say no to Tom'],
])('keeps no word that was taken back in the text of a reminder: %s', async (text, label) => {
  expect(await setBy([text])).toEqual([{ label, dueAt: at('21T17:00') }]);
});

test('asks for the text of a reminder if it is unclear which words were corrected', async () => {
  const { reply, set } = await planned.say(['Remind me to buy milk, no wait, call the doctor at 5.']);
  expect([reply, set]).toEqual([expect.stringMatching(/^I do not know what to remind you of\./), []]);
});

test('knows that February has no 30th', async () => {
  expect(await planned.say(['Remind me to drink on February 30th.'])).toMatchObject({
    reply: 'There is no such day.',
    set: [],
  });
});

test.each([
  'Remind me to feed the cat every morning and evening.',
  'Remind me every morning and every evening to feed the cat.',
])('sets a reminder for each part of the day: %s', async (text) => {
  const { set } = await planned.say([text]);
  expect(set.map(({ label, dueAt, repeats }) => [label, dueAt, repeats?.rule])).toEqual([
    ['feed the cat', at('22T09:00'), 'FREQ=DAILY'],
    ['feed the cat', at('21T19:00'), 'FREQ=DAILY'],
  ]);
});

test('refuses to remind "every now and then"', async () => {
  expect(await planned.say(['Remind me to check the oven every now and then.'])).toMatchObject({
    reply: expect.stringContaining('I did not understand how often.'),
    asks: false,
    set: [],
  });
});

test.each([
  [inSeptember, 'The 31st.'],
  [inSeptember, 'At nine.'],
  [inSeptember, 'Tomorrow.'],
  ['Remind me this weekend to call Bob.', 'Monday.'],
])('asks again for a day of the period: %s %s', async (text, answer) => {
  expect(await planned.say([text, answer])).toMatchObject({ reply: 'Which day?', asks: true, set: [] });
});

test.each([
  [['Set a timer for 5.', 'Minutes.'], minutes(5)],
  [['Set a timer for 5.', 'Hours, please.'], minutes(300)],
  [['Set a timer.', 'Ten.', 'Minutes.'], minutes(10)],
  [['Set a timer.', 'In ten.'], minutes(10)],
])('applies a unit to the number before it: %j', async (texts, dueAt) => {
  expect(await setBy(texts)).toEqual([{ label: null, dueAt }]);
});

test('asks for the unit of a number', async () => {
  expect(await planned.say(['Set a timer for 5.'])).toMatchObject({
    reply: 'Five minutes or five hours?',
    set: [],
  });
});

test.each([
  ['Nine.', at('21T21:00')],
  ['9', at('21T21:00')],
  ['The 5th.', Date.parse('2026-12-05T09:00:00Z')],
  ['In ten.', minutes(10)],
  ['Today in 15 minutes.', minutes(15)],
  ['At 0905 hours tomorrow.', at('22T09:05')],
])('takes the answer to when to remind: %s', async (answer, dueAt) => {
  expect(await setBy([reminder, answer])).toEqual([{ label: 'call Bob', dueAt }]);
});

test.each(['Later.', 'After dinner.', 'Not now.', 'Some time.', 'Before the film.', 'In a while.'])(
  'asks once more for a time: %s',
  async (answer) => {
    expect(await planned.say([reminder, answer])).toMatchObject({ reply: again, asks: true, set: [] });
    expect(await setBy([reminder, answer, 'Nine.'])).toHaveLength(1);
    expect(await planned.say([reminder, answer, answer])).toMatchObject({
      reply: 'I still have no time, so I have not set anything.',
      asks: false,
    });
  },
);

test('takes "later" as a goodbye when no time was asked for', async () => {
  expect((await planned.say(['Later.'])).reply).toMatch(/bye/i);
});

test.each(['What time is it?', 'How is the weather today?'])(
  'remembers the reminder during another question: %s',
  async (between) => {
    expect(await setBy([reminder, between, 'At nine.'])).toEqual([
      { label: 'call Bob', dueAt: at('21T21:00') },
    ]);
  },
);

test.each([
  [reminder, 'At nine.', 'What time is it?', 'At ten.'],
  [reminder, 'Never mind.', 'What time is it?', 'At ten.'],
  ['Nine.'],
  ['Minutes.'],
])('sets nothing without an open question: %s, %s', async (...texts) => {
  expect(await setBy(texts)).toEqual([]);
});

test.each([
  ['Set a timer for 5m.', minutes(5)],
  ['Set a timer for 1h30m.', minutes(90)],
  ['Set a timer for 1h30.', minutes(90)],
  ['Set a timer for 5′30″.', minutes(5.5)],
  ['Remind me in 2d.', minutes(2 * 24 * 60)],
  ['set alarm 25 min', minutes(25)],
  ['Set an alarm for 06h30.', at('22T06:30')],
  ['Wake me at 8 a.m.', at('22T08:00')],
  ['Set an alarm for 8 a m.', at('22T08:00')],
  ['Wake me at 836pm.', at('21T20:36')],
  ['Wake me at 8:6 p.m.', at('21T20:06')],
  ['Set an alarm for 0905 hours.', at('22T09:05')],
  ['Set an alarm for 1030 hours.', at('22T10:30')],
  ['Set an alarm for 12 midnight.', at('22T00:00')],
])('reads a short form of a time: %s', async (text, dueAt) => {
  expect(await setBy([text])).toEqual([{ label: null, dueAt }]);
});

test('keeps a distance in the text of a reminder', async () => {
  expect(await setBy(['Remind me to swim 400 m at six.'])).toEqual([
    { label: 'swim 400 m', dueAt: at('21T18:00') },
  ]);
});

test("cancels the alarm of the time in: Don't wake me at 7.", async () => {
  const alarm = (time: string): NewTimer => ({
    kind: 'alarm',
    label: null,
    room: 'kitchen',
    client: null,
    setAt: now,
    dueAt: at(time),
    durationMs: null,
    by: 'clock',
  });
  const { cancelled } = await planned.say(["Don't wake me at 7."], {}, [
    alarm('22T07:00'),
    alarm('22T08:00'),
  ]);

  expect(cancelled).toHaveLength(1);
});

const weekdays = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';
const weekends = 'FREQ=WEEKLY;BYDAY=SA,SU';
const repeated = async (text: string) => {
  const { set, reply } = await planned.say([text], { createdAt: now });
  return { reply, set: set.map(({ label, dueAt, repeats }) => ({ label, dueAt, rule: repeats?.rule })) };
};

test.each([
  'Wake me at 7 on weekdays and 9 on weekends.',
  'Wake me on weekdays at 7 and on weekends at 9.',
  'Wake me at 7 Monday to Friday and at 9 at the weekend.',
  'Every weekday at 7 and every weekend at 9 wake me up.',
])('sets an alarm for each repeating time: %s', async (text) => {
  expect(await repeated(text)).toEqual({
    reply: 'I will wake you every weekday at 7 AM, and every Saturday and Sunday at 9 AM.',
    set: [
      { label: null, dueAt: at('23T07:00'), rule: weekdays },
      { label: null, dueAt: at('22T09:00'), rule: weekends },
    ],
  });
});

test.each([
  [
    'Set an alarm every Monday and on the first of the month at 7.',
    [
      ['2026-11-23T07:00', 'FREQ=WEEKLY;BYDAY=MO'],
      ['2026-12-01T07:00', 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ],
  ],
  [
    'Wake me every Monday at 7 and on the first of the month at 8.',
    [
      ['2026-11-23T07:00', 'FREQ=WEEKLY;BYDAY=MO'],
      ['2026-12-01T08:00', 'FREQ=MONTHLY;BYMONTHDAY=1'],
    ],
  ],
  [
    'Wake me at 6 every other Tuesday and on the last Friday of the month.',
    [
      ['2026-11-24T06:00', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
      ['2026-11-27T06:00', 'FREQ=MONTHLY;BYDAY=-1FR'],
    ],
  ],
  [
    'Set an alarm on weekdays at 7 and on Saturday at 9.',
    [
      ['2026-11-23T07:00', weekdays],
      ['2026-11-28T09:00', 'FREQ=WEEKLY;BYDAY=SA'],
    ],
  ],
])('reads repetitions of different kinds: %s', async (text, expected) => {
  const { set } = await repeated(text);

  expect(set.map(({ dueAt, rule }) => [new Date(dueAt).toISOString().slice(0, 16), rule])).toEqual(expected);
});

test('sets nothing if a day beside its repetition may have one time or two', async () => {
  expect((await repeated('Wake me every day at 7 and on Saturday at 9.')).set).toEqual([]);
});

test.each(['Wake me every day at sunrise.', 'Remind me every evening at sunset to close the blinds.'])(
  'names the sun if it cannot repeat its time: %s',
  async (text) => {
    expect(await repeated(text)).toEqual({
      reply: expect.stringMatching(/^I know the time of the sun/),
      set: [],
    });
  },
);

test.each([
  'Remind me to take my pills every day at 8 am and 8 pm.',
  'Remind me every day at 8 and 20:00 to take my pills.',
  'Remind me to take my pills at 8 am and 8 pm every day.',
  'Set a reminder every day at 8 am and 8 pm to take my pills.',
])('sets a reminder for each repeating time: %s', async (text) => {
  expect(await repeated(text)).toEqual({
    reply: 'I will remind you every day at 8 AM, and every day at 8 PM to take your pills.',
    set: [
      { label: 'take my pills', dueAt: at('22T08:00'), rule: 'FREQ=DAILY' },
      { label: 'take my pills', dueAt: at('21T20:00'), rule: 'FREQ=DAILY' },
    ],
  });
});

test.each([
  ['Remind me to mow the lawn biweekly on Friday.', 'mow the lawn', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'],
  ['Remind me bi-weekly to mow the lawn.', 'mow the lawn', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA'],
  ['Remind me fortnightly on Tuesday to mow the lawn.', 'mow the lawn', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
  ['Remind me to pay taxes quarterly on the 15th.', 'pay taxes', 'FREQ=MONTHLY;BYMONTHDAY=15;INTERVAL=3'],
  ['Remind me to pay taxes semi-annually.', 'pay taxes', 'FREQ=MONTHLY;BYMONTHDAY=21;INTERVAL=6'],
  ['Remind me every year to pay taxes on May 3.', 'pay taxes', 'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3'],
  ['Remind me weekly to mow the lawn on Friday at 8.', 'mow the lawn', 'FREQ=WEEKLY;BYDAY=FR'],
  ['Remind me every month to pay the rent on the first.', 'pay the rent', 'FREQ=MONTHLY;BYMONTHDAY=1'],
  ['Remind me to take a pill once daily.', 'take a pill', 'FREQ=DAILY'],
])('keeps an adverb of repetition out of the text: %s', async (text, label, rule) => {
  expect((await repeated(text)).set).toMatchObject([{ label, rule }]);
});

test.each([
  ['Remind me to read the biweekly report tomorrow.', 'read the biweekly report'],
  ['Remind me to file my quarterly taxes on Friday.', 'file my quarterly taxes'],
  ['Remind me to send the monthly newsletter on Friday.', 'send the monthly newsletter'],
])('keeps an adjective of repetition in the text: %s', async (text, label) => {
  const { set } = await planned.say([text], { createdAt: now });

  expect(set).toMatchObject([{ label }]);
  expect(set[0]?.repeats).toBeUndefined();
});

test.each([
  'Remind me twice a day at 8 and 20:00 to take a pill.',
  'Remind me three times a day to drink.',
  'Remind me to drink three times daily.',
  'Remind me to drink twice weekly.',
  'Remind me to pay bimonthly on the 3rd.',
])('sets nothing for a frequency without a rule: %s', async (text) => {
  expect(await repeated(text)).toMatchObject({
    reply: expect.stringMatching(/^I did not understand how often/),
    set: [],
  });
});

test.each([
  [
    'Remind me to change the filter every three months.',
    'on the 21st, every 3 months at 9 AM, counted from today, so first on Sunday, the 21st of February 2027',
    '2027-02-21T09:00:00Z',
  ],
  [
    'Remind me every three months at 6 pm to change the filter.',
    'on the 21st, every 3 months at 6 PM, counted from today, so first on Saturday, the 21st of November',
    '2026-11-21T18:00:00Z',
  ],
  [
    'Remind me every two weeks starting Friday at 9 to change the filter.',
    'every other Friday at 9 AM, first on Friday, the 27th of November',
    '2026-11-27T09:00:00Z',
  ],
])('says the day of the first time: %s', async (text, when, first) => {
  const { reply, set } = await planned.say([text], { createdAt: now });

  expect(reply).toBe(`I will remind you ${when} to change the filter.`);
  expect(set.map(({ dueAt }) => dueAt)).toEqual([Date.parse(first)]);
});

test.each([
  [['Remind me in a bit to stir.'], 'In how many minutes?'],
  [['Remind me to stir in a few minutes.'], 'In how many minutes?'],
  [['Wake me in a few hours.'], 'In how many hours?'],
  [['Set a pasta timer for a few minutes.'], 'For how many minutes?'],
])('asks for the number that a length lacks: %j', async (texts, reply) => {
  expect(await planned.say(texts, { createdAt: now })).toMatchObject({ reply, set: [] });
});

test.each([
  [['Remind me in a bit to stir.', 'Ten.'], 10],
  [['Remind me to stir in a few hours.', 'Two.'], 120],
  [['Set a timer for a few minutes.', '4'], 4],
  [['Wake me in a little while.', 'In 40 minutes.'], 40],
])('takes a number alone for what it asked: %j', async (texts, count) => {
  expect((await setBy(texts)).map(({ dueAt }) => dueAt)).toEqual([minutes(count)]);
});

test('keeps words of repetition out of the text of a reminder', async () => {
  const { set } = await repeated('Remind me to change the filter every three months.');

  expect(set).toMatchObject([{ label: 'change the filter', rule: 'FREQ=MONTHLY;BYMONTHDAY=21;INTERVAL=3' }]);
});

const alarm: NewTimer = {
  kind: 'alarm',
  label: null,
  room: 'kitchen',
  client: 'kitchen',
  setAt: now - 86_400_000,
  dueAt: at('22T07:00'),
  durationMs: null,
  by: 'clock',
};
const which = 'Which alarms do I have?';

test.each([
  'And every weekday.',
  'Make it every weekday.',
  'On weekdays, please.',
  'Repeat it every weekday.',
])('repeats the alarm that was just told: %s', async (text) => {
  const { reply } = await planned.say([which, text], { createdAt: now }, [alarm]);

  expect(reply).toBe('Alarm, now every weekday at 7 AM.');
  expect(planned.there()).toMatchObject([
    { dueAt: at('23T07:00'), repeats: { rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' } },
  ]);
});

test.each([
  'Delete it.',
  "I don't need it any more.",
  'Stop waking me.',
  "I don't want to be woken tomorrow.",
])('cancels the alarm that was just told: %s', async (text) => {
  const { reply } = await planned.say([which, text], { createdAt: now }, [alarm]);

  expect(reply).toBe('I cancelled the 7 AM alarm.');
  expect(planned.there()).toEqual([]);
});

test('asks which of several listed alarms to delete', async () => {
  const two = [alarm, { ...alarm, dueAt: at('22T08:00') }];

  expect(await planned.say([which, 'Delete it.'], { createdAt: now }, two)).toMatchObject({
    reply: expect.stringMatching(/^Which alarm: /),
    cancelled: [],
  });
});

test('leaves "it" to others when no timer was listed', async () => {
  expect(await planned.say(['How are you?', 'Delete it.'], { createdAt: now }, [alarm])).toMatchObject({
    reply: null,
    cancelled: [],
  });
});

test('tells the time left on the only timer: "it"', async () => {
  const timer: NewTimer = { ...alarm, kind: 'timer', dueAt: minutes(5), durationMs: 300_000, by: 'length' };

  expect(await planned.say(['How long is left on it?'], { createdAt: now }, [timer])).toMatchObject({
    reply: 'Five minutes left on the five minute timer.',
  });
});

test('keeps the day while it asks for the time of a meal', async () => {
  expect(await setBy(['Remind me tomorrow at breakfast to take my pills.', '7:30 am.'])).toEqual([
    { label: 'take my pills', dueAt: at('22T07:30') },
  ]);
});

test('keeps a question open while the person thinks', async () => {
  const { reply } = await planned.say(['Set a pasta timer.', 'Wait.']);

  expect(reply).toBe('Okay.');
  expect(await setBy(['Set a pasta timer.', 'Wait.', 'Hold on.', 'Ten minutes.'])).toEqual([
    { label: 'pasta', dueAt: minutes(10) },
  ]);
});
