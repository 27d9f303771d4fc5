import { describe, expect, test } from 'vitest';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';
import { now } from '../../../../support/skills.ts';

const planned = createPlannedTimers({ rooms: ['kitchen', 'bedroom'] });
const say = (texts: readonly string[]) => planned.say(texts, { createdAt: now });
const again = "When exactly, for example at six o'clock or in half an hour?";

describe('an answer to the question for a time', () => {
  test('may be the room, which the reminder keeps', async () => {
    const texts = ['Remind me to call Tom.', 'In the bedroom.'];

    expect(await say(texts)).toMatchObject({ reply: again, asks: true, set: [] });
    expect((await say([...texts, 'In 20 minutes.'])).reply).toBe(
      'I will remind you in 20 minutes in the bedroom to call Tom.',
    );
  });

  test.each(['Set a timer.', 'Set an alarm.'])('may be the room first: %s', async (text) => {
    const { set } = await say([text, 'In the bedroom.', 'In 20 minutes.']);

    expect(set).toMatchObject([{ room: 'bedroom' }]);
  });

  test.each([
    'Every first of the month until June.',
    'Every full moon.',
    'Each time it rains.',
    'Every Monday in winter.',
  ])('may be a repetition that is not understood: %s', async (text) => {
    expect(await say(['Remind me to pay rent.', text])).toMatchObject({ reply: again, asks: true, set: [] });
  });
});

describe('a reminder that is no longer wanted', () => {
  test.each([
    "Don't remind me to call Bob.",
    'Do not remind me to call Bob anymore.',
    "You don't need to remind me to call Bob.",
    'No need to remind me to call Bob.',
    'No need to remind me about Bob.',
    "Don't remind me to call Bob tomorrow.",
    "Don't remind me tomorrow.",
  ])('is cancelled: %s', async (text) => {
    const { cancelled, reply } = await say(['Remind me tomorrow to call Bob.', text]);

    expect({ count: cancelled.length, reply }).toEqual({
      count: 1,
      reply: 'I cancelled the reminder "call Bob".',
    });
  });

  test('is not taken for another one', async () => {
    const { cancelled } = await say(['Remind me tomorrow to call Bob.', "Don't remind me to call Anna."]);

    expect(cancelled).toEqual([]);
  });
});

test.each([
  ['Set a timer for hour and a half.', 90],
  ['Timer hour and a half.', 90],
  ['Set a timer for hour and a quarter.', 75],
  ['Set a timer for minute and a half.', 1.5],
  ['Remind me in hour and a half to leave.', 90],
])('a length may lack its article: %s', async (text, minutes) => {
  const { set } = await say([text]);

  expect(set.map(({ dueAt }) => (dueAt - now) / 60_000)).toEqual([minutes]);
});

test.each([
  ['Set my daily alarm for 7.', 'Alarm, every day at 7 AM.'],
  ['Set an everyday alarm for 6:30.', 'Alarm, every day at 6:30 AM.'],
  ['Set my Tuesday and Thursday alarm for 6:30.', 'Alarm, every Tuesday and Thursday at 6:30 AM.'],
  ['Set my Monday through Friday alarm for 6:30.', 'Alarm, every weekday at 6:30 AM.'],
  ['Set a Monday, Wednesday and Friday alarm for 7.', 'Alarm, every Monday, Wednesday and Friday at 7 AM.'],
  ['Set my nightly reminder for 10 pm to lock up.', 'I will remind you every day at 10 PM to lock up.'],
  ['Set a Monday alarm for 6.', 'Alarm, on Monday at 6 AM.'],
  [
    'Remind me every third day to water the plants.',
    'I will remind you every 3 days at 9 AM to water the plants.',
  ],
])('days before the noun say how often it repeats: %s', async (text, reply) => {
  expect((await say([text])).reply).toBe(reply);
});
