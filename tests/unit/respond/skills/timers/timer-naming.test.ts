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
