import { afterAll, beforeAll, expect, test } from 'vitest';
import { replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import {
  type Assistant,
  isReady,
  type RunningApi,
  startApi,
  startAssistant,
} from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let other: RunningApi;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ slots: 4 })]);
  const parts = { redisUrl: redis.url, llmUrl: llm.url };
  assistant = await startAssistant({ ...parts, workers: 3 });
  other = await startApi(parts);
  await isReady(other, 3);
});
afterAll(async () => {
  await other?.stop();
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

test('an answer goes to the api of its question, from any worker', { tags: 'slow' }, async () => {
  llm.answers(({ question }) => says(`Re ${question}`, { intervalMs: 1 }));
  const questions = Array.from({ length: 40 }, (_, index) => `Question ${index}?`);

  const answers = await Promise.all(
    questions.map((text, index) => (index % 2 ? assistant : other).ask(text, { client: text })),
  );

  expect(answers.map(replyOf)).toEqual(questions.map((question) => `Re ${question}`));
  const busy = assistant.workers.filter(({ log }) => log.some((line) => line.includes('"stage":"think"')));
  expect(busy.length).toBeGreaterThan(1);
});

test('a conversation is the same at every api', async () => {
  llm.answers(() => 'Noted.');
  await assistant.ask('My name is Anna.', { client: 'anna' });

  await other.ask('What is my name?', { client: 'anna' });

  expect(llm.calls.at(-1)?.prompt).toContain('My name is Anna.<|assistant|>Noted.');
});

test('an api that ends affects no other', async () => {
  await other.stop();

  expect(replyOf(await assistant.ask('Still there?'))).toBe('Noted.');
});
