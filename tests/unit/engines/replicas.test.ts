import { describe, expect, test } from 'vitest';
import { EngineError, type EngineFailure } from '../../../api/src/engines/engine-client.ts';
import { onAnyReplica, type Replica, replicasToTry } from '../../../api/src/engines/replicas.ts';
import type { EngineState } from '../../../api/src/status/engine-status.ts';

type Server = Replica<string> & { suspected: number };

function server(name: string, state: EngineState = 'ready'): Server {
  const made: Server = {
    url: name,
    client: name,
    status: () => ({ state, reason: null, since: 0, model: null }),
    suspected: 0,
    suspect: () => {
      made.suspected += 1;
    },
  };
  return made;
}

const failing = (failure: EngineFailure) => new EngineError('llm', failure);

describe('replicas', () => {
  test('go to the same server for the same conversation', () => {
    const servers = [server('a'), server('b'), server('c')];
    const first = (key: string) => replicasToTry(servers, key)[0]?.url;

    expect(first('anna')).toBe(first('anna'));
    expect(new Set(['anna', 'ben', 'kitchen', 'api', 'x'].map(first)).size).toBeGreaterThan(1);
  });

  test('put a server that is not ready last', () => {
    const servers = [server('down', 'failed'), server('up')];

    for (const key of ['anna', 'ben', 'kitchen', 'api']) {
      expect(replicasToTry(servers, key).map(({ url }) => url)).toEqual(['up', 'down']);
    }
  });

  test.each(['unreachable', 'hung'] as const)('cost one more try when the first is %s', async (failure) => {
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
  });

  test('give up after two', async () => {
    const servers = [server('a'), server('b'), server('c')];
    let tries = 0;

    const call = onAnyReplica(servers, 'anna', async () => {
      tries += 1;
      throw failing('unreachable');
    });

    await expect(call).rejects.toMatchObject({ failure: 'unreachable' });
    expect(tries).toBe(2);
  });

  test.each(['timeout', 'refused', 'broken'] as const)('do not ask another after %s', async (failure) => {
    let tries = 0;

    const call = onAnyReplica([server('a'), server('b')], 'anna', async () => {
      tries += 1;
      throw failing(failure);
    });

    await expect(call).rejects.toMatchObject({ failure });
    expect(tries).toBe(1);
  });
});
