import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from '../support/clients/caller.ts';
import { readAll } from '../support/clients/multipart.ts';
import { sends } from '../support/fakes/fake-llm.ts';
import { startAssistant } from '../support/servers/assistant.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import { startRedis } from '../support/servers/own-redis.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let house: VoiceHousehold;
beforeAll(async () => {
  house = await startVoiceHousehold();
});
afterAll(() => house?.stop());

const server = async (name: string) => (await house.assistant.call(`/admin/servers/${name}`)).body;

describe('the model servers', () => {
  test('are listed, each with its replicas', async () => {
    const { body } = await house.assistant.call('/admin/servers');

    const one = (name: string, url: string, model: string) =>
      expect.objectContaining({
        name,
        state: 'ready',
        model,
        replicas: [expect.objectContaining({ url, state: 'ready', model })],
        queue: { waiting: 0, running: 0 },
        can: { load: false, unload: false, proxy: true },
      });
    expect(body).toEqual({
      servers: [
        one('llm', house.llm.url, 'local'),
        one('stt', house.stt.url, 'whisper'),
        one('tts', house.piper.url, 'en_US-joe-medium'),
      ],
    });
  });

  test('show the outcome of their last calls, without their content', async () => {
    house.forget();
    await house.assistant.ask('A private question?', { client: 'private' });
    house.llm.answers(() => sends(500, 'text/plain', 'secret path /models/llm.gguf'));
    await house.assistant.ask('Another private question?', { client: 'private' });

    await expect
      .poll(() => server('llm'))
      .toMatchObject({
        latency: { count: 1, p50_ms: expect.any(Number), p95_ms: expect.any(Number) },
        last_errors: [{ url: house.llm.url, message: 'Its answer was invalid (status 500).' }],
      });
    expect(JSON.stringify(await server('llm'))).not.toMatch(/private|secret/);
    house.forget();
  });

  test.each(['load', 'unload'])('with one model do not %s another', async (what) => {
    for (const name of ['llm', 'stt', 'tts']) {
      const answer = await house.assistant.call(`/admin/servers/${name}/${what}`, { method: 'POST' });

      expect(errorOf(answer)).toEqual({ status: 409, code: 'not_possible' });
    }
  });

  test.each(['nobody', 'LLM', '..', 'llm%2f', '%00', 'constructor'])(
    'exist in three kinds, and not %s',
    async (name) => {
      expect((await house.assistant.call(`/admin/servers/${name}`)).status).toBe(404);
      expect((await house.assistant.call(`/admin/servers/${name}/load`, { method: 'POST' })).status).toBe(
        404,
      );
    },
  );
});

/** llama.cpp started with several models. */
async function startRouter() {
  const asked: string[] = [];
  const facts: Record<string, unknown> = {
    '/v1/models': { data: [{ id: 'small' }, { id: 'large' }] },
    '/props': {
      role: 'router',
      build_info: 'b1-router',
      total_slots: 1,
      default_generation_settings: { n_ctx: 4_096 },
    },
    '/slots': [],
  };
  const answer =
    'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const program = createServer(async (request, response) => {
    const body = (await readAll(request)).toString();
    const url = request.url ?? '';
    if (url.startsWith('/models/')) asked.push(`${url} ${body}`);
    if (url === '/v1/chat/completions')
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer);
    const told = request.method === 'POST' ? { success: true } : facts[url];
    response
      .writeHead(told ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(told ?? {}));
  });
  const url = await listenOnFreePort(program);
  return {
    url,
    asked,
    stop: () => {
      program.close();
      program.closeAllConnections();
    },
  };
}

describe('a model server with several models', () => {
  test('loads and unloads them on request', { tags: 'slow' }, async () => {
    const [router, redis] = await Promise.all([startRouter(), startRedis()]);
    const assistant = await startAssistant({
      redisUrl: redis.url,
      llmUrl: router.url,
      env: { LLM_MODEL: 'small' },
    });
    await waitFor(async () => {
      const { body } = await assistant.call('/admin/servers/llm');
      return JSON.stringify(body).includes('"load":true');
    });

    const loaded = await assistant.call('/admin/servers/llm/load?model=large', { method: 'POST' });
    const unloaded = await assistant.call('/admin/servers/llm/unload?model=large', { method: 'POST' });
    const unnamed = await assistant.call('/admin/servers/llm/load', { method: 'POST' });
    const away = await assistant.call('/admin/servers/llm/load?model=../../x', { method: 'POST' });
    await assistant.stop();
    router.stop();
    await redis.stop();

    expect([loaded, unloaded, unnamed, away].map(({ status }) => status)).toEqual([200, 200, 400, 400]);
    expect(router.asked).toEqual(['/models/load {"model":"large"}', '/models/unload {"model":"large"}']);
  });
});
