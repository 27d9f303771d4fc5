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
        'Not all of them were set here. Shall I cancel all of them: the kitchen pasta timer, ten minutes left and the bedroom pasta timer, ten minutes left?',
    });
  },
);

test('the skill cancels those of another room when the answer is all', async () => {
  const { cancelled } = await planned.say(['Cancel all timers.', 'All of them.'], {}, both);

  expect(cancelled).toHaveLength(2);
});
