import { describe, expect, test } from 'vitest';
import { createConcurrencyLimit, LimitReachedError } from '../../../api/src/audio/concurrency-limit.ts';
import { waitFor } from '../../support/wait-for.ts';

const never = new AbortController().signal;

/** Work that ends on request. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isRunning = false;
  return {
    isRunning: () => isRunning,
    end: () => resolve(),
    run: () => {
      isRunning = true;
      return promise;
    },
  };
}

describe('a concurrency limit', () => {
  test('admits callers up to the limit, and the next one when one leaves', async () => {
    const limit = createConcurrencyLimit({ maxAtOnce: 2, maxWaiting: 2 });
    const works = [work(), work(), work(), work()];
    const runs = works.map((each) => limit(never, each.run));
    const running = () => works.map((each) => each.isRunning());

    await waitFor(() => works[1]?.isRunning() === true);
    expect(running()).toEqual([true, true, false, false]);
    works[1]?.end();
    await waitFor(() => works[2]?.isRunning() === true);
    expect(running()).toEqual([true, true, true, false]);

    for (const each of works) each.end();
    await Promise.all(runs);
  });

  test('refuses work when its queue is full', async () => {
    const limit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 1 });
    const [first, second] = [work(), work()];
    const runs = [limit(never, first.run), limit(never, second.run)];

    await expect(limit(never, work().run)).rejects.toThrow(LimitReachedError);

    first.end();
    second.end();
    await Promise.all(runs);
  });

  test('removes a caller that stops waiting', async () => {
    const limit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 1 });
    const [first, left, last] = [work(), work(), work()];
    const leaving = new AbortController();
    const running = limit(never, first.run);
    const waiting = limit(leaving.signal, left.run);

    leaving.abort(new Error('hung up'));
    await expect(waiting).rejects.toThrow('hung up');
    const next = limit(never, last.run);
    first.end();
    last.end();
    await Promise.all([running, next]);

    expect([left.isRunning(), last.isRunning()]).toEqual([false, true]);
  });

  test('frees the place when work fails', async () => {
    const limit = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 0 });

    await expect(limit(never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');

    await expect(limit(never, () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
