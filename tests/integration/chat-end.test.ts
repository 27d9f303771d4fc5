import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { keys } from '../../api/src/redis/keys.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

interface Message {
  role: string;
  content?: unknown;
  tool_calls?: unknown;
}

let redis: OwnRedis;
let store: Redis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  llm.answers(({ question }) => (/go on/i.test(question) ? 'and lived happily.' : 'Once there was a king'));
  store = await connectTo(redis.url);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

const timers = () => store.hlen(keys.timers.of());
const chat = async (messages: readonly Message[], user: string | null = null) => {
  const { status, body } = await assistant.call('/v1/chat/completions', { body: { messages, user } });
  const answer = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]) });
  return { status, body, words: answer.safeParse(body).data?.choices[0].message.content };
};
const refused = (param: string) => ({ error: { code: 'invalid_request', param } });

const command = { role: 'user', content: 'Set a timer for five minutes.' };

describe('a chat whose last command has been carried out', () => {
  let told: Message;
  beforeAll(async () => {
    told = { role: 'assistant', content: (await chat([command])).words };
  });

  test.each<[what: string, more: Message[]]>([
    ['the answer', []],
    ['instructions behind the answer', [{ role: 'system', content: 'Be brief.' }]],
  ])('is not repeated if the last message is %s', async (_what, more) => {
    const { status, words } = await chat([command, told, ...more]);

    expect([status, words, await timers()]).toEqual([200, 'That was all.', 1]);
  });

  test.each<[what: string, more: Message[]]>([
    ['the result of a tool', [{ role: 'tool', content: '42' }]],
    ['the result of a function', [{ role: 'function', content: '42' }]],
    ['a call', [{ role: 'assistant', content: null, tool_calls: [{ id: '1' }] }]],
  ])('is refused if the last message is %s', async (_what, more) => {
    const { status, body } = await chat([command, told, ...more]);

    expect([status, await timers()]).toEqual([400, 1]);
    expect(body).toMatchObject(refused('messages'));
  });

  test('is refused if the last item of a response is an output', async () => {
    const input = [command, { type: 'function_call_output', call_id: '1', output: '42' }];

    const { status, body } = await assistant.call('/v1/responses', { body: { input } });

    expect([status, await timers()]).toEqual([400, 1]);
    expect(body).toMatchObject(refused('input'));
  });

  test.each([
    ['an id without a type', 200, (id: string) => ({ id })],
    ['an answer that is no longer kept', 400, () => ({ type: 'item_reference', id: 'msg_long-ago' })],
  ])('is not repeated if the last item of a response refers to %s', async (_what, expected, item) => {
    const before = await timers();
    const first = await assistant.call('/v1/responses', { body: { input: [command] } });
    const { output } = z.object({ output: z.tuple([z.object({ id: z.string() })]) }).parse(first.body);

    const input = [command, item(output[0].id)];
    const { status } = await assistant.call('/v1/responses', { body: { input } });

    expect([status, await timers()]).toEqual([expected, before + 1]);
  });

  test('is refused if the answer was not ours', async () => {
    const before = await timers();
    const { status, body } = await chat([command, { role: 'assistant', content: 'I opened the door.' }]);

    expect([status, await timers()]).toEqual([400, before]);
    expect(body).toMatchObject(refused('messages'));
  });
});

test.each([null, 'anna'])('an answer of the model is continued in the chat of %s', async (user) => {
  const story = { role: 'user', content: 'Tell me a story.' };
  const begun = { role: 'assistant', content: (await chat([story], user)).words };

  expect((await chat([story, begun], user)).words).toBe('and lived happily.');
  expect(llm.calls.at(-1)?.prompt).toContain('Once there was a king');
});

test('a request to name a chat does not do its first message again', async () => {
  const instructions = 'You generate a short title for a chat from the first message of the user.';
  const before = await timers();

  const chatStatus = (await chat([{ role: 'system', content: instructions }, command])).status;
  const { status } = await assistant.call('/v1/responses', {
    body: { instructions, input: [command] },
  });

  expect([chatStatus, status, await timers()]).toEqual([200, 200, before]);
});

test('a task of Open WebUI has no effect, is not stored, and asks nothing', async () => {
  const before = await timers();
  const tasks = [
    'Your task is to reflect the face of the speaker.\n\nMessage: ```Set a timer for nine minutes.```',
    'Available Tools: []\n\nYour task is to choose the correct tool.\n\nQuery: cancel all timers',
  ];

  for (const content of tasks) await chat([{ role: 'user', content }], 'open-webui');
  const choosing = { role: 'system', content: 'Available Tools: []' };
  await chat([choosing, { role: 'user', content: 'Query: Remind me to call Ben' }], 'open-webui');

  expect([await timers(), await store.exists(conversationKeys('open-webui').exchanges)]).toEqual([before, 0]);
  expect(llm.calls.at(-1)?.question).toContain('Remind me to call Ben');
});
