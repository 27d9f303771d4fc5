/** @module-tag slow */
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAiClientsSuite } from '../support/clients/openai-clients-suite.ts';
import { type ChatCall, type FakeLlm, says, sends, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const token = 'a-token-of-the-household';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  llm.answers(knowsALittle);
  const env = { SERVICE_TOKEN: token };
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, env });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

function knowsALittle({ question, prompt }: ChatCall) {
  const told = /My name is (\w+)\./.exec(prompt)?.[1];
  if (question === 'What is the capital of France?') return 'The capital of France is Paris.';
  if (question === 'Tell me a story.') return says('Once upon a time. '.repeat(500), { intervalMs: 1 });
  if (question.startsWith('My name is')) return `Nice to meet you, ${told}.`;
  if (/my name\?$/.test(question)) return told ? `Your name is ${told}.` : 'You have not told me your name.';
  return 'I do not know that.';
}

const served = () => ({ baseUrl: `${assistant.address}/v1`, apiKey: token });

openAiClientsSuite(served);

describe('an OpenAI client', () => {
  const client = (apiKey = token) => new OpenAI({ baseURL: served().baseUrl, apiKey, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Will it fail?' }];
  const failure = (apiKey?: string) =>
    client(apiKey)
      .chat.completions.create({ model: 'assistant', messages })
      .catch((error: unknown) => error);

  test('with a wrong key gets that error', async () => {
    const error = await failure('wrong');

    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  test('gets the error of a failing engine', async () => {
    llm.answers(() => sends(500, 'application/json', '{}'));

    const error = await failure();

    llm.answers(knowsALittle);
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: 'llm_bad_answer' });
  });

  test.each<[what: string, ask: (openai: OpenAI) => Promise<unknown>]>([
    ['the end of a response', (openai) => openai.responses.delete('resp_1')],
    ['a response once more', (openai) => openai.responses.retrieve('resp_1')],
    ['a response that is cancelled', (openai) => openai.responses.cancel('resp_1')],
    ['files', async (openai) => openai.files.list()],
    ['a file', async (openai) => openai.files.create({ file: new File(['x'], 'x'), purpose: 'user_data' })],
    ['embeddings', (openai) => openai.embeddings.create({ model: 'assistant', input: 'x' })],
  ])('gets 404 for an unsupported request: %s', async (_, ask) => {
    const error = await ask(client()).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('gets the error of a stream that fails midway', async () => {
    const firstWords = Promise.withResolvers<void>();
    llm.answers(() => async (wire) => {
      wire.begin();
      wire.delta({ content: 'Paris is' });
      await firstWords.promise;
      wire.response.destroy();
    });
    const stream = await client().chat.completions.create({ model: 'assistant', messages, stream: true });

    const read = async () => {
      for await (const { choices } of stream) if (choices[0]?.delta.content) firstWords.resolve();
    };

    await expect(read()).rejects.toMatchObject({ code: 'llm_unavailable' });
    llm.answers(knowsALittle);
  });
});
