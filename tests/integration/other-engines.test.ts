/** @module-tag slow */
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createLlmClient } from '../../api/src/engines/llm-client.ts';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { dies, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { isReady, startApi, startAssistant, startWorker } from '../support/servers/assistant.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

/** Everything that a test has started; the end of the test stops it, the newest first. */
const running: { stop(): Promise<void> }[] = [];
async function kept<T extends { stop(): Promise<void> }>(started: T | Promise<T>): Promise<T> {
  const part = await started;
  running.push(part);
  return part;
}
afterEach(async () => {
  for (const part of running.splice(0).reverse()) await part.stop();
});

describe('another server in place of llama.cpp', () => {
  test('is asked for its model with common parameters', async () => {
    const llm = await kept(startFakeLlm({ foreign: true, models: ['llama3:8b', 'qwen3:4b'] }));
    const assistant = await kept(
      startAssistant({
        redisUrl: redis.url,
        llmUrl: `${llm.url}/v1/`,
        env: { LLM_MODEL: 'qwen3:4b', LLM_API_KEY: 'sk-key' },
      }),
    );

    const answer = await assistant.ask('Hello?', { client: 'foreign' });

    expect(replyOf(answer)).toBe('Yes.');
    expect(Object.keys(llm.calls[0]?.body ?? {}).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'stream',
      'stream_options',
      'temperature',
      'tools',
    ]);
    expect(llm.calls[0]?.body['model']).toBe('qwen3:4b');
    expect(llm.calls[0]?.headers.authorization).toBe('Bearer sk-key');
  });

  test('that returns a page at every other address is not taken for llama.cpp', async () => {
    const server = createServer((request, response) => {
      const isList = request.url === '/v1/models';
      response.writeHead(200, { 'content-type': isList ? 'application/json' : 'text/html' });
      response.end(isList ? '{"data":[{"id":"llama3:8b"}]}' : '<!doctype html>');
    });
    const client = createLlmClient({
      http: createEngineClient('llm'),
      baseUrl: await listenOnFreePort(server),
    });

    const facts = await client.discover(AbortSignal.timeout(5_000));

    server.close();
    server.closeAllConnections();
    expect(facts).toMatchObject({ model: 'llama3:8b', isLlamaCpp: false, slots: 2, contextTokens: 4_096 });
    expect([facts.callsTools, facts.isOwn]).toEqual([null, false]);
  });

  test('without the selected model is named as the reason', async () => {
    const llm = await kept(startFakeLlm({ foreign: true, models: ['llama3:8b'] }));
    const parts = { redisUrl: redis.url, llmUrl: llm.url, env: { LLM_MODEL: 'qwen3:4b' } };
    const api = await kept(startApi(parts));
    await kept(startWorker(parts));

    const health = await waitFor(async () => {
      const seen = await api.health();
      return seen.engines.llm.reason?.includes('qwen3') === true && seen;
    });
    const answer = await api.ask('Hello?', { client: 'nobody' });

    expect(health.engines.llm.reason).toBe(
      'The language model answers, but not as it should: it has llama3:8b, not qwen3:4b.',
    );
    expect(answer.status).toBeGreaterThanOrEqual(502);
    expect(llm.calls).toHaveLength(0);
  });
});

describe('with several language model servers', () => {
  test('the other answers a question when one is gone', async () => {
    const [one, two] = [await kept(startFakeLlm()), await kept(startFakeLlm())];
    const assistant = await kept(startAssistant({ redisUrl: redis.url, llmUrl: `${one.url},${two.url}` }));
    const askMany = (name: string) =>
      Promise.all(
        Array.from({ length: 12 }, (_, index) => assistant.ask('Well?', { client: `${name}${index}` })),
      );

    await askMany('both');
    const shared = [one.calls.length, two.calls.length];
    await one.stop();
    const answers = await askMany('both');

    expect(Math.min(...shared)).toBeGreaterThan(0);
    expect(answers.map(replyOf)).toEqual(answers.map(() => 'Yes.'));
  });

  test('a broken answer is retried once, and then fails', async () => {
    const [one, two] = [await kept(startFakeLlm()), await kept(startFakeLlm())];
    const assistant = await kept(startAssistant({ redisUrl: redis.url, llmUrl: `${one.url},${two.url}` }));
    one.answers(() => dies);
    two.answers(() => dies);

    const answer = await assistant.ask('Well?', { client: 'unlucky' });

    expect(errorOf(answer)).toEqual({ status: 503, code: 'llm_unavailable' });
    expect([one.calls.length, two.calls.length]).toEqual([1, 1]);
  });
});

describe('without a language model', () => {
  test('questions get a clear error and health reports it as off', async () => {
    const parts = { redisUrl: redis.url, env: { LLM_URL: 'off' } };
    const api = await kept(startApi(parts));
    await kept(startWorker(parts));
    await isReady(api);

    const answer = await api.ask('Hello?', { client: 'alone' });

    expect(errorOf(answer)).toEqual({ status: 503, code: 'llm_unavailable' });
    expect(answer.text).toContain('The language model is switched off');
    expect((await api.health()).engines.llm).toMatchObject({
      state: 'off',
      reason: 'switched off by LLM_URL',
    });
  });
});
