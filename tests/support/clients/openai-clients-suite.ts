import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { replayOpenWebUi } from './open-webui.ts';

const run = promisify(execFile);
const python = resolve(import.meta.dirname, '../../../.venv/bin/python');

/** Address of the assistant. Its model must know the capital of France, names it was told, and a story. */
interface Served {
  /** Ends with /v1. */
  baseUrl: string;
  apiKey: string;
}

const question = 'What is the capital of France?';
const reply = 'The capital of France is Paris.';
const messages = [{ role: 'user', content: question }] satisfies OpenAI.ChatCompletionMessageParam[];

/** Requirements of third-party clients, unchanged except for base URL and key. */
export function openAiClientsSuite(served: () => Served): void {
  const openai = () => new OpenAI({ baseURL: served().baseUrl, apiKey: served().apiKey, maxRetries: 0 });

  describe('the openai package of npm', () => {
    test('finds the one model', async () => {
      const models = await all(openai().models.list());

      expect(models.map(({ id }) => id)).toEqual(['assistant']);
      expect((await openai().models.retrieve('assistant')).id).toBe('assistant');
    });

    test('gets an answer', async () => {
      const { data, request_id } = await openai()
        .chat.completions.create({ model: 'assistant', messages })
        .withResponse();

      expect(data.choices[0]?.message).toMatchObject({ role: 'assistant', content: reply });
      expect(data.usage?.total_tokens).toBeGreaterThan(0);
      expect(data.id).toBe(`chatcmpl-${request_id}`);
    });

    test('streams an answer', async () => {
      const stream = await openai().chat.completions.create({
        model: 'assistant',
        messages,
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = await all(stream);

      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(reply);
      expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    });

    test('assembles a stream into a whole completion', async () => {
      const completion = await openai()
        .chat.completions.stream({ model: 'assistant', messages })
        .finalChatCompletion();

      expect(completion.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { role: 'assistant', content: reply },
      });
    });

    test('continues a conversation by user', async () => {
      const user = `openai ${crypto.randomUUID()}`;
      const say = async (content: string) => {
        const completion = await openai().chat.completions.create({
          model: 'assistant',
          user,
          messages: [{ role: 'user', content }],
        });
        return completion.choices[0]?.message.content;
      };

      expect(await say('My name is Anna.')).toBe('Nice to meet you, Anna.');
      expect(await say('What is my name?')).toBe('Your name is Anna.');
    });

    test('ends a stream that it no longer needs', async () => {
      const stream = await openai().chat.completions.create({
        model: 'assistant',
        messages: [{ role: 'user', content: 'Tell me a story.' }],
        stream: true,
      });
      for await (const { choices } of stream) if (choices[0]?.delta.content) stream.controller.abort();
      const next = await openai().chat.completions.create({ model: 'assistant', messages });

      expect(next.choices[0]?.message.content).toBe(reply);
    });

    test('reports the cause of an error', async () => {
      const failures = [
        openai().chat.completions.create({ model: 'assistant', messages: [] }),
        openai().chat.completions.create({ model: 'assistant', messages: [], stream: true }),
        openai().models.retrieve('gpt-4o'),
      ].map((call) => call.then(String, (error: unknown) => error));

      const [plain, streamed, model] = await Promise.all(failures);

      expect(plain).toBeInstanceOf(OpenAI.BadRequestError);
      expect(plain).toMatchObject({ status: 400, code: 'no_user_message', param: 'messages' });
      expect(streamed).toMatchObject({ status: 400, code: 'no_user_message' });
      expect(model).toBeInstanceOf(OpenAI.NotFoundError);
      expect(model).toMatchObject({ status: 404, code: 'model_not_found' });
    });
  });

  describe("LangChain's OpenAI chat model", () => {
    const model = () =>
      new ChatOpenAI({
        model: 'assistant',
        apiKey: served().apiKey,
        maxRetries: 0,
        configuration: { baseURL: served().baseUrl },
      });

    test('gets an answer', async () => {
      const answer = await model().invoke([
        ['system', 'You are a pirate.'],
        ['human', question],
      ]);

      expect(answer).toMatchObject({ content: reply, usage_metadata: { total_tokens: expect.any(Number) } });
    });

    test('streams an answer', async () => {
      const chunks = await all(await model().stream(question));

      expect(chunks.map(({ content }) => content).join('')).toBe(reply);
    });

    test('answers several requests at once', async () => {
      const replies = await model().batch(Array(4).fill(question));

      expect(replies.map(({ content }) => content)).toEqual(Array(4).fill(reply));
    });
  });

  describe.skipIf(!existsSync(python))('the openai package of PyPI (needs .venv)', () => {
    test('sees models, answers, streams and errors, both sync and async', async () => {
      const { baseUrl, apiKey } = served();
      const program = join(import.meta.dirname, 'openai-clients.py');

      const { stdout } = await run(python, [program, baseUrl, apiKey], { timeout: 60_000 });

      expect(JSON.parse(stdout)).toEqual({
        models: ['assistant'],
        model: 'assistant',
        plain: ['assistant', reply, 'stop'],
        usage: true,
        stream: reply,
        stream_usage: true,
        stream_helper: reply,
        async: reply,
        async_stream: reply,
        no_message: ['BadRequestError', 400, 'no_user_message'],
        no_message_stream: ['BadRequestError', 400, 'no_user_message'],
        no_model: ['NotFoundError', 404, 'model_not_found'],
        wrong_stream: ['BadRequestError', 400, 'invalid_request'],
      });
    });
  });

  test('curl -N shows each event on a separate line', async () => {
    const { baseUrl, apiKey } = served();
    const body = JSON.stringify({ messages, stream: true });
    const headers = ['-H', 'content-type: application/json', '-H', `authorization: Bearer ${apiKey}`];

    const { stdout } = await run('curl', ['-sSN', ...headers, '-d', body, `${baseUrl}/chat/completions`]);

    const lines = stdout.trimEnd().split('\n\n');
    expect(lines.every((line) => /^data: \{.*\}$/.test(line) || line === 'data: [DONE]')).toBe(true);
    expect(lines.at(-1)).toBe('data: [DONE]');
    expect(lines.map((line) => /"content":"(.*?)"/.exec(line)?.[1] ?? '').join('')).toBe(reply);
  });

  test('an interrupted curl -N does the server no harm', async () => {
    const { baseUrl, apiKey } = served();
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Tell me a story.' }], stream: true });
    const headers = ['-H', 'content-type: application/json', '-H', `authorization: Bearer ${apiKey}`];
    const curl = spawn('curl', ['-sSN', ...headers, '-d', body, `${baseUrl}/chat/completions`]);
    for await (const part of curl.stdout) if (String(part).includes('content')) curl.kill('SIGINT');

    const completion = await openai().chat.completions.create({ model: 'assistant', messages });

    expect(completion.choices[0]?.message.content).toBe(reply);
  });

  test('Open WebUI gets its models, its chat, its title and its tags', async () => {
    const seen = await replayOpenWebUi(served());

    expect(seen.models).toEqual(['assistant']);
    expect(seen.replies).toEqual(['Nice to meet you, Anna.', 'Your name is Anna.']);
    expect(seen.tasks).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    expect(seen.afterTasks).toBe('Your name is Anna.');
  });
}

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
