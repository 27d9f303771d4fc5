/** @module-tag slow */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { recordingOf, startVoiceEngines } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

/** The limit for any request: a crash needs no more, and more would wear the disk. */
const maxBytes = 5_000;

let redis: OwnRedis;
let store: Redis;
let house: Awaited<ReturnType<typeof startVoiceEngines>>;
let assistant: Awaited<ReturnType<typeof startAssistant>>;

beforeAll(async () => {
  [redis, house] = await Promise.all([startRedis({ isKept: true }), startVoiceEngines()]);
  store = await connectTo(redis.url);
  assistant = await startAssistant({ ...house.urls, redisUrl: redis.url, env: { LOG_LEVEL: 'info' } });
});
beforeEach(() => house.forget());
afterAll(async () => {
  await assistant?.stop();
  store?.disconnect();
  await house?.stop();
  await redis?.stop();
});

/** The current size of the file. */
async function fileBytes(): Promise<number> {
  const [, size] = /aof_current_size:(\d+)/.exec(await store.info('persistence')) ?? [];
  return Number(size);
}
/** The number of recorded turns of this source. */
async function turnsOf(source: string): Promise<number> {
  const entries = await store.xrange('hearth:turns', '-', '+');
  return entries.filter(([, [, note = '']]) => note.includes(`"source":"${source}"`)).length;
}
/** The data that Redis would still have after a crash. */
async function afterCrash(): Promise<string> {
  await redis.kill();
  await redis.revive();
  await waitFor(async () => (await store.ping().catch(() => '')) === 'PONG', { what: 'Redis is back' });
  const keys = await store.keys('hearth:*');
  return keys.join(' ');
}
/** Size of a log entry in the file besides its line. */
const entryBytes = 120;
/** Bytes of all warnings in the log: a busy machine logs some, and they belong to no turn. */
async function warningBytes(): Promise<number> {
  const entries = await store.xrange('hearth:logs', '-', '+');
  const warnings = entries.filter(([, [, line = '']]) => !line.includes('"level":"info"'));
  return warnings.reduce((bytes, [, [, line = '']]) => bytes + line.length + entryBytes, 0);
}
/** Bytes written per turn, over several turns. */
async function written(turn: (at: number) => Promise<unknown>): Promise<number> {
  const bytes = async () => (await fileBytes()) - (await warningBytes());
  await turn(0);
  const before = await bytes();
  for (let at = 1; at <= 5; at += 1) await turn(at);
  await waitFor(async () => (await store.xlen('hearth:turns')) > 0);
  return ((await bytes()) - before) / 5;
}

describe('the disk writes little', () => {
  test('for a typed question', async () => {
    house.llm.answers(() => 'The capital of France is Paris.');

    const bytes = await written((at) =>
      assistant.ask(`What is the capital of land ${at}?`, { client: 'typed' }),
    );

    expect(bytes).toBeGreaterThan(300); // The conversation is stored.
    expect(bytes).toBeLessThan(maxBytes);
  });

  test('for a spoken question, and nothing of its sound', async () => {
    house.llm.answers(() => 'Paris. It lies on the Seine.');

    const bytes = await written((at) =>
      assistant.voice(recordingOf(`What is the capital of land ${at}?`), { client: 'spoken' }),
    );

    expect(bytes).toBeGreaterThan(300);
    expect(bytes).toBeLessThan(maxBytes);
  });

  test('for a sentence spoken in a room, including transcripts and playback', async () => {
    house.llm.answers(() => 'Paris. It lies on the Seine. Two million people live there.');
    // At the pace of human speech.
    house.piper.speaks(({ text }) => voiceOf({ text: text.repeat(5) }));
    const room = await enterRoom(assistant.address);

    const bytes = await written(async (at) => {
      house.stt.hears(`What is the capital of land ${at}?`);
      // With a pause, at which a speculative answer starts.
      await room.say('pause');
      await room.exchange(at, 20_000);
      // The record of it comes last.
      await waitFor(async () => (await turnsOf('listen')) === at + 1);
    });
    await room.leave();

    expect(bytes).toBeGreaterThan(300);
    expect(bytes).toBeLessThan(maxBytes);
  });
});

test('after a crash the conversation exists, and no turn or job from before it', async () => {
  house.llm.answers(() => 'Paris.');
  await assistant.ask('What is the capital of France?', { client: 'crash' });

  const known = await afterCrash();

  expect(known).toContain('hearth:conversation:crash:exchanges');
  expect(known).not.toMatch(/hearth:(turn|sentence):|:lock|hearth:think:[0-9a-f]/);
});
