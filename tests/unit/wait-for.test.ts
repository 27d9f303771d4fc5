import { expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';

test.each([false, 0, Number.NaN, '', null, undefined])('waitFor asks again after %s', async (early) => {
  const results = [early, early, 'late'];

  expect(await waitFor(() => results.shift())).toBe('late');
});

test('waitFor asks again after an error, and reports the last one', async () => {
  const fails = () => Promise.reject(new Error('not yet'));

  const waiting = waitFor(fails, { what: 'a result', withinMs: 20 });

  await expect(waiting).rejects.toMatchObject({
    message: 'waited 20 ms in vain for: a result',
    cause: { message: 'not yet' },
  });
});
