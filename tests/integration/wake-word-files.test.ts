import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../support/clients/caller.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { fetchedWakeWords } from '../support/wake/words.ts';

const path = '/admin/wake-words';
const [word] = fetchedWakeWords;

let redis: OwnRedis;
let assistant: Assistant;
let folder: string;

const manifestOf = (model: string) =>
  JSON.stringify({
    type: 'micro',
    wake_word: 'Hey Casa',
    model,
    version: 2,
    trained_languages: ['es'],
    micro: { probability_cutoff: 0.9, feature_step_size: 10, sliding_window_size: 5 },
  });
const add = (manifest: string, model: Uint8Array | string) =>
  assistant.call(path, { body: { manifest, model: Buffer.from(model).toString('base64') } });
const remove = (name: string) => assistant.call(`${path}/${encodeURIComponent(name)}`, { method: 'DELETE' });
const choose = (words: readonly string[] | null) =>
  assistant.call('/admin/pipeline', { method: 'PATCH', body: { wake_words: words } });
const errorIn = ({ body }: Answer) =>
  z
    .object({ error: z.object({ code: z.string(), message: z.string(), param: z.string().nullable() }) })
    .parse(body).error;

beforeAll(async () => {
  redis = await startRedis();
  folder = mkdtempSync(join(tmpdir(), 'hearth-wake-words-'));
  assistant = await startAssistant({
    redisUrl: redis.url,
    env: { LLM_URL: 'off', STT_URL: 'off', TTS_URL: 'off', WAKE_WORDS_DIR: folder },
  });
});
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
afterAll(async () => {
  await assistant?.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

test.each([
  ['no JSON', '{', 'model', 'manifest', 'it is not JSON'],
  ['a name outside the folder', manifestOf('../casa.tflite'), 'model', 'manifest', 'the same folder'],
  ['a model that is none', manifestOf('casa.tflite'), 'no model', 'model', 'cannot be used'],
])('refuses %s, and saves nothing', async (_, manifest, model, param, reason) => {
  const answer = await add(manifest, model);

  expect([answer.status, errorIn(answer)]).toMatchObject([400, { param }]);
  expect(errorIn(answer).message).toContain(reason);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['nothing', '../casa', 'okay_nabu'])('has no own wake word %s to delete', async (name) => {
  expect((await remove(name)).status).toBe(404);
});

describe.skipIf(word === undefined)('with a model (needs the fetched wake words)', () => {
  const model = word?.model ?? new Uint8Array();

  test('adds a word that can be chosen at once, and deletes it when it is not in use', async () => {
    const added = await add(manifestOf('hey_casa.tflite'), model);

    expect(added.body).toMatchObject({
      words: [{ word: 'hey_casa', phrase: 'Hey Casa', languages: ['es'], is_own: true, is_used: false }],
      refused: [],
    });
    expect(readdirSync(folder).toSorted()).toEqual(['hey_casa.json', 'hey_casa.tflite']);
    expect((await choose(['hey_casa'])).status).toBe(200);
    const refused = await remove('hey_casa');
    expect([refused.status, errorIn(refused).message]).toEqual([409, expect.stringContaining('in use')]);
    expect(existsSync(join(folder, 'hey_casa.json'))).toBe(true);

    await choose(null);
    const removed = await remove('hey_casa');

    expect([removed.status, removed.body]).toEqual([200, { words: [], refused: [] }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('replaces a word whose manifest has another name', async () => {
    writeFileSync(join(folder, 'old.json'), manifestOf('hey_casa.tflite'));
    writeFileSync(join(folder, 'hey_casa.tflite'), model);

    await add(manifestOf('hey_casa.tflite'), model);

    expect(readdirSync(folder).toSorted()).toEqual(['hey_casa.json', 'hey_casa.tflite']);
  });
});
