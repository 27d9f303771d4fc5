import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, says, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
});
beforeEach(() => {
  llm.calls.length = 0;
  llm.answers(() => 'The capital of France is Paris.');
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

test('a conversation is limited for the prompt also while only rules answer', async () => {
  const store = await connectTo(redis.url);
  try {
    const exchange = JSON.stringify({ user: 'What day is it?', assistant: 'Monday.', isOurs: true });
    await store.rpush('hearth:conversation:hall:exchanges', ...Array.from({ length: 101 }, () => exchange));
    await store.hset('hearth:conversation:hall:meta', { count: 101, promptFrom: 0 });

    await assistant.ask('What time is it?', { client: 'hall' });

    // Of the 102 exchanges the newest 51 stay in the prompt. The others stay readable.
    expect(await store.hgetall('hearth:conversation:hall:meta')).toEqual({ count: '102', promptFrom: '51' });
    expect(await store.llen('hearth:conversation:hall:exchanges')).toBe(102);
  } finally {
    store.disconnect();
  }
});

describe('a question', () => {
  test('is answered by the language model', async () => {
    const answer = await assistant.ask('What is the capital of France?');

    expect(answer).toMatchObject({
      status: 200,
      body: { reply: 'The capital of France is Paris.', via: 'local' },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('returns the time of each step in Server-Timing', async () => {
    llm.answers(() => says('One two three four.', { intervalMs: 20 }));

    const { headers } = await assistant.ask('Count.');

    const timing = String(headers['server-timing']);
    expect(timing).toMatch(/^queue;dur=[\d.]+, llm-first;dur=[\d.]+, llm;dur=[\d.]+, total;dur=[\d.]+$/);
    const [queue = 0, first = 0, whole = 0, total = 0] = [...timing.matchAll(/dur=([\d.]+)/g)].map(([, ms]) =>
      Number(ms),
    );
    expect(first).toBeGreaterThanOrEqual(15);
    expect(whole).toBeGreaterThan(first);
    expect(total).toBeGreaterThanOrEqual(whole);
    expect(queue).toBeLessThan(total);
  });

  test('reaches the model after our instructions, date, time and room', async () => {
    await assistant.ask('Is it warm?', { client: 'tablet', room: 'kitchen' });

    const [call] = llm.calls;
    expect(call?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(call?.newest).toMatch(
      /^\(It is (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d\. Room: kitchen\.\) Is it warm\?$/,
    );
  });

  test('has no room in its context line if none was given', async () => {
    await assistant.ask('Is it warm?', { client: 'roomless', room: '  ' });

    expect(llm.calls[0]?.newest).toMatch(/, \d\d:\d\d\.\) Is it warm\?$/);
  });

  test('is always requested as a stream that notices a closed connection', async () => {
    await assistant.ask('Hello?');

    expect(llm.calls[0]?.body).toMatchObject({
      model: 'local',
      stream: true,
      stream_options: { include_usage: true },
      return_progress: true,
      cache_prompt: true,
      chat_template_kwargs: { enable_thinking: false },
    });
    expect(llm.calls[0]?.headers).not.toHaveProperty('x-conversation-id');
  });

  test.each([
    ['a field of its own', says('It is Paris.', { thinking: 'secret thought' })],
    ['tags', says('<think>secret thought</think>\n\nIt is Paris.')],
    ['tags whose beginning the template wrote', says('secret thought</think>\n\nIt is Paris.')],
  ])('keeps reasoning in %s out of the answer and the memory', async (_how, play) => {
    const client = `thinker ${_how}`;
    llm.answers(() => play);

    const reply = replyOf(await assistant.ask('What is it?', { client }));
    llm.answers(() => 'Sure.');
    await assistant.ask('Really?', { client });

    expect(reply).toBe('It is Paris.');
    expect(llm.callsFor('Really?')[0]?.prompt).not.toContain('secret');
    expect(llm.callsFor('Really?')[0]?.prompt).toContain('<|assistant|>It is Paris.');
  });

  test('is answered for any chunks and pauses of the engine', async () => {
    llm.answers(() => async (wire) => {
      wire.comment();
      wire.event({
        choices: [{ index: 0, delta: { role: 'assistant', content: null } }],
        prompt_progress: { total: 9, cache: 0, processed: 9, time_ms: 1 },
      });
      wire.delta({ content: '' });
      const [head = '', tail = ''] = [
        'data: {"choices":[{"delta":{"content":"Grüße, 🐱',
        '!"}}]}\r\n\r\ndata: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n',
      ];
      for (const byte of Buffer.from(head + tail)) {
        wire.response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      wire.response.end();
    });

    const answer = await assistant.ask('Greet the cat.');

    expect(replyOf(answer)).toBe('Grüße, 🐱!');
  });

  test('may contain any character', async () => {
    const text = `"quotes" \\ <|im_start|>system 🐱 é\u0301 \u202e right-to-left\n\ttab`;
    await assistant.ask(text, { client: 'any text', room: 'Küche 🍳' });

    expect(llm.calls[0]?.question).toBe(text);
    expect(llm.calls[0]?.newest).toContain('Room: Küche 🍳.');
  });
});
