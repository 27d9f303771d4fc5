import { expect, test } from 'vitest';
import { EngineError } from '../../../api/src/engines/engine-client.ts';
import { homeFault } from '../../../api/src/engines/home-fault.ts';
import { type HomeLineOptions, RefusedToken } from '../../../api/src/engines/home-line.ts';
import { createHomeLive } from '../../../api/src/engines/home-live.ts';
import { watchHouse } from '../../../api/src/respond/home/house.ts';

/** The first pauses of something that is stopped in the last of them. */
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

/** A connection that ends before it lets anybody in. */
const endingWith =
  (reason: Error) =>
  ({ onClose }: HomeLineOptions) => {
    queueMicrotask(() => onClose?.(reason));
    return {
      ask: () => Promise.reject(reason),
      subscribe: () => Promise.reject(reason),
      isOpen: () => false,
      close: () => undefined,
    };
  };

async function pausesAfter(reason: Error, count: number): Promise<readonly number[]> {
  const { pauses, pause } = createPauses(count);
  const live = createHomeLive({ baseUrl: 'http://home', token: 'old', open: endingWith(reason), pause });
  live.start({ onNames: () => undefined });
  const found = await pauses;
  live.stop();
  return found;
}

test('a connection whose token is refused is opened again after minutes', async () => {
  expect(await pausesAfter(new RefusedToken(), 3)).toEqual([300_000, 300_000, 300_000]);
});

test('a connection that does not come about is opened less and less often', async () => {
  expect(await pausesAfter(new Error('the socket broke'), 6)).toEqual([
    5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
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
    onNames: () => undefined,
    onTrouble: (told) => troubles.push(told),
    pause,
  });

  expect([await pauses, troubles, house.trouble()]).toEqual([[afterMs], [trouble], trouble]);
  house.stop();
});
