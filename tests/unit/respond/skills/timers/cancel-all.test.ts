import { expect, test } from 'vitest';
import type { NewTimer } from '../../../../../api/src/timers/timer.ts';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';
import { now } from '../../../../support/skills.ts';

const planned = createPlannedTimers();
const inRoom = (room: string): NewTimer => ({
  kind: 'timer',
  label: `${room} pasta`,
  room,
  client: room,
  setAt: now - 60_000,
  dueAt: now + 600_000,
  durationMs: 660_000,
  by: 'length',
});
const both = [inRoom('kitchen'), inRoom('bedroom')];
const states = () => planned.there().map(({ state }) => state);

test('the skill cancels all timers of the room without a question', async () => {
  const { cancelled, asks } = await planned.say(['Cancel all timers.'], {}, [inRoom('kitchen')]);

  expect({ count: cancelled.length, asks }).toEqual({ count: 1, asks: false });
});

test.each(['Cancel all timers.', 'Cancel my timers.'])(
  'the skill asks before it cancels those of another room: %s',
  async (text) => {
    const { cancelled, reply } = await planned.say([text], { createdAt: now }, both);

    expect({ cancelled, reply }).toEqual({
      cancelled: [],
      reply:
        'Not all of them were set here. Shall I cancel all of them: the kitchen pasta timer with ten minutes left and the bedroom pasta timer with ten minutes left?',
    });
  },
);

test.each(['Pause all timers.', 'Pause the timers.'])(
  'the skill asks before it pauses those of another room: %s',
  async (text) => {
    const { reply } = await planned.say([text], { createdAt: now }, both);

    expect({ reply, states: states() }).toEqual({
      reply:
        'Not all of them were set here. Shall I pause all of them: the kitchen pasta timer with ten minutes left and the bedroom pasta timer with ten minutes left?',
      states: ['running', 'running'],
    });
  },
);

test('the skill pauses those of another room when the answer is all', async () => {
  await planned.say(['Pause all timers.', 'All of them.'], {}, both);

  expect(states()).toEqual(['paused', 'paused']);
});

test('the skill cancels those of another room when the answer is all', async () => {
  const { cancelled } = await planned.say(['Cancel all timers.', 'All of them.'], {}, both);

  expect(cancelled).toHaveLength(2);
});

test.each([
  'Delete all timers and alarms.',
  'Cancel all the alarms and timers.',
  'Clear my timers and reminders.',
  'Delete all timers, alarms and reminders.',
  'Cancel all my timers and all my alarms.',
  'Cancel all timers everywhere.',
  'Cancel all timers in the whole house.',
])('the skill asks before it cancels several in other rooms: %s', async (text) => {
  const { cancelled, asks } = await planned.say([text], { createdAt: now }, both);

  expect({ cancelled, asks }).toEqual({ cancelled: [], asks: true });
});

test('the skill cancels nothing of a list with a timer that does not exist', async () => {
  const { cancelled } = await planned.say(['Cancel the soup timer and my alarms.'], {}, both);

  expect(cancelled).toEqual([]);
});

test('the skill cancels several kinds in this room without a question', async () => {
  const here = [inRoom('kitchen'), { ...inRoom('kitchen'), kind: 'alarm' as const, label: null }];
  const { cancelled, asks } = await planned.say(['Delete all timers and alarms.'], {}, here);

  expect({ count: cancelled.length, asks }).toEqual({ count: 2, asks: false });
});

const alarms = ['kitchen', 'bedroom'].map((room) => ({
  ...inRoom(room),
  kind: 'alarm' as const,
  label: null,
}));

test.each([
  ['Delete all timers and alarms.', 4],
  ['Delete all timers, alarms and reminders.', 4],
  ['Cancel all timers everywhere.', 2],
])('the skill cancels what the question named after all of them: %s', async (text, count) => {
  const { cancelled } = await planned.say([text, 'All of them.'], {}, [...both, ...alarms]);

  expect(cancelled).toHaveLength(count);
});

/** From 15:20 on Saturday 21 November 2026. */
const alarmAt = (time: string, repeats?: NewTimer['repeats']): NewTimer => ({
  ...inRoom('kitchen'),
  ...{ kind: 'alarm', label: null, durationMs: null, by: 'clock', repeats },
  dueAt: Date.parse(`2026-11-${time}:00Z`),
});
const tonight = alarmAt('21T23:00');
const wednesday = alarmAt('25T07:00');

test.each([
  ['Cancel all my alarms next week.', 'I cancelled the 7 AM alarm.'],
  ['Delete my alarms for this weekend.', 'I cancelled the 11 PM alarm.'],
])('the skill cancels only what rings in the period: %s', async (text, reply) => {
  expect(await planned.say([text], { createdAt: now }, [tonight, wednesday])).toMatchObject({ reply });
});

test('the skill cancels nothing outside of the period', async () => {
  const texts = ['Cancel all my alarms next month.'];
  const { cancelled } = await planned.say(texts, { createdAt: now }, [tonight, wednesday]);

  expect(cancelled).toEqual([]);
});

test('the skill cancels no repetition for a week of it', async () => {
  const daily = { rule: 'FREQ=DAILY', from: Date.parse('2026-11-21T07:00:00Z'), timeZone: 'UTC', except: [] };
  const texts = ['Cancel all my alarms next week.'];
  const { cancelled, reply } = await planned.say(texts, { createdAt: now }, [alarmAt('22T07:00', daily)]);

  expect({ cancelled, reply }).toEqual({
    cancelled: [],
    reply:
      'I can skip only one day of a repeating alarm or reminder at a time. I have not cancelled anything.',
  });
});
