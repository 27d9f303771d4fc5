import { beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../../api/src/engines/engine-client.ts';
import { createHomeCalls } from '../../../api/src/engines/home-calls.ts';
import { HomeError, homeFault } from '../../../api/src/engines/home-fault.ts';
import { type HomeLineOptions, RefusedToken } from '../../../api/src/engines/home-line.ts';
import { createHomeLive } from '../../../api/src/engines/home-live.ts';
import { createHomeLockout, type HomeLockout } from '../../../api/src/engines/home-lockout.ts';
import type { WholeHouse } from '../../../api/src/engines/house-reader.ts';
import { watchHouse } from '../../../api/src/respond/home/house.ts';

/** The first pauses of a client that is stopped in the last of them. */
function createPauses(count: number) {
  const pauses: number[] = [];
  const over = Promise.withResolvers<readonly number[]>();
  return {
    pauses: over.promise,
    pause: async (ms: number): Promise<void> => {
      pauses.push(ms);
      if (pauses.length < count) return;
      over.resolve(pauses);
      await new Promise(() => undefined);
    },
  };
}

/** A connection that ends before its authentication. */
const endingWith =
  (reason: Error, onOpen: () => void) =>
  ({ onClose }: HomeLineOptions) => {
    onOpen();
    queueMicrotask(() => onClose?.(reason));
    return {
      ask: () => Promise.reject(reason),
      subscribe: () => Promise.reject(reason),
      isOpen: () => false,
      close: () => undefined,
    };
  };

interface LiveOptions {
  reason: Error;
  pauses: number;
  shutOut?: HomeLockout;
  isRunning?: () => Promise<boolean>;
}

/** A client whose connections all end with the reason; `opened` counts them. */
function startLive({
  reason,
  pauses: count,
  shutOut = createHomeLockout(),
  isRunning = () => Promise.resolve(true),
}: LiveOptions) {
  const { pauses, pause } = createPauses(count);
  let opened = 0;
  const open = endingWith(reason, () => {
    opened += 1;
  });
  const live = createHomeLive({ baseUrl: 'http://home', token: 'old', shutOut, isRunning, open, pause });
  live.start({ onNames: () => undefined });
  return { pauses, opened: () => opened, stop: live.stop };
}

const broken = new Error('the socket broke');
const statusOf = (status: number) => homeFault(new EngineError('home', 'refused', { status, detail: '' }));

test('the client retries a failed connection with growing delays', async () => {
  const live = startLive({ reason: broken, pauses: 6 });

  expect(await live.pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  live.stop();
});

test.each([
  ['token is refused', new RefusedToken(), 401],
  ['address is banned', broken, 403],
])('the client reopens a connection whose %s when HTTP works', async (_why, reason, status) => {
  const shutOut = createHomeLockout();
  const ask = () => {
    const error = statusOf(status);
    if (error instanceof HomeError) shutOut.learn(error);
    return Promise.reject(error);
  };
  const live = startLive({ reason, pauses: 2, shutOut, isRunning: ask });
  await vi.waitFor(() => expect(shutOut.throwIfShut).toThrow());
  await new Promise(setImmediate);

  expect(live.opened()).toBe(1);
  shutOut.learn();
  await live.pauses;
  expect(live.opened()).toBe(2);
  live.stop();
});

describe('a house that refuses Hearth', () => {
  let now = 0;
  let asked: string[] = [];
  let answer: (path: string) => unknown = () => ({});
  const openCalls = () => {
    const shutOut = createHomeLockout({ now: () => now });
    const json = async ({ url }: { url: string }) => {
      asked.push(new URL(url).pathname);
      return answer(new URL(url).pathname);
    };
    const calls = createHomeCalls({
      http: { json },
      url: 'http://home',
      token: 'old',
      factMs: 1_000,
      shutOut,
    });
    const ask = () => calls.post('/api/template', {}, { signal: new AbortController().signal });
    return { ...calls, shutOut, ask };
  };
  const refuse = (status: number) => () => {
    throw new EngineError('home', 'refused', { status, detail: '' });
  };
  beforeEach(() => {
    [now, asked, answer] = [0, [], () => ({})];
  });

  test.each([
    [401, 'refused', ['/api/template', '/api/core/state']],
    [403, 'banned', ['/api/template']],
  ])('by %i is asked once in five minutes, and is reported as %s', async (status, trouble, paths) => {
    const { ask, shutOut } = openCalls();
    answer = refuse(status);

    for (let count = 0; count < 3; count += 1)
      await expect(ask()).rejects.toMatchObject({ failure: trouble });
    expect(asked).toEqual(paths);
    expect(shutOut.throwIfShut).toThrow(`home: ${trouble}`);

    now += 300_000;
    for (let count = 0; count < 3; count += 1)
      await expect(ask()).rejects.toMatchObject({ failure: trouble });
    expect(asked).toEqual([...paths, '/api/core/state']);

    now += 300_000;
    answer = () => ({});
    await ask();
    expect(shutOut.throwIfShut).not.toThrow();
  });

  test('for one thing alone is still asked for the others', async () => {
    const { ask, shutOut } = openCalls();
    answer = (path) => (path === '/api/template' ? refuse(401)() : {});

    await expect(ask()).rejects.toMatchObject({ failure: 'refused' });

    expect(shutOut.throwIfShut).not.toThrow();
  });

  test('and then goes away is asked again at once', async () => {
    const { ask } = openCalls();
    answer = refuse(403);
    await expect(ask()).rejects.toMatchObject({ failure: 'banned' });
    now += 300_000;
    answer = () => {
      throw new EngineError('home', 'unreachable', { detail: '' });
    };

    await expect(ask()).rejects.toMatchObject({ failure: 'lost' });
    await expect(ask()).rejects.toMatchObject({ failure: 'lost' });
  });
});

test('a house tells apart names that changed, that did not, and that cannot be read', async () => {
  const facts = { areas: [], floors: [], things: [], speakers: [], exposed: new Map(), isLimited: false };
  const reads: PromiseWithResolvers<WholeHouse>[] = [];
  let change: () => void = () => undefined;
  const house = watchHouse({
    client: {
      house() {
        const read = Promise.withResolvers<WholeHouse>();
        reads.push(read);
        return read.promise;
      },
      listen: ({ onNames }) => {
        change = onNames;
      },
    },
    onFailure: () => undefined,
    pause: () => new Promise(() => undefined),
  });
  const refreshed = () => {
    const told = house.refresh();
    return { told, read: reads.at(-1) };
  };

  const first = refreshed();
  first.read?.resolve(facts);
  expect(await first.told).toBe('new');
  expect(await house.refresh()).toBe('same');

  change();
  const again = refreshed();
  again.read?.resolve({ ...facts, floors: ['Attic'] });
  expect(await again.told).toBe('new');

  change();
  const broken = refreshed();
  broken.read?.reject(new HomeError('broken'));
  expect(await broken.told).toBe('unknown');
  house.stop();
});

test.each([
  [401, 'refused', 300_000],
  [403, 'banned', 300_000],
  [404, 'missing', 5_000],
])('a house that answers %i is %s, and asked again after %i ms', async (status, trouble, afterMs) => {
  const { pauses, pause } = createPauses(1);
  const troubles: string[] = [];
  const house = watchHouse({
    client: {
      house: () => Promise.reject(homeFault(new EngineError('home', 'refused', { status, detail: '' }))),
      listen: () => undefined,
    },
    onFailure: (told) => troubles.push(told),
    pause,
  });

  expect([await pauses, troubles, house.failure()]).toEqual([[afterMs], [trouble], trouble]);
  house.stop();
});
