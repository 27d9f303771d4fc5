/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeFetcher, modelOf, startFakeFetcher } from '../support/fakes/fake-fetcher.ts';
import { startApi } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let fetcher: FakeFetcher;
let household: VoiceHousehold;

beforeAll(async () => {
  fetcher = await startFakeFetcher([
    modelOf('stt', 'whisper', { isHere: true }),
    modelOf('stt', 'whisper-large'),
    modelOf('tts', 'en_US-joe-medium', { isHere: true, isChosen: true }),
    modelOf('tts', 'de_DE-thorsten-medium'),
  ]);
  household = await startVoiceHousehold({ env: { MODELS_SOCKET: fetcher.socket } });
});
afterAll(async () => {
  await household?.stop();
  await fetcher?.stop();
});

const order = (engine: string, id: string) =>
  household.assistant.call('/admin/models/order', { body: { engine, id } });
const over = () => {
  fetcher.state.order = null;
};

describe('models', () => {
  test('are listed with the current one', async () => {
    const { status, body } = await household.assistant.call('/admin/models');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      possible: true,
      reason: null,
      order: null,
      published_voices: { state: 'unknown', reason: null },
    });
    const { models } = body as { models: { id: string; answers: boolean; is_here: boolean }[] };
    expect(models.map(({ id, answers, is_here: isHere }) => [id, answers, isHere])).toEqual([
      ['whisper', true, true],
      ['whisper-large', false, false],
      ['en_US-joe-medium', true, true],
      ['de_DE-thorsten-medium', false, false],
    ]);
  });

  test('are active once the engine has answered with them', async () => {
    await order('stt', 'whisper');
    fetcher.order({ state: 'trying' });

    await waitFor(() => fetcher.answered.includes('whisper'));
    over();
  });

  test('are not active while another one answers', async () => {
    await order('stt', 'whisper-large');
    fetcher.order({ state: 'trying' });
    // The same check confirms a voice that Piper offers, so a full round has passed.
    const looked = household.assistant.call('/admin/models');
    await looked;
    fetcher.state.order = null;
    await order('tts', 'en_US-joe-medium');
    fetcher.order({ state: 'trying' });
    await waitFor(() => fetcher.answered.includes('en_US-joe-medium'));

    expect(fetcher.answered).not.toContain('whisper-large');
    over();
  });

  test('are ordered one at a time, and an order can be stopped', async () => {
    const { body } = await order('tts', 'de_DE-thorsten-medium');
    const second = await order('stt', 'whisper');
    const stopped = await household.assistant.call('/admin/models/order', { method: 'DELETE' });

    expect(body).toMatchObject({
      order: { engine: 'tts', state: 'downloading', bytes_done: 0, bytes_total: 63_200_000 },
    });
    expect([second.status, second.body]).toMatchObject([
      409,
      { error: { code: 'not_possible', message: 'de_DE-thorsten-medium is still on its way.' } },
    ]);
    expect(stopped.body).toMatchObject({ order: { state: 'failed', reason: 'Stopped. The old one stays.' } });
    over();
  });

  test('that are on no list are refused', async () => {
    expect(await order('stt', '../../etc/passwd')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', param: 'id' } },
    });
    expect((await order('eyes', 'whisper')).status).toBe(400);
  });

  test('report that the published voices are unavailable', async () => {
    const asked = await household.assistant.call('/admin/models/voices', { method: 'POST' });
    fetcher.state.voices = { state: 'failed', reason: 'The list cannot be loaded now.', isKnown: false };
    const told = await household.assistant.call('/admin/models');

    expect(asked.body).toMatchObject({ published_voices: { state: 'asking', reason: null } });
    expect(told.body).toMatchObject({
      published_voices: { state: 'unreachable', reason: 'The list cannot be loaded now.' },
    });
  });

  test.for([
    ['nobody fetches them', {}, 'elsewhere'],
    ['the fetcher is away', { MODELS_SOCKET: '/nonexistent/models.sock' }, 'does not answer'],
  ] as const)('cannot be selected if %s', async ([, env, why]) => {
    const api = await startApi({ ...household.urls, env });
    const told = await api.call('/admin/models');
    const refused = await api.call('/admin/models/order', { body: { engine: 'stt', id: 'whisper' } });
    await api.stop();

    expect(told.body).toMatchObject({ possible: false, reason: expect.stringContaining(why), models: [] });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'not_possible' } } });
  });
});
