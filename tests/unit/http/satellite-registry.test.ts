import { describe, expect, test } from 'vitest';
import { createSatelliteRegistry } from '../../../api/src/http/satellite-registry.ts';
import type { SatelliteNews } from '../../../api/src/listen/satellite-news.ts';

/** Several api processes that receive each other's events with a delay. */
function processes(count: number) {
  const news: SatelliteNews[] = [];
  const replaced: string[] = [];
  const registries = Array.from({ length: count }, () =>
    createSatelliteRegistry({
      tell: async (told) => void news.push(told),
      onError: (error) => {
        throw error;
      },
    }),
  );
  return {
    replaced,
    join(at: number, sessionId: string, client: string | null, connectedAt: number) {
      const satellite = { sessionId, client, connectedAt, replaced: () => void replaced.push(sessionId) };
      registries[at]?.join(satellite);
    },
    rename: (at: number, sessionId: string, client: string) => registries[at]?.rename(sessionId, client),
    leave: (at: number, sessionId: string) => registries[at]?.leave(sessionId),
    hear() {
      for (const told of news.splice(0)) for (const registry of registries) registry.onNews(told);
    },
  };
}

describe('a reconnecting satellite', () => {
  test('replaces its older connection', () => {
    const home = processes(1);
    home.join(0, 'old', 'kitchen', 1);

    home.join(0, 'new', 'kitchen', 2);
    home.hear();

    expect(home.replaced).toEqual(['old']);
  });

  test('replaces it on another process too', () => {
    const home = processes(2);
    home.join(0, 'old', 'kitchen', 1);

    home.join(1, 'new', 'kitchen', 2);
    home.hear();

    expect(home.replaced).toEqual(['old']);
  });

  test.each([
    [1, 2],
    [5, 5],
  ])('on two processes in the same moment keeps exactly one connection (%d, %d)', (first, second) => {
    const home = processes(2);

    home.join(0, 'a', 'kitchen', first);
    home.join(1, 'b', 'kitchen', second);
    home.hear();

    expect(home.replaced).toEqual(['a']);
  });

  test('replaces no other satellite', () => {
    const home = processes(2);
    home.join(0, 'bath', 'bath', 1);
    home.join(1, 'nameless', null, 1);

    home.join(0, 'kitchen', 'kitchen', 2);
    home.join(0, 'another', null, 2);
    home.hear();

    expect(home.replaced).toEqual([]);
  });

  test('replaces no connection that has ended', () => {
    const home = processes(1);
    home.join(0, 'old', 'kitchen', 1);
    home.leave(0, 'old');

    home.join(0, 'new', 'kitchen', 2);

    expect(home.replaced).toEqual([]);
  });

  test('takes over a name that it sends later', () => {
    const home = processes(2);
    home.join(0, 'old', 'kitchen', 1);
    home.join(1, 'new', null, 2);

    home.rename(1, 'new', 'kitchen');
    home.hear();

    expect(home.replaced).toEqual(['old']);
  });
});
