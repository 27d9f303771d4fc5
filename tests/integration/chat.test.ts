import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, errorOf } from '../support/clients/caller.ts';
import { chatEvents, chunksOf, wordsOf } from '../support/clients/chat-events.ts';
import { type FakeLlm, says, sends, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let store: Redis;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  store = await connectTo(redis.url);
});
beforeEach(() => {
  llm.calls.length = 0;
  llm.answers(() => 'The capital of France is Paris.');
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

interface ChatOptions {
  headers?: Record<string, string>;
  [field: string]: unknown;
}

/** Asks as a chat client does; adds `more` to the body. */
function chat(content: unknown, { headers = {}, ...more }: ChatOptions = {}): Promise<Answer> {
  const messages = [{ role: 'user', content }];
  return assistant.call('/v1/chat/completions', { headers, body: { model: 'assistant', messages, ...more } });
}

const kept = () => store.keys('hearth:conversation:*');
const newestPrompt = () => llm.calls.at(-1)?.prompt ?? '';

describe('the list of models', () => {
  const assistantModel = {
    id: 'assistant',
    object: 'model',
    created: expect.any(Number),
    owned_by: 'hearth',
  };

  test('has one entry, the assistant', async () => {
    const { body } = await assistant.call('/v1/models');

    expect(body).toEqual({ object: 'list', data: [assistantModel] });
  });

  test('describes it by its id', async () => {
    expect((await assistant.call('/v1/models/assistant')).body).toEqual(assistantModel);
  });

  test('accepts one for each room, which is not listed', async () => {
    expect((await assistant.call('/v1/models/assistant@kitchen')).body).toEqual({
      ...assistantModel,
      id: 'assistant@kitchen',
    });
  });

  test.each(['gpt-4o', 'Assistant', 'assistant%20', '..%2f..%2fetc'])('contains no %s', async (id) => {
    const answer = await assistant.call(`/v1/models/${id}`);

    expect(answer).toMatchObject({
      status: 404,
      body: {
        error: {
          message: 'The only model is "assistant".',
          type: 'invalid_request_error',
          code: 'model_not_found',
          param: 'model',
        },
      },
    });
  });
});

describe('a model with a room', () => {
  test('asks from that room', async () => {
    await chat('What is the capital of France?', { model: 'assistant@kitchen' });

    expect(newestPrompt()).toContain('kitchen');
  });

  test('asks from that room in responses too', async () => {
    const body = { model: 'assistant@living room', input: 'What is the capital of Spain?' };
    await assistant.call('/v1/responses', { body });

    expect(newestPrompt()).toContain('living room');
  });
});

describe('a chat completion', () => {
  test('has exactly the fields of the common format', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { status, headers, body } = await chat('What is the capital of France?');

    expect(status).toBe(200);
    expect(body).toEqual({
      id: `chatcmpl-${headers['x-request-id']}`,
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'assistant',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The capital of France is Paris.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        prompt_tokens_details: { cached_tokens: 0 },
      },
    });
    expect(body).toHaveProperty(
      'created',
      expect.toSatisfy((at: number) => at >= before && at < before + 60),
    );
    expect(headers['x-hearth-via']).toBe('local');
    expect(headers['server-timing']).toMatch(/^queue;dur=.*total;dur=/);
  });

  test('streams the same answer in the same words', async () => {
    const { headers, text } = await chat('What is the capital of France?', {
      stream: true,
      stream_options: { include_usage: true },
    });

    const events = chatEvents(text);
    const chunks = chunksOf(events);
    expect(wordsOf(events)).toBe('The capital of France is Paris.');
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([`chatcmpl-${headers['x-request-id']}`]));
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } });
    expect(events.at(-1)).toEqual({ type: 'done' });
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(headers['x-hearth-via']).toBe('local');
    expect(headers['x-accel-buffering']).toBe('no');
  });

  test('reports when the answer was cut off', async () => {
    llm.answers(() => (wire) => {
      wire.begin();
      wire.delta({ content: 'One two' });
      wire.end('length');
    });

    const plain = await chat('Count.');
    const streamed = await chat('Count.', { stream: true });

    expect(plain.body).toMatchObject({ choices: [{ finish_reason: 'length' }] });
    expect(chunksOf(chatEvents(streamed.text)).at(-1)?.choices[0]?.finish_reason).toBe('length');
  });

  test("never shows the model's reasoning", async () => {
    llm.answers(() => says('<think>secret</think>It is Paris.', { thinking: 'secret too' }));

    const plain = await chat('Where?');
    const streamed = await chat('Where?', { stream: true });

    expect(plain.body).toMatchObject({ choices: [{ message: { content: 'It is Paris.' } }] });
    expect(wordsOf(chatEvents(streamed.text))).toBe('It is Paris.');
    expect(plain.text + streamed.text).not.toContain('secret');
  });

  test("accepts other servers' parameters, and ignores them", async () => {
    const answer = await assistant.call('/v1/chat/completions', {
      body: {
        model: 'gpt-4o',
        messages: [
          { role: 'developer', content: 'You are a pirate.' },
          { role: 'system', content: 'You are a pirate.' },
          { role: 'user', content: 'Earlier question', name: 'anna' },
          { role: 'assistant', content: null, tool_calls: [{ id: '1', type: 'function' }] },
          { role: 'tool', tool_call_id: '1', content: 'tool result' },
          { role: 'user', content: [{ type: 'text', text: 'Who built the tower?' }] },
        ],
        temperature: 2,
        top_p: 0,
        n: 5,
        max_tokens: 1,
        max_completion_tokens: 1,
        stop: ['The'],
        tools: [{ type: 'function', function: { name: 'pirate_tool' } }],
        tool_choice: 'required',
        response_format: { type: 'text' },
        reasoning_effort: 'high',
        logprobs: true,
        seed: 1,
        metadata: { a: 'b' },
        never_heard_of: { x: [1] },
        stream: null,
        stream_options: null,
        user: null,
      },
    });

    expect(answer).toMatchObject({
      status: 200,
      body: { model: 'assistant', choices: [{ message: { content: 'The capital of France is Paris.' } }] },
    });
    expect(newestPrompt()).not.toMatch(/pirate|Earlier|tool result/);
    expect(llm.calls[0]?.question).toBe('Who built the tower?');
    expect(llm.calls[0]?.body).toMatchObject({ temperature: 0, max_tokens: 400 });
    expect(llm.calls[0]?.body).not.toHaveProperty('tools');
  });

  test('has an error status when it fails before the first word, streamed or not', async () => {
    llm.answers(() => sends(500, 'application/json', '{"error":{"message":"secret path"}}'));

    const answers = [await chat('Hello?'), await chat('Hello?', { stream: true })];

    expect(answers.map(errorOf)).toEqual(Array(2).fill({ status: 502, code: 'llm_bad_answer' }));
    expect(answers.map(({ text }) => text).join()).not.toContain('secret');
  });
});

describe('a conversation over chat', () => {
  test('is named by user', async () => {
    await chat('My name is Anna.', { user: 'anna' });
    await chat('What is my name?', { user: 'anna' });

    expect(newestPrompt()).toContain('My name is Anna.');
    expect(await kept()).toContain('hearth:conversation:anna:exchanges');
  });

  test('is the same under the same name on /ask', async () => {
    await chat('My name is Berta.', { user: 'berta', stream: true });
    await assistant.ask('What is my name?', { client: 'berta' });

    expect(newestPrompt()).toContain('My name is Berta.');
  });

  test('is named by the chat of Open WebUI without a user', async () => {
    const headers = { 'X-OpenWebUI-Chat-Id': '3f1c8a52' };
    await chat('My name is Clara.', { headers });
    await chat('What is my name?', { headers, user: '' });

    expect(newestPrompt()).toContain('My name is Clara.');
  });

  test('is named by user rather than by the chat', async () => {
    const headers = { 'X-OpenWebUI-Chat-Id': 'a chat' };
    await chat('My name is Dora.', { headers, user: 'dora' });

    expect(await kept()).toContain('hearth:conversation:dora:exchanges');
    expect(await kept()).not.toContain('hearth:conversation:a chat:exchanges');
  });

  test('does not exist without a name: the server stores and remembers nothing', async () => {
    const before = await kept();
    await chat('My name is Emma.');
    await chat('What is my name?');

    expect(newestPrompt()).not.toContain('Emma');
    expect(await kept()).toEqual(before);
  });

  test("excludes Open WebUI's own tasks", async () => {
    const headers = { 'X-OpenWebUI-Chat-Id': 'with tasks' };
    await chat('My name is Fatima.', { headers });
    await chat('### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.', {
      headers,
    });
    const ofTask = newestPrompt();
    await chat('What is my name?', { headers });

    expect(ofTask).not.toContain('Fatima');
    expect(newestPrompt()).toContain('Fatima');
    expect(newestPrompt()).not.toContain('### Task');
  });

  test('stores nothing of a failed answer', async () => {
    llm.answers(() => (wire) => {
      wire.begin();
      wire.delta({ content: 'The capital' });
      wire.event({ error: { message: 'out of memory' } });
      wire.response.end();
    });
    await chat('My name is Gina.', { user: 'gina', stream: true });
    llm.answers(() => 'Hm.');
    await chat('What is my name?', { user: 'gina' });

    expect(newestPrompt()).not.toContain('Gina');
  });
});
