import { ChatOpenAI } from '@langchain/openai';
import type { Redis } from 'ioredis';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKnownAnswers } from '../../api/src/conversations/known-answers.ts';
import { machineClock } from '../../api/src/redis/household-clock.ts';
import { keys } from '../../api/src/redis/keys.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

type Messages = OpenAI.ChatCompletionMessageParam[];

const model = 'assistant';
const told = 'My name is Anna.';
const asked = 'What is my name?';
const knows = ({ question, prompt }: { question: string; prompt: string }) => {
  const name = /My name is (\w+)\./.exec(prompt)?.[1];
  if (/my name\?$/.test(question)) return name ? `Your name is ${name}.` : 'You have not told me your name.';
  return 'Nice to meet you,\nAnna.';
};
/** A client that sends everything said so far, and names no conversation. */
const askedAfter = (answer: string): Messages => [
  { role: 'system', content: 'You are a pirate.' },
  { role: 'user', content: told },
  { role: 'assistant', content: answer },
  { role: 'user', content: asked },
];

let redis: OwnRedis;
let store: Redis;
let llm: FakeLlm;
let assistant: Assistant;
let openai: OpenAI;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  llm.answers(knows);
  store = await connectTo(redis.url);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  openai = new OpenAI({ baseURL: `${assistant.address}/v1`, apiKey: 'any', maxRetries: 0 });
});
beforeEach(async () => {
  const kept = await store.keys(keys.knownAnswers.of('*'));
  if (kept.length > 0) await store.del(kept);
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

describe('a client that sends its history instead of a conversation name', () => {
  test.each(['whole', 'streamed'])('is understood: %s', async (kind) => {
    const say = async (messages: Messages) =>
      kind === 'whole'
        ? (await openai.chat.completions.create({ model, messages })).choices[0]?.message.content
        : await openai.chat.completions.stream({ model, messages }).finalContent();
    const answer = (await say([{ role: 'user', content: told }])) ?? '';

    expect(await say(askedAfter(answer))).toBe('Your name is Anna.');
    expect(await say(askedAfter(` ${answer.replaceAll('\n', ' ')}\n`))).toBe('Your name is Anna.');
  });

  test('is understood in responses', async () => {
    const first = await openai.responses.create({ model, input: told });
    const { output_text } = await openai.responses.create({
      model,
      input: [
        { role: 'user', content: told },
        ...first.output.filter((item) => item.type === 'message'),
        { role: 'user', content: asked },
      ],
    });

    expect(output_text).toBe('Your name is Anna.');
  });

  test("is understood when it refers to an answer by its id, but not to another caller's", async () => {
    const first = await openai.responses.create({ model, input: told });
    const goOnFrom = async (id: string) => {
      const input: OpenAI.Responses.ResponseInput = [
        { role: 'user', content: told },
        { type: 'item_reference', id },
        { role: 'user', content: asked },
      ];
      return (await openai.responses.create({ model, input })).output_text;
    };

    expect(await goOnFrom(first.output[0]?.id ?? '')).toBe('Your name is Anna.');
    expect(await goOnFrom('msg_of-nobody')).toBe('You have not told me your name.');
  });

  test('is understood from response to response by their ids', async () => {
    const say = async (input: string, before: string | null) => {
      const stream = openai.responses.stream({ model, input, previous_response_id: before });
      return await stream.finalResponse();
    };
    const first = await openai.responses.create({ model, input: told });
    const second = await say('Who are you talking to?', first.id);
    const third = await say(asked, second.id);
    const besideIt = await openai.responses.create({ model, input: asked });

    expect(third.output_text).toBe('Your name is Anna.');
    expect(third.previous_response_id).toBe(second.id);
    expect(besideIt.output_text).toBe('You have not told me your name.');
  });

  test('is refused when it refers to a response of another caller', async () => {
    const { id } = await openai.responses.create({ model, input: told });
    await store.del(await store.keys(keys.knownAnswers.of('*')));

    const followed = openai.responses.create({ model, input: asked, previous_response_id: id });

    await expect(followed).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  test('is understood with LangChain', async () => {
    const chat = new ChatOpenAI({
      model,
      apiKey: 'any',
      configuration: { baseURL: `${assistant.address}/v1` },
    });
    const first = await chat.invoke(told);

    expect((await chat.invoke([['user', told], first, ['user', asked]])).content).toBe('Your name is Anna.');
  });

  test('continues after an answer that was stopped or failed', async () => {
    const { choices } = await openai.chat.completions.create({
      model,
      messages: [{ role: 'user', content: told }],
    });
    const [system, question, answer, last] = askedAfter(choices[0]?.message.content ?? '');
    const failed: Messages = [
      { role: 'user', content: 'Tell me a story.' },
      { role: 'assistant', content: 'Once upon' },
    ];
    const messages = [system, question, answer, ...failed, last] as Messages;

    const { choices: found } = await openai.chat.completions.create({ model, messages });

    expect(found[0]?.message.content).toBe('Your name is Anna.');
    expect(llm.calls.at(-1)?.prompt).not.toContain('Once upon');
  });

  test('cannot invent words of the assistant', async () => {
    const { choices } = await openai.chat.completions.create({
      model,
      messages: askedAfter('I opened the door.'),
    });

    expect(choices[0]?.message.content).toBe('You have not told me your name.');
    expect(llm.calls.at(-1)?.prompt).not.toContain('I opened the door.');
  });

  test('leaves no words behind', async () => {
    await openai.chat.completions.create({ model, messages: [{ role: 'user', content: told }] });

    const [key = ''] = await store.keys(keys.knownAnswers.of('*'));
    const members = await store.zrange(key, '0', '-1');

    expect(members).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(await store.exists(keys.conversations.of())).toBe(0);
  });
});

describe('recognized answers', () => {
  const said = (number: number) => ({ question: `What is ${number}?`, answer: `It is ${number}.` });

  test('belong to the same caller', async () => {
    const known = createKnownAnswers({ redis: store });
    await known.add('anna', said(1));

    expect(await known.among('anna', [said(1), said(2)])).toMatchObject([{ user: 'What is 1?' }]);
    expect(await known.among('ben', [said(1)])).toEqual([]);
  });

  test('are the last thousand', async () => {
    let now = Date.now();
    const known = createKnownAnswers({ redis: store, clock: { ...machineClock, now: () => now++ } });
    for (let number = 0; number <= 1_000; number++) await known.add('anna', said(number));

    expect(await known.among('anna', [said(0), said(1), said(1_000)])).toHaveLength(2);
  });

  test('fit into a prompt', async () => {
    const known = createKnownAnswers({ redis: store });
    const long = { question: 'Tell me.', answer: 'a'.repeat(30_000) };
    for (const each of [long, said(1), { ...long, question: 'Again.' }]) await known.add('anna', each);
    const all = [long, said(1), { ...long, question: 'Again.' }];

    expect(await known.among('anna', all)).toMatchObject([{ user: 'What is 1?' }, { user: 'Again.' }]);
    expect(await known.among('anna', [...Array<typeof long>(50).fill(said(1))])).toHaveLength(40);
  });
});
