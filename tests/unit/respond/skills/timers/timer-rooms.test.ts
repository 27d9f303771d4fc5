import { expect, test } from 'vitest';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';
import { now } from '../../../../support/skills.ts';

const house = createPlannedTimers({ rooms: ['Kitchen', 'Bedroom', "Anna's room"] });
const unknown = createPlannedTimers();
const minutes = (count: number) => now + count * 60_000;

const setBy = async (texts: readonly string[], planned = house) => {
  const { set, reply } = await planned.say(texts, { createdAt: now });
  return { reply, set: set.map(({ kind, label, room, dueAt }) => [kind, label, room, dueAt]) };
};

test.each([
  'Remind me in the bedroom in 20 minutes to close the window.',
  'Remind me in 20 minutes in the bedroom to close the window.',
  'Remind me to close the window in 20 minutes in the bedroom.',
  'Remind me to close the window in the bedroom in 20 minutes.',
  'In 20 minutes remind me in the bedroom to close the window.',
  'In the bedroom, remind me in 20 minutes to close the window.',
])('the skill rings a reminder in the named room, and keeps the room out of its text: %s', async (text) => {
  expect(await setBy([text])).toEqual({
    reply: 'I will remind you in 20 minutes in the bedroom to close the window.',
    set: [['reminder', 'close the window', 'bedroom', minutes(20)]],
  });
});

test.each([
  ['Set an alarm for 7 am every weekday in the bedroom.', 'Alarm, every weekday at 7 AM in the bedroom.'],
  ['Set an alarm in the bedroom for 7 am every weekday.', 'Alarm, every weekday at 7 AM in the bedroom.'],
  ['Wake me in my bedroom at seven a m.', 'I will wake you tomorrow at 7 AM in the bedroom.'],
  ["Wake me at 7 in Anna's room.", "I will wake you tomorrow at 7 AM in Anna's room."],
  [
    'Set two timers in the bedroom for five and ten minutes.',
    'Two timers: five minutes and ten minutes, in the bedroom.',
  ],
  [
    'Remind me every evening at nine to take my pills in the bedroom.',
    'I will remind you every day at 9 PM in the bedroom to take your pills.',
  ],
])('the skill says the room of the ringing: %s', async (text, reply) => {
  const found = await setBy([text]);

  expect(found.reply).toBe(reply);
  expect(new Set(found.set.map(([, , room]) => room)).size).toBe(1);
  expect(found.set[0]?.[2]).not.toBe('kitchen');
});

test.each([
  [['Remind me in the bedroom to close the window.', 'In 20 minutes.'], 'reminder', 'close the window'],
  [['Remind me to call Bob.', 'In 20 minutes in the bedroom.'], 'reminder', 'call Bob'],
  [['Set a timer in the bedroom.', '20 minutes.'], 'timer', null],
])('the skill keeps the room while it asks for the time: %j', async (texts, kind, label) => {
  expect((await setBy(texts)).set).toEqual([[kind, label, 'bedroom', minutes(20)]]);
});

test.each(['sauna', 'attic', 'office'])('the skill asks for another room instead of the %s', async (room) => {
  const text = `Remind me in the ${room} in 20 minutes to close the window.`;

  expect(await setBy([text])).toEqual({
    reply: `I know of no ${room} in this house, so nothing would ring there. Which room?`,
    set: [],
  });
  expect(await setBy([text, 'In the bedroom.'])).toEqual({
    reply: 'I set the reminder "close the window" today at 3:40 PM, in the bedroom.',
    set: [['reminder', 'close the window', 'bedroom', minutes(20)]],
  });
  expect((await setBy([text, 'Here.'])).set).toEqual([
    ['reminder', 'close the window', 'kitchen', minutes(20)],
  ]);
});

test.each([
  ['Remind me to water the plants in the garden in 20 minutes.', 'water the plants in the garden'],
  ['Remind me to put the bins in the garage in 20 minutes.', 'put the bins in the garage'],
  ['Remind me in 20 minutes to get the mail in the lobby.', 'get the mail in the lobby'],
])('the skill keeps a place without a speaker in the text: %s', async (text, label) => {
  expect((await setBy([text])).set).toEqual([['reminder', label, 'kitchen', minutes(20)]]);
  expect((await setBy([text], unknown)).set).toEqual([['reminder', label, 'kitchen', minutes(20)]]);
});
