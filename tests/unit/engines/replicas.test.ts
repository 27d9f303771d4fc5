import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../api/src/abort.ts';
import { type Attempt, onAnyReplica } from '../../../api/src/engines/any-replica.ts';
import { EngineError, type EngineFailure } from '../../../api/src/engines/engine-client.ts';
import { type Replica, replicasToTry, silenceOf } from '../../../api/src/engines/replicas.ts';
import type { EngineState } from '../../../api/src/status/engine-status.ts';

type Server = Replica<string> & { suspected: number; distrusted: number; inHand: number };

function server(name: string, state: EngineState = 'ready', isSilent = false): Server {
  const made: Server = {
    url: name,
    client: name,
    status: () => ({ state, reason: null, since: 0, model: null }),
    suspected: 0,
    suspect: () => {
      made.suspected += 1;
    },
    distrusted: 0,
    distrust: () => {
      made.distrusted += 1;
    },
    silence: () => (isSilent ? failing('silent') : undefined),
    inHand: 0,
    begins: () => {
      made.inHand += 1;
      return () => {
        made.inHand -= 1;
      };
    },
  };
  return made;
}

const failing = (failure: EngineFailure) => new EngineError('llm', failure);

describe('replicas', () => {
  test('use the same server for the same conversation', () => {
    const servers = [server('a'), server('b'), server('c')];
    const first = (key: string) => replicasToTry(servers, key)[0]?.url;

    expect(first('anna')).toBe(first('anna'));
    expect(new Set(['anna', 'ben', 'kitchen', 'api', 'x'].map(first)).size).toBeGreaterThan(1);
  });

  test('keep every other conversation when a server comes or goes', () => {
    const servers = ['a', 'b', 'c', 'd'].map((name) => server(name));
    const conversations = Array.from({ length: 200 }, (_, at) => `client ${at}`);
    const firstOf = (all: readonly Server[]) => conversations.map((key) => replicasToTry(all, key)[0]?.url);

    const before = firstOf(servers);
    for (const gone of servers) {
      const after = firstOf(servers.filter((each) => each !== gone));
      const moved = conversations.filter((_, at) => after[at] !== before[at]);
      expect(moved).toEqual(conversations.filter((_, at) => before[at] === gone.url));
      expect(moved.length).toBeGreaterThan(20);
    }
  });

  test('put a server that is not ready last', () => {
    const servers = [server('down', 'failed'), server('up')];

    for (const key of ['anna', 'ben', 'kitchen', 'api']) {
      expect(replicasToTry(servers, key).map(({ url }) => url)).toEqual(['up', 'down']);
    }
  });

  const withPace = (name: string, ms: number | null, isFull = false): Server => ({
    ...server(name),
    pace: () => ms,
    isFull: () => isFull,
  });
  const orderOf = (servers: readonly Server[], key: string) =>
    replicasToTry(servers, key).map(({ url }) => url);
  const keys = ['anna', 'ben', 'kitchen', 'api', 'x'];

  test('prefer the fastest server', () => {
    const servers = [withPace('slow', 100), withPace('fast', 10), withPace('slower', 200)];

    for (const key of keys) expect(orderOf(servers, key)).toEqual(['fast', 'slow']);
  });

  test('prefer a slower server to a full one', () => {
    const servers = [withPace('slow', 100), withPace('fast', 10, true)];

    for (const key of keys) expect(orderOf(servers, key)).toEqual(['slow', 'fast']);
  });

  test('prefer a server without a measurement to a slow one', () => {
    const servers = [withPace('slow', 100), withPace('fast', 10), withPace('new', null)];

    expect(new Set(keys.map((key) => orderOf(servers, key)[0]))).toEqual(new Set(['fast', 'new']));
  });

  test('share the conversations of equally fast servers', () => {
    const servers = [withPace('a', 100), withPace('b', 110)];

    expect(new Set(keys.map((key) => orderOf(servers, key)[0])).size).toBe(2);
    expect(orderOf(servers, 'anna')).toEqual(orderOf(servers, 'anna'));
  });

  test('skip a silent server', () => {
    const servers = [server('silent', 'failed', true), server('down', 'failed'), server('up')];

    for (const key of ['anna', 'ben', 'kitchen', 'api']) {
      expect(replicasToTry(servers, key).map(({ url }) => url)).toEqual(['up', 'down']);
    }
  });

  test('that cannot do something are asked only if no other can', async () => {
    const servers = [server('a'), server('b'), server('c', 'failed')];
    const answerers = (isAble: (name: string) => boolean) =>
      Promise.all(keys.map((key) => onAnyReplica(servers, key, async ({ url }) => url, { isAble })));

    expect(new Set(await answerers((name) => name === 'b'))).toEqual(new Set(['b']));
    expect(new Set(await answerers((name) => name !== 'a'))).toEqual(new Set(['b']));
    expect(new Set(await answerers(() => false))).toEqual(new Set(['a', 'b']));
  });

  test('that are all silent get no request', async () => {
    const servers = [server('a', 'failed', true), server('b', 'failed', true)];
    let tries = 0;

    const call = onAnyReplica(servers, 'anna', async () => {
      tries += 1;
    });

    await expect(call).rejects.toMatchObject({ failure: 'silent' });
    expect(tries).toBe(0);
    expect(silenceOf(servers)).toMatchObject({ failure: 'silent' });
    expect([silenceOf([...servers, server('c')]), silenceOf([])]).toEqual([undefined, undefined]);
  });

  test.each(['timeout', 'hung'] as const)(
    'lose trust after %s, and another one is asked',
    async (failure) => {
      const servers = [server('a'), server('b')];
      const tried: string[] = [];

      await onAnyReplica(servers, 'anna', async ({ url }) => {
        tried.push(url);
        if (tried.length === 1) throw failing(failure);
      });

      expect(servers.filter(({ distrusted }) => distrusted > 0).map(({ url }) => url)).toEqual([tried[0]]);
      expect(tried).toHaveLength(2);
    },
  );

  test('know their number of open calls, whatever the outcome', async () => {
    const servers = [server('a')];
    const inHand = () => servers[0]?.inHand;

    const during = await onAnyReplica(servers, 'anna', async () => inHand());
    await onAnyReplica(servers, 'anna', async () => {
      throw new Error('cancelled');
    }).catch(() => undefined);

    expect([during, inHand()]).toEqual([1, 0]);
  });

  test.each(['unreachable', 'loading'] as const)(
    'cost one more try when the first is %s',
    async (failure) => {
      const servers = [server('a'), server('b'), server('c')];
      const tried: string[] = [];

      const answer = await onAnyReplica(servers, 'anna', async ({ url }) => {
        tried.push(url);
        if (tried.length === 1) throw failing(failure);
        return url;
      });

      expect(tried).toHaveLength(2);
      expect(answer).toBe(tried[1]);
      expect(servers.filter(({ suspected }) => suspected > 0).map(({ url }) => url)).toEqual([tried[0]]);
    },
  );

  test('give up after two tries', async () => {
    const servers = [server('a'), server('b'), server('c')];
    let tries = 0;

    const call = onAnyReplica(servers, 'anna', async () => {
      tries += 1;
      throw failing('unreachable');
    });

    await expect(call).rejects.toMatchObject({ failure: 'unreachable' });
    expect(tries).toBe(2);
  });

  test.each(['refused', 'broken'] as const)('do not try another one after %s', async (failure) => {
    let tries = 0;

    const call = onAnyReplica([server('a'), server('b')], 'anna', async () => {
      tries += 1;
      throw failing(failure);
    });

    await expect(call).rejects.toMatchObject({ failure });
    expect(tries).toBe(1);
  });
});

describe('a server whose first word is late', () => {
  const noted: Record<string, number[]> = {};
  const withFirstWord = (name: string, lateMs: number | null, more: Partial<Server> = {}): Server => {
    noted[name] = [];
    return {
      ...server(name),
      pace: () => (name === 'fast' ? 1 : 100),
      firstWord: { note: (ms) => noted[name]?.push(ms), lateMs },
      ...more,
    };
  };
  const untilCancelled = ({ signal }: Attempt): Promise<never> => rejectionOf(signal);

  /** Asks "fast" and, when it is late, "slow". Returns the asked servers and the answer. */
  async function askBoth(
    plays: { fast: (attempt: Attempt) => Promise<string>; slow: (attempt: Attempt) => Promise<string> },
    {
      servers = [withFirstWord('slow', null), withFirstWord('fast', 10)],
      mayHedge = (): boolean => true,
    } = {},
  ) {
    const asked: string[] = [];
    const cancelled: string[] = [];
    const answer = await onAnyReplica(
      servers,
      'anna',
      ({ url }, attempt) => {
        asked.push(url);
        attempt.signal.addEventListener('abort', () => cancelled.push(url));
        return url === 'fast' ? plays.fast(attempt) : plays.slow(attempt);
      },
      { mayHedge },
    ).catch((error: unknown) => error);
    return { answer, asked, cancelled };
  }
  const saysSlowly = async ({ claim }: Attempt) => {
    claim();
    await delay(5);
    return 'slow words';
  };

  test('is cancelled when the next one speaks first', async () => {
    const { answer, asked, cancelled } = await askBoth({ fast: untilCancelled, slow: saysSlowly });

    expect({ answer, asked, cancelled }).toEqual({
      answer: 'slow words',
      asked: ['fast', 'slow'],
      cancelled: ['fast'],
    });
    expect([noted['fast']?.length, noted['slow']?.length]).toEqual([1, 1]);
  });

  test('answers alone when it speaks first after all', async () => {
    const gate = Promise.withResolvers<void>();
    const { answer, asked, cancelled } = await askBoth({
      fast: async ({ claim }) => {
        await gate.promise;
        claim();
        await delay(5);
        return 'fast words';
      },
      slow: (attempt) => {
        gate.resolve();
        return untilCancelled(attempt);
      },
    });

    expect({ answer, asked, cancelled }).toEqual({
      answer: 'fast words',
      asked: ['fast', 'slow'],
      cancelled: ['slow'],
    });
  });

  test('lets only one of two simultaneous answers pass', async () => {
    const both = Promise.withResolvers<void>();
    const said: string[] = [];
    const says = (words: string) => async (attempt: Attempt) => {
      await both.promise;
      attempt.claim();
      said.push(words);
      return words;
    };
    const { answer } = await askBoth({
      fast: says('fast words'),
      slow: (attempt) => {
        both.resolve();
        return says('slow words')(attempt);
      },
    });

    expect(said).toEqual([answer]);
  });

  test('may fail: the next one is already at work', async () => {
    const failed = Promise.withResolvers<void>();
    const { answer, asked } = await askBoth({
      fast: async () => {
        await failed.promise;
        throw failing('unreachable');
      },
      slow: async (attempt) => {
        failed.resolve();
        await delay(5);
        return saysSlowly(attempt);
      },
    });

    expect({ answer, asked }).toEqual({ answer: 'slow words', asked: ['fast', 'slow'] });
  });

  test('is asked again when the faster answer fails', async () => {
    let tries = 0;
    const { answer, asked } = await askBoth({
      fast: async (attempt) => {
        tries += 1;
        return tries === 1 ? untilCancelled(attempt) : 'fast words';
      },
      slow: async ({ claim }) => {
        claim();
        throw failing('unreachable');
      },
    });

    expect({ answer, asked }).toEqual({ answer: 'fast words', asked: ['fast', 'slow', 'fast'] });
  });

  test('ends both when the request itself is refused', async () => {
    const { answer, cancelled } = await askBoth({
      fast: untilCancelled,
      slow: async () => {
        throw failing('refused');
      },
    });

    expect(answer).toMatchObject({ failure: 'refused' });
    expect(cancelled).toContain('fast');
  });

  const slowly = async () => {
    await delay(60);
    return 'fast words';
  };
  test.each([
    ['its usual time is unknown', [withFirstWord('slow', null), withFirstWord('fast', null)], true],
    [
      'the next one is full',
      [withFirstWord('slow', null, { isFull: () => true }), withFirstWord('fast', 10)],
      true,
    ],
    [
      'the next one is down',
      [{ ...withFirstWord('slow', null), ...server('slow', 'failed') }, withFirstWord('fast', 10)],
      true,
    ],
    ['the next one cannot do the same', [withFirstWord('slow', null), withFirstWord('fast', 10)], false],
  ])('stays the only one when %s', async (_why, servers, isAlike) => {
    const plays = { fast: slowly, slow: saysSlowly };
    const { answer, asked } = await askBoth(plays, { servers, mayHedge: () => isAlike });

    expect({ answer, asked }).toEqual({ answer: 'fast words', asked: ['fast'] });
  });
});
