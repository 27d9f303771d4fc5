/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadLanguage } from '../../api/src/language/language.ts';
import { promptHead } from '../../api/src/respond/model/prompt.ts';
import { openChat } from '../support/clients/chat-caller.ts';
import { openAiClientsSuite } from '../support/clients/openai-clients-suite.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { answersAreKnown, hasRealLlm, type RealLlm, startRealLlm } from '../support/servers/real-llm.ts';
import { waitFor } from '../support/wait-for.ts';

const { prompt } = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });

/** After the first turn, this share of all prompt tokens must come from the engine's cache. */
const promisedReuse = 0.9;

/** A model on few cores, beside all other tests. */
const busyMachineMs = 120_000;

const questions = [
  ...['France', 'Germany', 'Italy', 'Spain', 'Norway', 'Greece', 'Japan', 'Egypt', 'Canada', 'Poland'].map(
    (country) => `What is the capital of ${country}?`,
  ),
  ...[
    'What is the capital of Sweden?',
    'What is the capital of Portugal?',
    'What is the largest planet?',
    'Who wrote Hamlet?',
  ],
  ...[
    'What colour is grass?',
    'How many legs does a spider have?',
    'What does a cow say?',
    'Who makes honey?',
  ],
  ...['What is the largest ocean?', 'What is the highest mountain?'],
];

const usageSchema = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }),
});

interface Read {
  prompt: number;
  cached: number;
  answer: number;
}

describe.skipIf(!hasRealLlm)('a real llama-server (needs .venv and a model)', () => {
  let redis: OwnRedis;
  let llm: RealLlm;
  let assistant: Assistant;

  beforeAll(async () => {
    [redis, llm] = await Promise.all([startRedis(), startRealLlm()]);
    assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url });
  });
  afterAll(async () => {
    await assistant?.stop();
    await llm?.stop();
    await redis?.stop();
  });

  /** The tokens that the engine read for one question, as reported to the caller. */
  async function ask(content: string, user?: string): Promise<Read> {
    const body = { messages: [{ role: 'user', content }], user: user ?? null };
    const answer = await assistant.call('/v1/chat/completions', { body });
    const { usage } = z.object({ usage: usageSchema }).parse(answer.body);
    const { prompt_tokens: prompt, completion_tokens: written } = usage;
    return { prompt, cached: usage.prompt_tokens_details.cached_tokens, answer: written };
  }

  /**
   * Turns whose head or history the engine had to process again, although everything except the newest
   * question was cached.
   */
  const readAgain = (turns: readonly Read[]) =>
    turns.flatMap((turn, index) => {
      const before = turns[index - 1];
      // An answer's last token is written but never read.
      return before && turn.cached < before.prompt + before.answer - 2 ? [{ index, before, turn }] : [];
    });

  const reuse = ([, ...later]: readonly Read[]) => sum(later, 'cached') / sum(later, 'prompt');

  test('has processed the instructions in every slot before the first question', async () => {
    const head = await llm.tokens(promptHead(prompt).system);

    const [first, second] = [await ask('Hello.', 'first'), await ask('Hello.', 'second')];

    expect(Math.min(first.cached, second.cached)).toBeGreaterThanOrEqual(head);
  });

  test('processes only the newest question in a conversation of twenty turns', {
    timeout: busyMachineMs,
  }, async () => {
    const turns: Read[] = [];
    for (const question of questions) turns.push(await ask(question, 'long'));

    expect(turns).toHaveLength(20);
    expect(readAgain(turns)).toEqual([]);
    expect(reuse(turns)).toBeGreaterThanOrEqual(promisedReuse);
  });

  test('processes only the newest question in two alternating conversations', {
    timeout: busyMachineMs,
  }, async () => {
    const [anna, ben]: [Read[], Read[]] = [[], []];
    for (const question of questions.slice(0, 14)) {
      anna.push(await ask(question, 'anna'));
      ben.push(await ask(question, 'ben'));
    }

    expect([...readAgain(anna), ...readAgain(ben)]).toEqual([]);
    expect(Math.min(reuse(anna), reuse(ben))).toBeGreaterThanOrEqual(promisedReuse);
  });

  test('keeps a conversation cached during standalone questions', {
    timeout: busyMachineMs,
  }, async () => {
    const turns: Read[] = [];
    for (const question of questions.slice(0, 6)) {
      turns.push(await ask(question, 'disturbed'));
      for (const other of ['Who are you?', 'Who makes honey?']) await ask(other);
    }

    expect(readAgain(turns)).toEqual([]);
  });

  describe.skipIf(!answersAreKnown)('with third-party clients (needs ../shared/models)', () => {
    openAiClientsSuite(() => ({ baseUrl: `${assistant.address}/v1`, apiKey: 'no-token-is-set' }));
  });

  test('stops before the end of the story when the caller disconnects', async () => {
    await waitFor(async () => (await llm.busySlots()) === 0);
    const before = await llm.writtenTokens();
    await assistant.ask('Tell me a story.');
    const whole = (await llm.writtenTokens()) - before;
    const stream = await openChat(assistant.address, {
      messages: [{ role: 'user', content: 'Tell me a story.' }],
    });
    await stream.words(' ');

    stream.hangUp();
    await waitFor(async () => (await llm.busySlots()) === 0);

    expect((await llm.writtenTokens()) - before - whole).toBeLessThan(whole);
  });
});

function sum(turns: readonly Read[], field: keyof Read): number {
  return turns.reduce((total, turn) => total + turn[field], 0);
}
