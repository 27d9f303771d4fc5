import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLlmSlots, type LlmSlots } from '../../api/src/engines/llm-slots.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let server: OwnRedis;
let redis: Redis;
let slots: LlmSlots;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
  slots = createLlmSlots({ redis });
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const engine = 'http://llm:8080';
const take = (conversation: string | null) => slots.take({ engine, slots: 2, conversation });

/** Slots are distinguished by Redis's clock, in ms. */
async function nextMs(): Promise<void> {
  const ms = async () => {
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  };
  const before = await ms();
  await waitFor(async () => (await ms()) > before);
}

/** The slots of these turns, one after the other. Null for a standalone turn. */
async function answered(...conversations: (string | null)[]): Promise<(number | undefined)[]> {
  const used: (number | undefined)[] = [];
  for (const conversation of conversations) {
    const lease = await take(conversation);
    used.push(lease?.slot);
    await lease?.leave();
    await nextMs();
  }
  return used;
}

describe('a slot', () => {
  test('stays with its conversation', async () => {
    expect(await answered('anna', 'ben', 'anna', 'ben', 'ben', 'anna')).toEqual([0, 1, 0, 1, 1, 0]);
  });

  test('is taken from the conversation that is idle longest', { tags: 'slow' }, async () => {
    expect(await answered('anna', 'ben', 'anna', 'carol', 'anna', 'carol')).toEqual([0, 1, 0, 1, 0, 1]);
  });

  test('is shared by all standalone turns, so that a conversation keeps its own', async () => {
    expect(await answered('anna', null, null, null, 'anna')).toEqual([0, 1, 1, 1, 0]);
  });

  test('taken by a standalone turn is reclaimed without disturbing another conversation', async () => {
    expect(await answered('anna', 'ben', null, 'anna', 'ben')).toEqual([0, 1, 0, 0, 1]);
  });

  test('has at most one holder', async () => {
    const [first, second, third] = [await take('anna'), await take('anna'), await take('anna')];

    expect([first?.slot, second?.slot, third]).toEqual([0, 1, null]);
    await second?.leave();
    expect((await take(null))?.slot).toBe(1);
  });

  test('is released even while Redis is full', async () => {
    const [first, second] = [await take('anna'), await take('ben')];
    await server.fill();
    await Promise.all([first?.leave(), second?.leave()]);
    await server.mend();

    expect((await take('ben'))?.slot).toBe(1);
  });

  test('that the conversation used last is preferred', async () => {
    const [, second] = [await take('anna'), await take('anna')];
    await second?.leave();

    await answered('anna');
    await redis.hset(`hearth:llm-slots:${engine}`, '0:until', 0);

    expect((await take('anna'))?.slot).toBe(1);
  });

  test('belongs to one engine only', async () => {
    await take('anna');

    const other = await slots.take({ engine: 'http://other:8080', slots: 2, conversation: 'anna' });

    expect(other?.slot).toBe(0);
  });

  test('is not released by a turn that outlived its lease', async () => {
    const late = await take('anna');
    await redis.hset(`hearth:llm-slots:${engine}`, '0:until', 1);
    const next = await take('ben');

    await late?.leave();

    expect(next?.slot).toBe(1);
    expect((await take('carol'))?.slot).toBe(0);
    expect(await take('dora')).toBeNull();
  });
});
