import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import {
  type ChatCall,
  type FakeLlm,
  says,
  sends,
  startFakeLlm,
  tokensOf,
} from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

const contextTokens = 2_048;

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
let store: Redis;

/** Every answer names its question, so that a mixed-up pair would show. */
const echo = ({ question }: ChatCall) => `You said ${question}`;

const start = () => startAssistant({ redisUrl: redis.url, llmUrl: llm.url });

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm({ contextTokens })]);
  assistant = await start();
  store = await connectTo(redis.url);
});
beforeEach(() => {
  llm.calls.length = 0;
  llm.answers(echo);
});
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await llm?.stop();
  await redis?.stop();
});

const lastCall = (): ChatCall => {
  const call = llm.calls.at(-1);
  if (!call) throw new Error('the engine was not asked');
  return call;
};

/** A question and its answer, as the engine reads them in a prompt. */
const pair = (question: string) => ` ${question}<|assistant|>You said ${question}<`;

const questionsIn = ({ prompt }: ChatCall) =>
  [...prompt.matchAll(/<\|user\|>\([^)]*\) ([^<]*)/g)].map(([, words]) => words);

describe('a conversation', () => {
  test('continues under its name in any room', async () => {
    await assistant.ask('My name is Anna.', { client: 'anna', room: 'kitchen' });
    await assistant.ask('What is my name?', { client: 'anna', room: 'hall' });

    expect(lastCall().prompt).toContain(pair('My name is Anna.'));
    expect(lastCall().newest).toContain('Room: hall.');
  });

  test('is not visible to another', async () => {
    await assistant.ask('My name is Anna.', { client: 'anna 2' });
    await assistant.ask('What is my name?', { client: 'bert 2' });

    expect(questionsIn(lastCall())).toEqual(['What is my name?']);
  });

  test('is named api for all callers without a name', async () => {
    await assistant.ask('First of all?');
    await assistant.ask('Second of all?', { client: '' });
    await assistant.ask('Third of all?', { client: 'api' });

    expect(questionsIn(lastCall())).toEqual(['First of all?', 'Second of all?', 'Third of all?']);
  });

  test('starts every prompt with the bytes of the previous one', async () => {
    const prompts: string[] = [];
    for (let turn = 1; turn <= 10; turn += 1) {
      await assistant.ask(`Number ${turn}?`, { client: 'bytes', room: turn % 2 ? 'kitchen' : 'Küche' });
      prompts.push(lastCall().prompt);
    }

    prompts.slice(1).forEach((prompt, index) => {
      const before = `${prompts[index]}<|assistant|>You said Number ${index + 1}?<|user|>(It is `;
      expect(prompt.slice(0, before.length)).toBe(before);
    });
  });

  test('loses no turn of eight concurrent callers', async () => {
    const questions = Array.from({ length: 8 }, (_, index) => `At once ${index}?`);
    llm.answers((call) => says(echo(call), { intervalMs: 5 }));

    const answers = await Promise.all(questions.map((text) => assistant.ask(text, { client: 'crowd' })));
    await assistant.ask('Who was there?', { client: 'crowd' });

    expect(answers.map(replyOf)).toEqual(questions.map((question) => `You said ${question}`));
    const { prompt } = lastCall();
    for (const question of questions) expect(prompt).toContain(pair(question));
    expect(questionsIn(lastCall())).toHaveLength(9);
  });

  test('never mixes with another that alternates with it', async () => {
    const turns = Array.from({ length: 20 }, (_, index) => index);
    const talk = async (client: string) => {
      for (const turn of turns) await assistant.ask(`${client} says ${turn}?`, { client });
    };

    await Promise.all([talk('left'), talk('right')]);

    for (const call of llm.calls) {
      const [side, other] = call.question.startsWith('left') ? ['left', 'right'] : ['right', 'left'];
      expect(call.prompt).not.toContain(`${other} says`);
      expect(call.question.startsWith(side)).toBe(true);
    }
    expect(llm.calls).toHaveLength(40);
  });

  test('survives restarts of the api and the workers', { tags: 'slow' }, async () => {
    await assistant.ask('Remember the milk.', { client: 'survivor' });
    await assistant.stop();
    assistant = await start();

    await assistant.ask('What was it?', { client: 'survivor' });

    expect(lastCall().prompt).toContain(pair('Remember the milk.'));
  });

  test('expires 30 days after its last turn', async () => {
    await assistant.ask('How long?', { client: 'mortal' });

    const { exchanges, meta } = conversationKeys('mortal');
    const days = (await Promise.all([store.ttl(exchanges), store.ttl(meta)])).map((s) => s / 86_400);
    expect(days.map(Math.ceil)).toEqual([30, 30]);
  });

  test('keeps 200 turns and shows the model at most 100', { tags: 'slow' }, async () => {
    llm.answers(() => 'Ok.');
    for (let turn = 1; turn <= 205; turn += 1) await assistant.ask(`${turn}`, { client: 'long' });

    const kept = await store.llen(conversationKeys('long').exchanges);
    const shown = llm.calls.map((call) => questionsIn(call).length - 1);
    expect(kept).toBe(200);
    expect(Math.max(...shown)).toBeLessThanOrEqual(100);
    expect(questionsIn(lastCall()).at(-2)).toBe('204');
  });

  test.each(['a:b', 'x:exchanges', 'ümläut 🐱', 'a/../b', 'n'.repeat(200)])(
    'may be named %s',
    async (client) => {
      await assistant.ask('First?', { client });
      await assistant.ask('Second?', { client });

      expect(questionsIn(lastCall())).toEqual(['First?', 'Second?']);
    },
  );
});

describe('a conversation that grows beyond the context', () => {
  const long = (turn: number) => `Turn ${turn}: ${'many words to fill the memory '.repeat(10)}`;

  test('is cut rarely, by half, and never by the engine', async () => {
    const client = 'grower';
    llm.answers(() => 'Noted.');
    for (let turn = 1; turn <= 40; turn += 1) replyOf(await assistant.ask(long(turn), { client }));

    const shown = llm.calls.map((call) => questionsIn(call).length - 1);
    const cuts = shown.flatMap((count, index) =>
      index > 0 && count <= (shown[index - 1] ?? 0) ? [{ from: shown[index - 1] ?? 0, to: count }] : [],
    );
    expect(llm.calls).toHaveLength(40);
    expect(llm.calls.every(({ prompt }) => tokensOf(prompt) <= contextTokens - 400)).toBe(true);
    expect(cuts.length).toBeGreaterThan(1);
    expect(cuts.length).toBeLessThan(8);
    for (const { from, to } of cuts.slice(1)) expect(to).toBeLessThanOrEqual(from / 2 + 1);
    const newest = lastCall();
    expect(questionsIn(newest).at(-2)).toContain('Turn 39:');
  });

  test('is halved and retried when the engine finds it too long', async () => {
    const client = 'misjudged';
    for (const word of ['one', 'two', 'three', 'four']) await assistant.ask(`Word ${word}?`, { client });
    llm.answers((call) => (questionsIn(call).length > 3 ? tooLong : echo(call)));
    llm.calls.length = 0;

    const answer = await assistant.ask('Word five?', { client });
    await assistant.ask('Word six?', { client: 'misjudged' });

    expect(replyOf(answer)).toBe('You said Word five?');
    expect(llm.calls.slice(0, 2).map(questionsIn)).toEqual([
      ['Word one?', 'Word two?', 'Word three?', 'Word four?', 'Word five?'],
      ['Word three?', 'Word four?', 'Word five?'],
    ]);
    expect(llm.calls[2] && questionsIn(llm.calls[2])[0]).toBe('Word three?');
  });

  test('refuses a question that alone is too long, and keeps the rest', async () => {
    const client = 'verbose';
    await assistant.ask('Something short?', { client });

    const answer = await assistant.ask('words '.repeat(1_333), { client });
    await assistant.ask('Short again?', { client });

    expect(errorOf(answer)).toEqual({ status: 400, code: 'question_too_long' });
    expect(questionsIn(lastCall())).toEqual(['Something short?', 'Short again?']);
  });
});

const tooLong = sends(
  400,
  'application/json',
  JSON.stringify({
    error: {
      code: 400,
      type: 'exceed_context_size_error',
      message: 'the request exceeds the available context size',
    },
  }),
);
