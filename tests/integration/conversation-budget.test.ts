/** @module-tag slow */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createConversationBudget } from '../../api/src/conversations/conversation-budget.ts';
import { createStoredConversations } from '../../api/src/conversations/stored-conversations.ts';
import { keys } from '../../api/src/redis/keys.ts';
import type { Turn } from '../../api/src/turn/turn.ts';
import { createTurnStore } from '../../api/src/turn/turn-store.ts';
import { startFakeLlm } from '../support/fakes/fake-llm.ts';
import { startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const budgetMb = 1;
const most = budgetMb * 1e6;

let server: OwnRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
  await once(redis, 'ready');
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** The memory of all conversations, as Redis reports it. */
async function bytesOfConversations(): Promise<number> {
  let sum = 0;
  for (const key of await redis.keys('hearth:conversation:*')) {
    sum += Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0));
  }
  return sum;
}
const wordOf = (at: number) => createHash('sha256').update(String(at)).digest('hex');
const isKept = async (name: string) => (await redis.exists(keys.exchanges.of(name))) === 1;

describe('turns of an assistant', () => {
  test('exceed the budget threefold, and conversations stay within it', async () => {
    await redis.flushall();
    // A repetitive answer would be cut off.
    const story = Array.from({ length: 250 }, (_, at) => `${wordOf(at)}.`).join(' ');
    const llm = await startFakeLlm({ contextTokens: 100_000, slots: 2 });
    llm.answers(({ question }) => `${question} ${story}`);
    const assistant = await startAssistant({ redisUrl: server.url, llmUrl: llm.url });
    try {
      const change = { method: 'PATCH', body: { memory_mb: budgetMb } } as const;
      expect((await assistant.call('/admin/pipeline', change)).status).toBe(200);
      await assistant.ask('Set a tea timer for nine hours', { client: 'first' });
      await assistant.ask('Put milk on the shopping list', { client: 'first' });

      // Two at once are less than the reserved space.
      let written = 0;
      let largest = 0;
      for (let round = 0; written < 3 * most; round += 1) {
        const guests = Array.from({ length: 2 }, (_, at) => `guest ${round}.${at}`);
        const answers = await Promise.all(
          guests.map((client) => assistant.ask('Tell me why the sea is salty.', { client })),
        );
        for (const { status, text } of answers) {
          expect(`${status} ${text.slice(0, 200)}`).toMatch(/^200/);
          written += text.length;
        }
        // A worker frees space beside the next answer, sometimes only after this test has read it.
        const bytes = await waitFor(async () => {
          const now = await bytesOfConversations();
          return now < most && now;
        });
        largest = Math.max(largest, bytes);
        for (const guest of guests) expect(await isKept(guest)).toBe(true);
      }

      expect(largest).toBeGreaterThan(0.7 * most);
      expect(await isKept('first')).toBe(false);
      expect(await isKept('guest 0.0')).toBe(false);
      const { body: timers } = await assistant.call('/admin/timers');
      expect(timers).toMatchObject({ timers: [{ label: 'tea', state: 'running' }] });
      expect((await assistant.ask("What's on my shopping list?")).text).toContain('milk');
      const toldTurns = () =>
        [assistant, ...assistant.workers]
          .flatMap(({ log }) => log)
          .filter((line) => line.includes('conversation budget is full'))
          .map((line) => z.looseObject({ turns: z.number() }).parse(JSON.parse(line)).turns)
          .reduce((sum, turns) => sum + turns, 0);
      // The log line for dropped turns comes shortly after the count.
      const forgotten = await waitFor(async () => {
        const counted = Number(await redis.hget(keys.conversationsGivenUp.of(), 'turns'));
        return toldTurns() === counted && counted;
      });
      expect(forgotten).toBeGreaterThan(100);
    } finally {
      await assistant.stop();
      await llm.stop();
    }
  }, 240_000);
});

describe('a budget', () => {
  const lines: object[] = [];
  const log = {
    info: (line: object) => void lines.push(line),
    warn: (line: object) => void lines.push(line),
  };
  const open = (wantedMb: number | null = budgetMb) =>
    createConversationBudget({ redis, log, wantedMb: () => wantedMb });
  beforeEach(async () => {
    lines.length = 0;
    await redis.flushall();
  });

  const turnIn = (conversation: string): Turn => ({
    id: crypto.randomUUID(),
    source: 'ask',
    text: 'Tell me a story.',
    isSure: true,
    conversation,
    room: null,
    createdAt: Date.now(),
    deadlineAt: Date.now() + 60_000,
    replyTo: 'api',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 0,
  });
  const storeWith = (budget = open()) => createTurnStore({ redis, budget });
  type Store = ReturnType<typeof storeWith>;
  const begin = async (turns: Store, conversation: string) => {
    const turn = turnIn(conversation);
    await turns.admit(turn, 64);
    await turns.take(turn.id, 'respond', 'worker');
    return turn;
  };
  const end = (turns: Store, turn: Turn, bytes: number) =>
    turns.finish(turn, {
      reply: { text: 'x', heard: null, via: 'local', finish: 'stop', usage: null, timings: {}, sentences: 0 },
      exchange: { user: 'Tell me a story.', assistant: 'x'.repeat(bytes) },
      promptFrom: 0,
    });
  const tell = async (turns: Store, conversation: string, bytes = 100_000) =>
    end(turns, await begin(turns, conversation), bytes);
  const turnsOf = (name: string) => redis.llen(keys.exchanges.of(name));

  test('drops the oldest turns of the conversation unused for longest', async () => {
    const turns = storeWith();
    for (let at = 0; at < 4; at += 1) await tell(turns, 'kitchen');
    for (let at = 0; at < 5; at += 1) await tell(turns, 'hall');
    await tell(turns, 'hall', 60_000);

    // Redis takes 115 kB for 100,000 letters: nine are too many, and seven are few enough.
    expect(await turnsOf('kitchen')).toBe(2);
    expect(await turnsOf('hall')).toBe(6);
    expect(lines).toEqual([expect.objectContaining({ turns: 2, conversations: 0 })]);
  });

  test('drops nothing from a conversation during a turn', async () => {
    const turns = storeWith();
    for (let at = 0; at < 4; at += 1) await tell(turns, 'kitchen');
    const asked = await begin(turns, 'kitchen');
    for (let at = 0; at < 20; at += 1) await tell(turns, `guest ${at}`);
    const meanwhile = await turnsOf('kitchen');
    await end(turns, asked, 100_000);
    for (let at = 0; at < 20; at += 1) await tell(turns, `later guest ${at}`);

    expect(meanwhile).toBe(4);
    expect(await isKept('kitchen')).toBe(false);
    expect(await bytesOfConversations()).toBeLessThan(most);
  });

  test('applies to the only conversation too, but never to its newest turn', async () => {
    const turns = storeWith();
    for (let at = 0; at < 30; at += 1) await tell(turns, 'kitchen');
    const many = await turnsOf('kitchen');
    await tell(turns, 'kitchen', 2 * most);

    expect(many).toBe(8);
    expect(await turnsOf('kitchen')).toBe(1);
  });

  test('accounts for deletion, expiry and restore', async () => {
    const turns = storeWith();
    const erase = async () => undefined;
    for (const name of ['one', 'two', 'three']) await tell(turns, name);
    await createStoredConversations({ redis, erase }).forget('one');
    const afterForgetting = (await open().room()).usedBytes;
    await redis.del(keys.exchanges.of('two'));
    await tell(turns, 'three', 10);
    const afterEnd = (await open().room()).usedBytes;
    await redis.del(keys.conversationSizes.of(), keys.conversationBytes.of());
    await open().recount();
    const recounted = (await open().room()).usedBytes;

    expect(afterForgetting).toBeGreaterThan(200_000);
    expect(afterForgetting).toBeLessThan(240_000);
    expect(afterEnd).toBeLessThan(130_000);
    expect(recounted).toBe(afterEnd);
  });

  test('is half of the memory of Redis, and at most three quarters of it', async () => {
    const rooms: number[] = [];
    for (const [maxmemory, wantedMb] of [
      ['0', null],
      ['0', 1_000],
      ['400mb', null],
      ['400mb', 100],
      ['400mb', 1_000],
      ['1', null],
    ] as const) {
      await redis.config('SET', 'maxmemory', maxmemory);
      rooms.push((await open(wantedMb).room()).maxBytes);
    }
    await redis.config('SET', 'maxmemory', '0');

    const mib = 1024 ** 2;
    expect(rooms).toEqual([256e6, 1e9, 200 * mib, 100e6, 300 * mib, 8e6]);
  });

  test('pauses while Redis is full, and resumes afterwards', async () => {
    const turns = storeWith();
    await tell(turns, 'kitchen');
    await server.fill();
    await open().tend('kitchen');
    await server.mend();
    await tell(turns, 'hall');

    expect(await turnsOf('kitchen')).toBe(1);
    await waitFor(async () => (await open().room()).usedBytes > 200_000);
  });
});
