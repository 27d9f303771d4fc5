import { expect, test } from 'vitest';
import type { NewTimer } from '../../../../../api/src/timers/timer.ts';
import { createPlannedTimers } from '../../../../support/planned-timers.ts';
import { now } from '../../../../support/skills.ts';

const planned = createPlannedTimers();
const timer = (label: string | null): NewTimer => ({
  kind: 'timer',
  label,
  room: 'kitchen',
  client: 'kitchen',
  setAt: now,
  dueAt: now + 600_000,
  durationMs: 600_000,
  by: 'length',
});

test.each([
  ['Rename the pasta timer to spaghetti.', 'The pasta timer is now the spaghetti timer.', 'spaghetti'],
  ['Please call the pasta timer spaghetti.', 'The pasta timer is now the spaghetti timer.', 'spaghetti'],
  [
    'Change the name of my pasta timer to green beans.',
    'The pasta timer is now the green beans timer.',
    'green beans',
  ],
  ['Call it eggs.', 'The pasta timer is now the eggs timer.', 'eggs'],
  ['Rename it to eggs.', 'The pasta timer is now the eggs timer.', 'eggs'],
])('renames a timer: %s', async (text, reply, label) => {
  expect(await planned.say([text], { createdAt: now }, [timer('pasta')])).toMatchObject({ reply });
  expect(planned.there().map((each) => each.label)).toEqual([label]);
});

test('asks which timer to rename, and says that there is none', async () => {
  const two = [timer('pasta'), { ...timer('tea'), setAt: now - 600_000 }];
  const old = two.map((each) => ({ ...each, setAt: now - 600_000 }));
  const { asks } = await planned.say(['Rename the timer to eggs.'], { createdAt: now }, old);

  expect(asks).toBe(true);
  expect(await planned.say(['Rename the rice timer to eggs.'], { createdAt: now }, old)).toMatchObject({
    reply: expect.stringMatching(/^There is no rice timer, only/),
  });
});

test.each(['Tea timer.', 'Green tea timer.', 'A green tea timer.', 'Quiet time timer.'])(
  'asks how long for a new timer that is only named: %s',
  async (text) => {
    expect(await planned.say([text])).toMatchObject({ reply: 'For how long?', asks: true });
  },
);

test('tells the time of a timer that is only named, unless it answers a question', async () => {
  const two = ['green tea', 'pasta'].map((label) => ({ ...timer(label), setAt: now - 600_000 }));

  expect(await planned.say(['Green tea timer.'], { createdAt: now }, two)).toMatchObject({
    reply: 'Ten minutes left on the green tea timer.',
  });
  const answered = await planned.say(['Cancel the timer.', 'Green tea timer.'], { createdAt: now }, two);
  expect(answered.cancelled).toHaveLength(1);
});

test.each([
  ['Set a December alarm for 8.', 'Which day?'],
  ['Set a March alarm for 8.', 'Which day?'],
])('takes a month for a time and not for a name: %s', async (text, reply) => {
  expect(await planned.say([text])).toMatchObject({ reply, asks: true, set: [] });
});
