import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeLlm, says, sends, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let openai: OpenAI;

// A repetitive answer would be cut off.
const story = Array.from({ length: 50 }, (_, at) => `Knight ${at} rode on.`).join(' ');
const knows = ({ question, prompt }: { question: string; prompt: string }) => {
  const told = /My name is (\w+)\./.exec(prompt)?.[1];
  if (/my name\?$/.test(question)) return told ? `Your name is ${told}.` : 'You have not told me your name.';
  if (question === 'Tell me a story.') return says(story, { intervalMs: 1 });
  return 'Paris.';
};
beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  llm.answers(knows);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  openai = new OpenAI({ baseURL: `${assistant.address}/v1`, apiKey: 'any', maxRetries: 0 });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const model = 'assistant';

describe("OpenAI's responses", () => {
  test("accept text and messages, of which the user's last one counts", async () => {
    const words = await openai.responses.create({ model, input: 'What is the capital of France?' });
    const messages = await openai.responses.create({
      model,
      instructions: 'Answer like a pirate.',
      input: [
        { role: 'user', content: 'What is my name?' },
        { role: 'assistant', content: 'Anna.' },
        { role: 'user', content: [{ type: 'input_text', text: 'What is the capital of France?' }] },
      ],
    });

    expect([words.output_text, messages.output_text]).toEqual(['Paris.', 'Paris.']);
    expect(words).toMatchObject({ status: 'completed', error: null });
    expect(words.usage?.total_tokens).toBeGreaterThan(0);
    expect(words.usage?.input_tokens_details).toEqual({ cached_tokens: 0, cache_write_tokens: 0 });
    expect(words.id).toMatch(/^resp_/);
  });

  test('match the contract', async () => {
    const { body } = await assistant.call('/v1/responses', { body: { input: 'What time is it?' } });

    expect(body).toMatchObject({ object: 'response', output: [{ role: 'assistant' }] });
  });

  test('stream as they are written', async () => {
    const stream = openai.responses.stream({ model, input: 'Tell me a story.' });
    const events: string[] = [];
    const numbers: number[] = [];
    for await (const event of stream) {
      events.push(event.type);
      numbers.push(event.sequence_number);
    }
    const whole = await stream.finalResponse();

    expect(whole.output_text).toBe(story);
    expect(events.filter((type) => type === 'response.output_text.delta').length).toBeGreaterThan(3);
    expect([events[0], events.at(-1)]).toEqual(['response.created', 'response.completed']);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  });

  test('continue a conversation by user', async () => {
    const user = 'anna';
    await openai.responses.create({ model, user, input: 'My name is Anna.' });

    const { output_text } = await openai.responses.create({ model, user, input: 'What is my name?' });

    expect(output_text).toBe('Your name is Anna.');
  });

  const refused: [param: string, body: object][] = [
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['previous_response_id', { previous_response_id: 'anything' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['text.format', { text: { format: { type: 'xml' } } }],
    ['input', { input: [] }],
    ['input', { input: '  ' }],
  ];
  test.each(refused)('refuse %s by name', async (param, body) => {
    const answer = await assistant.call('/v1/responses', { body: { input: 'Hello.', ...body } });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { param } });
  });
});

describe('a picture', () => {
  const picture = { url: 'data:image/png;base64,iVBORw0KGgo=' };
  const content = [
    { type: 'text' as const, text: 'What is in this picture?' },
    { type: 'image_url' as const, image_url: picture },
  ];
  const sorry = 'I can only read words here. I cannot look at pictures or open files.';

  test('is not described by a model that cannot see', async () => {
    const before = llm.calls.length;
    const request = { model, messages: [{ role: 'user' as const, content }], user: 'anna' };
    const whole = await openai.chat.completions.create(request);
    const streamed = await openai.chat.completions.stream(request).finalContent();
    const response = await openai.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: picture.url, detail: 'auto' },
          ],
        },
      ],
    });

    expect([whole.choices[0]?.message.content, streamed, response.output_text]).toEqual([
      sorry,
      sorry,
      sorry,
    ]);
    expect(llm.calls.length).toBe(before);
  });

  test('of an earlier message does not prevent an answer to the next', async () => {
    const messages = [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: sorry },
      { role: 'user' as const, content: 'What is the capital of France?' },
    ];

    const { choices } = await openai.chat.completions.create({ model, messages });

    expect(choices[0]?.message.content).toBe('Paris.');
  });
});

describe('an answer as JSON', () => {
  const schema = { type: 'object', properties: { towns: { type: 'array', items: { type: 'string' } } } };
  const messages = [{ role: 'user' as const, content: 'What time is it?' }];
  const json_schema = { name: 'towns', schema };

  test('is written by the model under the schema, never by a rule', async () => {
    llm.answers(() => '{"towns": ["Paris", "Paris", "Paris"]}');
    const before = llm.calls.length;

    const { choices } = await openai.chat.completions.parse({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema },
    });
    const response = await openai.responses.parse({
      model,
      input: 'What time is it?',
      text: { format: { type: 'json_schema', ...json_schema } },
    });
    const plain = await openai.chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_object' },
    });
    llm.answers(knows);

    expect(choices[0]?.message.parsed).toEqual({ towns: ['Paris', 'Paris', 'Paris'] });
    expect(response.output_parsed).toEqual({ towns: ['Paris', 'Paris', 'Paris'] });
    expect(JSON.parse(plain.choices[0]?.message.content ?? '')).toHaveProperty('towns');
    const asked = llm.calls.slice(before).map(({ body }) => body);
    expect(asked).toMatchObject([
      { response_format: { type: 'json_schema', json_schema: { schema } } },
      { response_format: { type: 'json_schema', json_schema: { schema } } },
      { response_format: { type: 'json_object' } },
    ]);
    for (const body of asked) expect(body).not.toHaveProperty('tools');
  });

  test('may be longer than a spoken answer, and is cut off if the model never ends it', async () => {
    const nested = {
      type: 'object',
      properties: { steps: { type: 'array', items: { $ref: '#/$defs/Step' } } },
      $defs: { Step: { type: 'object', properties: { output: { type: 'string' } } } },
    };
    llm.answers(() => async (wire, { gone }) => {
      wire.begin();
      wire.delta({ content: '{"steps": [' });
      while (!gone.aborted) {
        wire.delta({ content: '{"output": "24 November 2026"}, ' });
        await delay(1);
      }
    });

    const asked = openai.chat.completions.parse({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'steps', schema: nested, strict: true } },
    });

    await expect(asked).rejects.toThrow(/length limit/);
    expect(llm.calls.at(-1)?.body).toMatchObject({
      max_tokens: 1_500,
      response_format: { json_schema: { schema: nested } },
    });
    llm.answers(knows);
  });

  test.each([
    ['no JSON', 'It is four.'],
    ['a claim that something was done', '{"message": "I have set a timer for five minutes."}'],
  ])('that is %s is an error', async (_, written) => {
    llm.answers(() => written);
    const asked = openai.chat.completions.create({
      model,
      messages,
      response_format: { type: 'json_object' },
    });

    await expect(asked).rejects.toMatchObject({ status: 502, code: 'llm_bad_answer' });
    llm.answers(knows);
  });

  test('is the suggested alternative for a program that forces a call of its own function', async () => {
    const forced = { tool_choice: { type: 'function', name: 'answer', function: { name: 'answer' } } };

    const chat = await assistant.call('/v1/chat/completions', { body: { messages, ...forced } });
    const response = await assistant.call('/v1/responses', { body: { input: 'Hello', ...forced } });

    const refusal = { status: 400, body: { error: { code: 'invalid_request', param: 'tool_choice' } } };
    expect([chat, response]).toMatchObject([refusal, refusal]);
    expect(JSON.stringify([chat.body, response.body])).toMatch(/response_format.*text\.format/);
  });

  test.each([
    ['of an unknown type', { type: 'xml' }],
    [
      'with too long a schema',
      { type: 'json_schema', json_schema: { schema: { title: 'a'.repeat(40_000) } } },
    ],
  ])('is refused %s', async (_, response_format) => {
    const answer = await assistant.call('/v1/chat/completions', { body: { messages, response_format } });

    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'response_format' } } });
  });
});

describe('a failure', () => {
  test('before the first word has its own status', async () => {
    llm.answers(() => sends(500, 'application/json', '{}'));

    const asked = openai.responses.create({ model, input: 'Will it fail?', stream: true });

    await expect(asked).rejects.toMatchObject({ status: 502, code: 'llm_bad_answer' });
  });

  test('after the first word is an event', async () => {
    const firstWords = Promise.withResolvers<void>();
    llm.answers(() => async (wire) => {
      wire.begin();
      wire.delta({ content: 'Paris is' });
      await firstWords.promise;
      wire.response.destroy();
    });

    const stream = await openai.responses.create({ model, input: 'Will it fail?', stream: true });
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.output_text.delta') firstWords.resolve();
    }

    expect(types.at(-1)).toBe('response.failed');
  });
});
