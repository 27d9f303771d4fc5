import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Assistant, startApi, startAssistant } from '../support/assistant.ts';
import { type Answer, errorOf } from '../support/caller.ts';
import { type OwnRedis, startRedis } from '../support/own-redis.ts';

const stateSchema = z.object({
  revision: z.number(),
  values: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), z.string()),
});
const stateOf = ({ body }: Answer) => stateSchema.parse(body);

let redis: OwnRedis;
let assistant: Assistant;

beforeAll(async () => {
  redis = await startRedis();
  assistant = await startAssistant({ redisUrl: redis.url, env: { TTS_VOICE: 'en_US-joe-medium' } });
});
afterAll(async () => {
  await assistant?.stop();
  await redis?.stop();
});

const read = async () => stateOf(await assistant.call('/admin/pipeline'));
const patch = (body: unknown, headers: Record<string, string> = {}) =>
  assistant.call('/admin/pipeline', { method: 'PATCH', body, headers });

describe('the settings', () => {
  test('tell where each of them comes from', async () => {
    await patch({ speed: 1.5 });

    const { values, sources } = await read();

    expect([values['speed'], sources['speed']]).toEqual([1.5, 'set']);
    expect([values['voice'], sources['voice']]).toEqual(['en_US-joe-medium', 'environment']);
    expect([values['reply_tokens'], sources['reply_tokens']]).toEqual([400, 'default']);
  });
});
