/** @module-tag slow */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCaller, errorOf, replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, hangs, says, saysAfter, startFakeLlm } from '../support/fakes/fake-llm.ts';
import {
  isReady,
  type RunningApi,
  type RunningWorker,
  startApi,
  startWorker,
} from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let api: RunningApi;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  api = await startApi({ redisUrl: redis.url, llmUrl: llm.url });
});
beforeEach(() => {
  llm.calls.length = 0;
  llm.answers(() => 'Yes.');
});
afterAll(async () => {
  await api?.stop();
  await llm?.stop();
  await redis?.stop();
});

const worksAgain = () =>
  waitFor(async () => replyOf(await api.ask('Does it work?')) === 'Yes.', {
    what: 'it works again by itself',
  });

describe('while Redis', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = startWorker({ redisUrl: redis.url, llmUrl: llm.url });
    await isReady(api);
  });
  afterAll(() => worker?.stop());

  test('dies, the current question gets an error before it is back', async () => {
    llm.answers(() => hangs);
    const pending = api.ask('Lost?');
    await waitFor(() => llm.busy === 1);

    await redis.kill();
    const answer = await pending;

    expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
    await waitFor(() => llm.busy === 0, { what: 'the engine is stopped' });
  });

  test('is away, new questions are refused and health reports why', async () => {
    const answers = await Promise.all([1, 2, 3].map((number) => api.ask(`Number ${number}?`)));
    const health = await api.health();

    for (const answer of answers) {
      expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
      expect(answer.headers['retry-after']).toBe('5');
    }
    expect(health).toMatchObject({
      status: 'degraded',
      redis: { state: 'failed' },
      engines: {
        llm: {
          state: 'failed',
          reason: 'Redis cannot be reached, so the workers cannot report.',
        },
      },
    });
    expect(llm.calls).toHaveLength(0);
  });

  test('is back, everything works again without help', async () => {
    await redis.revive();

    await waitFor(async () => (await api.ask('Back?')).status === 200, {
      what: 'it works again',
    });
    await isReady(api);
  });

  test('dies under load, everything recovers soon after', async () => {
    for (let round = 0; round < 4; round += 1) {
      const asked = Array.from({ length: 30 }, (_, index) =>
        api.ask(`${index}?`, { client: `crowd ${index}` }),
      );
      await Promise.race(asked);
      await redis.kill();
      await redis.revive();
      await waitFor(async () => (await api.ask('Back?')).status === 200, {
        what: 'it works',
      });

      for (const answer of await Promise.all(asked)) expect([200, 503]).toContain(answer.status);
    }
  });

  test('hangs, questions get an error meanwhile, and work again afterwards', async () => {
    await redis.freeze();
    const answers = await Promise.all([1, 2].map((number) => api.ask(`Frozen ${number}?`)));
    const health = await api.call('/health');
    await redis.thaw();

    for (const answer of answers) {
      expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
    }
    expect(health.status).toBe(200);
    await waitFor(async () => (await api.ask('Thawed?')).status === 200, { what: 'it works again' });
  });
});

const messageIn = ({ text }: { text: string }) =>
  z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(text)).error.message;

describe('as long as Redis', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = startWorker({ redisUrl: redis.url, llmUrl: llm.url });
    await isReady(api);
  });
  afterAll(() => worker?.stop());
  /** Longer than a worker may be silent. */
  const untilWorkersAreSilent = async (signal: () => Promise<void>) => {
    const beganAt = performance.now();
    await signal();
    await waitFor(() => performance.now() - beganAt > 6_500, { what: 'no worker could be heard' });
  };
  const told = async () => {
    const [answer, health] = await Promise.all([api.ask('Why?'), api.health()]);
    return { ...errorOf(answer), answer: messageIn(answer), health: health.redis.reason };
  };

  test('hangs, the error says that it does not answer', async () => {
    await untilWorkersAreSilent(redis.freeze);
    const reason = await told();
    await redis.thaw();

    const sentence = 'Redis, the database of this server, is running but does not answer.';
    expect(reason).toEqual({ status: 503, code: 'redis_unavailable', answer: sentence, health: sentence });
    await worksAgain();
  });

  test('is missing, the error says that it is unreachable', async () => {
    await untilWorkersAreSilent(redis.kill);
    const reason = await told();
    await redis.revive();

    const sentence = 'Redis, the database of this server, cannot be reached.';
    expect(reason).toEqual({ status: 503, code: 'redis_unavailable', answer: sentence, health: sentence });
    await worksAgain();
  });
});

describe('a worker that', () => {
  let worker: RunningProcess;
  const startOwn = async () => {
    worker = await startProcess('worker', { REDIS_URL: redis.url, LLM_URL: llm.url });
    await isReady(api);
  };
  afterAll(() => worker?.end('SIGKILL'));

  test('is missing causes a clear error', async () => {
    const answer = await api.ask('Anybody?');

    expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
    await waitFor(async () => (await api.health()).engines.llm.reason === 'No worker is running.');
  });

  test('is killed fails its question cleanly, which is never retried', async () => {
    await startOwn();
    llm.answers(() => hangs);
    const pending = api.ask('Doomed?');
    await waitFor(() => llm.busy === 1);

    await worker.end('SIGKILL');
    const answer = await pending;
    llm.answers(() => 'Yes.');
    await startOwn();
    await worksAgain();

    expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
    expect(llm.callsFor('Doomed?')).toHaveLength(1);
  });

  test('freezes counts as gone, and its later messages are ignored', async () => {
    const gate = Promise.withResolvers<void>();
    llm.answers(() => async (wire, call) => {
      await gate.promise;
      await says('Too late.')(wire, call);
    });
    const pending = api.ask('Frozen?', { client: 'patient' });
    await waitFor(() => llm.busy === 1);
    worker.child.kill('SIGSTOP');
    gate.resolve();
    const answer = await pending;

    worker.child.kill('SIGCONT');
    await isReady(api);
    llm.answers(() => 'Yes.');
    await waitFor(async () => (await api.ask('Still there?', { client: 'patient' })).status === 200, {
      what: 'it works again',
    });

    expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
    expect(llm.calls.at(-1)?.prompt).not.toContain('Frozen?');
    expect(llm.callsFor('Frozen?')).toHaveLength(1);
  });

  test('is told to end finishes its work', async () => {
    llm.answers(() => saysAfter(800, 'It is blue.'));
    const pending = api.ask('Quick, before you go?');
    await waitFor(() => llm.busy === 1);

    const code = await worker.end('SIGTERM');

    expect(replyOf(await pending)).toBe('It is blue.');
    expect(code).toBe(0);
  });
});

describe('an api that', () => {
  test('starts before Redis answers, and works once it is available', async () => {
    await redis.kill();
    const early = await startApi({ redisUrl: redis.url, llmUrl: llm.url });
    const health = await early.health();
    const refused = await early.ask('Too early?');
    await redis.revive();
    const worker = startWorker({ redisUrl: redis.url, llmUrl: llm.url });
    await isReady(early);

    const answer = await early.ask('Now?');

    expect(health.redis.state).toBe('failed');
    expect(errorOf(refused)).toEqual({ status: 503, code: 'redis_unavailable' });
    expect(replyOf(answer)).toBe('Yes.');
    await worker.stop();
    await early.stop();
  });

  test('is told to end finishes its work', async () => {
    const worker = startWorker({ redisUrl: redis.url, llmUrl: llm.url });
    const leaving = await startApi({ redisUrl: redis.url, llmUrl: llm.url });
    await isReady(leaving);
    llm.answers(() => saysAfter(500, 'It is blue.'));
    const pending = leaving.ask('Before you go?');
    await waitFor(() => llm.busy === 1);

    const stopped = leaving.stop();
    const answer = await pending;
    await stopped;

    expect(replyOf(answer)).toBe('It is blue.');
    expect(answer.headers['connection']).toBe('close');
    await expect(createCaller(leaving.address).call('/health')).rejects.toThrow(/ECONNREFUSED/);
    await worker.stop();
  });
});
