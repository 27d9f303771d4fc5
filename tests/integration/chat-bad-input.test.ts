import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, errorOf } from '../support/clients/caller.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const send = (body: unknown, more: CallOptions = {}) =>
  assistant.call('/v1/chat/completions', { body, ...more });

const question = { role: 'user', content: 'Hello?' };

/** JSON of this value, wrapped in this many lists. */
const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

describe('an invalid chat request', () => {
  test.each<[what: string, body: unknown, code: string, param: string | null]>([
    ['no object', [], 'invalid_request', null],
    ['null', 'null', 'invalid_request', null],
    ['text', '"Hello?"', 'invalid_request', null],
    ['an object without messages', {}, 'invalid_request', 'messages'],
    ['messages of null', { messages: null }, 'invalid_request', 'messages'],
    ['messages as text', { messages: 'Hello?' }, 'invalid_request', 'messages'],
    ['messages as an object', { messages: { 0: question } }, 'invalid_request', 'messages'],
    ['no messages', { messages: [] }, 'no_user_message', 'messages'],
    ['messages that are text', { messages: ['Hello?'] }, 'invalid_request', 'messages.0'],
    ['messages that are null', { messages: [question, null] }, 'invalid_request', 'messages.1'],
    ['a message without a role', { messages: [{ content: 'Hello?' }] }, 'invalid_request', 'messages.0.role'],
    ['a role that is a number', { messages: [{ role: 1 }] }, 'invalid_request', 'messages.0.role'],
    [
      'unknown roles only',
      { messages: [{ role: 'boss', content: 'Hello?' }] },
      'no_user_message',
      'messages',
    ],
    ['a user message without content', { messages: [{ role: 'user' }] }, 'no_user_message', 'messages'],
    ['stream as text', { messages: [question], stream: 'yes' }, 'invalid_request', 'stream'],
    ['stream as a number', { messages: [question], stream: 1 }, 'invalid_request', 'stream'],
    ['user as a number', { messages: [question], user: 5 }, 'invalid_request', 'user'],
    ['user as a novel', { messages: [question], user: 'a'.repeat(201) }, 'invalid_request', 'user'],
    ['control characters in user', { messages: [question], user: 'a\u0000b' }, 'invalid_request', 'user'],
    [
      'stream_options as text',
      { messages: [question], stream_options: 'usage' },
      'invalid_request',
      'stream_options',
    ],
    [
      '10,000 messages of others',
      { messages: Array(10_000).fill({ role: 'assistant' }) },
      'no_user_message',
      'messages',
    ],
    [
      'content nested 1,000 deep',
      `{"messages":[{"role":"user","content":${nested(1_000)}}]}`,
      'no_user_message',
      'messages',
    ],
    [
      'a question of a million characters',
      { messages: [{ ...question, content: 'a '.repeat(500_000) }] },
      'question_too_long',
      'messages',
    ],
    ['a list nested 100,000 deep', nested(100_000), 'invalid_request', null],
    ['half of a JSON text', '{"messages":[', 'invalid_request', null],
    ['nothing', '', 'invalid_request', null],
    [
      'broken UTF-8',
      Buffer.from([
        ...Buffer.from('{"messages":[{"role":"user","content":"'),
        0xc3,
        0x28,
        ...Buffer.from('"}]}'),
      ]),
      'invalid_request',
      null,
    ],
    ['UTF-16', Buffer.from(JSON.stringify({ messages: [question] }), 'utf16le'), 'invalid_request', null],
  ])('is refused with one sentence: %s', async (_what, body, code, param) => {
    const answer = await send(body);

    expect(errorOf(answer)).toEqual({ status: 400, code });
    expect(answer.body).toMatchObject({
      error: { param, message: expect.stringMatching(/^[^\n]{5,200}\.$/) },
    });
  });

  test('is refused for its size', async () => {
    const answer = await send({ messages: [question], padding: 'a'.repeat(13 * 1024 * 1024) });

    expect(errorOf(answer)).toEqual({ status: 413, code: 'too_large' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonx',
    'application/xml',
    'json',
    ';',
  ])('is refused for its content type %s', async (type) => {
    const answer = await send(JSON.stringify({ messages: [question] }), {
      headers: { 'content-type': type },
    });

    expect(errorOf(answer)).toEqual({ status: 415, code: 'unsupported_media_type' });
  });

  test('is refused without a content type', async () => {
    const body = JSON.stringify({ messages: [question] });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`;

    expect(await onWire(head + body)).toMatch(/^HTTP\/1\.1 415 .*"unsupported_media_type"/s);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'] as const)('is refused for its method %s', async (method) => {
    const answer = await assistant.call('/v1/chat/completions', { method });

    expect(errorOf(answer)).toEqual({ status: 405, code: 'method_not_allowed' });
    expect(answer.headers['allow']).toBe('POST');
  });
});

describe('an unusual but valid chat request', () => {
  test.each<[what: string, body: unknown, type?: string]>([
    ['10,000 messages', { messages: Array(10_000).fill(question) }],
    ['any roles before the question', { messages: [{ role: '' }, { role: 'boss' }, question] }],
    [
      'other fields nested 1,000 deep',
      `{"messages":[{"role":"user","content":"Hi","x":${nested(1_000)}}],"y":${nested(1_000)}}`,
    ],
    [
      'fields that JavaScript has names for',
      '{"messages":[{"role":"user","content":"Hi","__proto__":{"role":"x"}}],"__proto__":{"stream":true},"constructor":1,"toString":null}',
    ],
    ['a type with a charset', { messages: [question] }, 'Application/JSON; charset=utf-8'],
    ['a byte order mark', `\ufeff${JSON.stringify({ messages: [question] })}`],
    [
      'a system prompt of three megabytes',
      { messages: [{ role: 'system', content: 'a'.repeat(3_000_000) }, question] },
    ],
  ])('is answered: %s', async (_what, body, type = 'application/json') => {
    const answer = await send(body, { headers: { 'content-type': type } });

    expect(answer).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'Yes.' } }] } });
  });
});

async function onWire(bytes: string): Promise<string> {
  const socket = connect(assistant.port, '127.0.0.1');
  socket.end(bytes);
  let answer = '';
  for await (const part of socket) answer += part;
  return answer;
}
