import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeLlm, hangs, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, workers: 2 });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

/** The median of many calls, one after the other: other work on the machine can slow down single ones. */
describe('health', () => {
  test('lists the current state', async () => {
    const { body } = await assistant.call('/health');

    expect(body).toMatchObject({
      ok: true,
      status: 'ready',
      version: '0.1.0',
      configured: { token: false, models: null, time_zone: 'Europe/Berlin', log_words: false },
      engines: {
        llm: { state: 'ready', reason: null, model: 'local' },
        stt: { state: 'off', reason: 'STT_URL is not set', model: null },
        tts: { state: 'off', reason: 'TTS_URL is not set', model: null },
      },
      redis: { state: 'ready' },
      workers: 2,
      in_flight: { turns: 0 },
    });
  });

  test('counts the questions in progress without revealing them', async () => {
    llm.answers(() => hangs);
    const caller = new AbortController();
    const asked = assistant
      .ask('A private matter?', { client: 'private-name', room: 'private-room' }, { signal: caller.signal })
      .catch(() => 'hung up');
    await waitFor(() => llm.busy === 1);

    const { body, text } = await assistant.call('/health');
    caller.abort();
    await asked;

    expect(body).toMatchObject({ in_flight: { turns: 1 } });
    expect(text).not.toMatch(/private/i);
  });

  test('is answered from memory, even when Redis and the engine hang', async () => {
    await redis.freeze();
    const { status } = await assistant.call('/health');
    await redis.thaw();

    expect(status).toBe(200);
  });
});
