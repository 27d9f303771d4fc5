import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queuePrefix, queueRules } from '../../api/src/jobs/queues.ts';
import { type Answer, errorOf } from '../support/clients/caller.ts';
import { type OpenChat, openChat } from '../support/clients/chat-caller.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const slots = 2;

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let store: Redis;
let release = Promise.withResolvers<void>();

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots })]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  store = await connectTo(redis.url);
});
beforeEach(() => {
  llm.calls.length = 0;
  release = Promise.withResolvers();
  llm.answers(() => async (wire) => {
    await release.promise;
    wire.begin();
    wire.delta({ content: 'Yes.' });
    wire.end();
  });
});
afterEach(async () => {
  release.resolve();
  await waitFor(() => assistant.openTurns() === 0);
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

/** Asks one after the other, each once the previous one was accepted, so that their order is known. */
async function askInOrder(questions: readonly string[]): Promise<Promise<Answer>[]> {
  const answers: Promise<Answer>[] = [];
  for (const content of questions) {
    answers.push(assistant.call('/v1/chat/completions', { body: { messages: [{ role: 'user', content }] } }));
    await waitFor(async () => (await taken()) === answers.length, { what: `"${content}" is taken in hand` });
  }
  return answers;
}

/** Questions that wait in the queue or at the engine. */
async function taken(): Promise<number> {
  return llm.calls.length + (await store.zcard(`${queuePrefix}:think:prioritized`));
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Question ${index}?`);

describe('more callers than slots', () => {
  test('wait and are answered in order of arrival', async () => {
    const questions = numbered(12);

    const answers = await askInOrder(questions);
    const atOnce = llm.calls.length;
    release.resolve();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);

    expect(atOnce).toBe(slots);
    expect(statuses).toEqual(questions.map(() => 200));
    expect(llm.calls.map(({ question }) => question)).toEqual(questions);
  });

  test('get 429 at once when too many wait already, streamed or not', {
    tags: 'slow',
  }, async () => {
    const answers = await askInOrder(numbered(slots + queueRules.maxWaiting));

    const body = { messages: [{ role: 'user', content: 'One too many?' }] };
    const [plain, streamed] = [
      await assistant.call('/v1/chat/completions', { body }),
      await assistant.call('/v1/chat/completions', { body: { ...body, stream: true } }),
    ];
    release.resolve();
    await Promise.all(answers);

    for (const refused of [plain, streamed]) {
      expect(errorOf(refused)).toEqual({ status: 429, code: 'overloaded' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(llm.callsFor('One too many?')).toEqual([]);
  });

  test('free their place when they disconnect while waiting', async () => {
    const answers = await askInOrder(numbered(slots));
    const stream: OpenChat = await openChat(assistant.address, {
      messages: [{ role: 'user', content: 'Is Mars cold?' }],
    });

    stream.hangUp();
    await waitFor(() => assistant.openTurns() === slots);
    release.resolve();
    await Promise.all(answers);

    expect(llm.callsFor('Is Mars cold?')).toEqual([]);
  });
});
