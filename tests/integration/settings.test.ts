import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { type Answer, errorOf } from '../support/clients/caller.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type FakePiper, failsOn, startFakePiper } from '../support/fakes/fake-piper.ts';
import { type FakeStt, startFakeStt } from '../support/fakes/fake-stt.ts';
import { type Assistant, startApi, startAssistant } from '../support/servers/assistant.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const stateSchema = z.object({
  revision: z.number(),
  values: z.record(z.string(), z.unknown()),
  sources: z.record(z.string(), z.string()),
});
const stateOf = ({ body }: Answer) => stateSchema.parse(body);

let redis: OwnRedis;
let llm: FakeLlm;
let stt: FakeStt;
let piper: FakePiper;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm, stt, piper] = await Promise.all([
    startRedis(),
    startFakeLlm({ foreign: true, models: ['qwen3:latest', 'gemma'] }),
    startFakeStt({ installed: ['whisper', 'whisper-large'] }),
    startFakePiper({ voices: ['anna', 'bert', 'clara'] }),
  ]);
  assistant = await startAssistant({
    redisUrl: redis.url,
    llmUrl: llm.url,
    sttUrl: stt.url,
    ttsUrl: piper.url,
    env: { TTS_VOICE: 'bert', BACKUP_NIGHTLY: '1' },
  });
});
afterEach(async () => {
  const { values } = stateOf(await assistant.call('/admin/pipeline'));
  await patch(Object.fromEntries(Object.keys(values).map((key) => [key, null])));
});
afterAll(async () => {
  await assistant?.stop();
  for (const part of [llm, stt, piper, redis]) await part?.stop();
});

const read = async () => stateOf(await assistant.call('/admin/pipeline'));
const patch = (body: unknown, headers: Record<string, string> = {}) =>
  assistant.call('/admin/pipeline', { method: 'PATCH', body, headers });
const sample = (body: unknown) => assistant.call('/admin/pipeline/sample', { body });
const errorIn = ({ body }: Answer) =>
  z.object({ error: z.object({ message: z.string(), param: z.string().nullable() }) }).parse(body).error;

describe('the settings', () => {
  test('show where each of them comes from', async () => {
    await patch({ speed: 1.5 });

    const { values, sources } = await read();

    expect([values['speed'], sources['speed']]).toEqual([1.5, 'set']);
    expect([values['voice'], sources['voice']]).toEqual(['bert', 'environment']);
    expect([values['reply_tokens'], sources['reply_tokens']]).toEqual([400, 'default']);
  });

  test('take the time of the nightly backup from the environment, and replace it', async () => {
    const { values, sources } = await read();
    expect([values['backup_at'], sources['backup_at']]).toEqual(['03:00', 'environment']);

    const after = stateOf(await patch({ backup_at: 'never' }));

    expect([after.values['backup_at'], after.sources['backup_at']]).toEqual(['never', 'set']);
  });

  test("return to the environment's values", async () => {
    await patch({ voice: 'anna' });
    await patch({ voice: null });

    const { values, sources } = await read();

    expect([values['voice'], sources['voice']]).toEqual(['bert', 'environment']);
  });

  test('count their changes, but not those without effect', async () => {
    const before = await read();

    const first = stateOf(await patch({ speed: 1.25, hints: ['Aoife', 'Siobhán'] }));
    const second = stateOf(await patch({ speed: 1.25, hints: ['Aoife', 'Siobhán'] }));

    expect([first.revision, second.revision]).toEqual([before.revision + 1, before.revision + 1]);
    expect(second.values['hints']).toEqual(['Aoife', 'Siobhán']);
  });

  test('keep an empty list empty', async () => {
    await patch({ hints: ['Aoife'] });
    await patch({ hints: [] });

    const { values, sources } = await read();

    expect([values['hints'], sources['hints']]).toEqual([[], 'set']);
  });

  test('have their changes listed, the newest first', async () => {
    await patch({ speed: 1.5 });
    await patch({ speed: null, persona: 'Speak like a butler.' });

    const { body } = await assistant.call('/admin/pipeline/history');

    const { changes } = z.object({ changes: z.array(z.object({ changes: z.unknown() })) }).parse(body);
    expect(changes.slice(0, 2).map((each) => each.changes)).toEqual([
      { speed: { from: 1.5, to: 1 }, persona: { from: '', to: 'Speak like a butler.' } },
      { speed: { from: 1, to: 1.5 } },
    ]);
  });

  test('remember the last hundred changes', async () => {
    for (let change = 0; change < 105; change += 1) await patch({ temperature: change / 100 });

    const { body } = await assistant.call('/admin/pipeline/history');

    const { changes } = z.object({ changes: z.array(z.object({ revision: z.number() })) }).parse(body);
    expect(changes).toHaveLength(100);
    expect(changes[0]?.revision).toBe((await read()).revision);
  });

  test('list the possible values', async () => {
    const { body } = await assistant.call('/admin/pipeline/options');

    expect(body).toEqual({
      languages: ['de', 'en', 'es', 'fr', 'it', 'nl'],
      voices: ['anna', 'bert', 'clara'],
      stt_models: ['whisper', 'whisper-large'],
      llm_models: ['qwen3:latest', 'gemma'],
      wake_words: [],
      refused_wake_words: [],
    });
  });
});

describe('a change of the settings', () => {
  test('applies to the next answer of every engine', async () => {
    await patch({ persona: 'Rhyme.', temperature: 0.7, reply_tokens: 50, llm_model: 'gemma' });

    await assistant.ask('How are you?');

    const { body, prompt } = llm.calls.at(-1) ?? { body: null, prompt: '' };
    expect(body).toMatchObject({ temperature: 0.7, max_tokens: 50, model: 'gemma' });
    expect(prompt).toContain('Rhyme.');
  });

  test('reaches another api process at once', async () => {
    const other = await startApi({ redisUrl: redis.url });
    onTestFinished(() => other.stop());

    await patch({ ring_minutes: 3 });
    const seen = stateOf(await other.call('/admin/pipeline'));

    expect(seen.values['ring_minutes']).toBe(3);
  });

  test('applies to every later connection of a room', async () => {
    await patch({ end_silence_ms: 900 });
    const satellite = await connectListen(assistant.address, { client: 'kitchen' });
    onTestFinished(() => satellite.close());

    const { event } = await satellite.event('session.created');

    expect(event.session.end_silence_ms).toBe(900);
  });

  test('shortens the memory of a conversation at its next turn', async () => {
    const store = await connectTo(redis.url);
    onTestFinished(() => store.disconnect());
    for (const question of ['One?', 'Two?', 'Three?']) await assistant.ask(question, { client: 'anna' });

    await patch({ memory_turns: 2, memory_days: 1 });
    await assistant.ask('Four?', { client: 'anna' });

    const { exchanges } = conversationKeys('anna');
    expect(await store.llen(exchanges)).toBe(2);
    expect(await store.ttl(exchanges)).toBeGreaterThan(86_000);
    expect(await store.ttl(exchanges)).toBeLessThanOrEqual(86_400);
  });

  test('removes the tools from the language model', async () => {
    await assistant.ask('How are you?');
    await patch({ tools: false });
    await assistant.ask('How are you?');

    const [withTools, without] = llm.calls.slice(-2).map(({ body }) => 'tools' in body);
    expect([withTools, without]).toEqual([true, false]);
  });

  test('is not made twice from the same revision', async () => {
    const { headers } = await assistant.call('/admin/pipeline');
    const etag = String(headers['etag']);

    const answers = await Promise.all(
      [1.1, 1.2, 1.3, 1.4].map((speed) => patch({ speed }, { 'if-match': etag })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
    expect((await read()).revision).toBe(Number(etag.replaceAll('"', '')) + 1);
  });

  test.each(['"999999"', '"-1"', 'W/"0"', 'nonsense', '""'])(
    'is not made for the revision %s',
    async (tag) => {
      const refused = await patch({ speed: 2 }, { 'if-match': tag });

      expect(errorOf(refused)).toEqual({ status: 412, code: 'stale' });
      expect((await read()).values['speed']).toBe(1);
    },
  );

  test.each(['0', 'W/"0"', '"0", "1"'])('is refused with the format of an ETag for %s', async (tag) => {
    const refused = errorIn(await patch({ speed: 2 }, { 'if-match': tag }));

    expect(refused).toMatchObject({
      message: 'If-Match must be the ETag that was read, with its quotation marks: like "7".',
      param: 'if-match',
    });
  });

  test('may be sent as a merge patch', async () => {
    const answer = await patch({ speed: 2 }, { 'content-type': 'application/merge-patch+json' });

    expect(answer.status).toBe(200);
    expect((await read()).values['speed']).toBe(2);
  });

  test('is made for any revision', async () => {
    expect((await patch({ speed: 2 }, { 'if-match': '*' })).status).toBe(200);
  });
});

describe('an impossible setting', () => {
  test.each([
    [{ speeed: 1 }, 'speeed'],
    [{ speed: '1' }, 'speed'],
    [{ speed: 0.49 }, 'speed'],
    [{ speed: 2.01 }, 'speed'],
    [{ reply_tokens: 1.5 }, 'reply_tokens'],
    [{ tools: 'yes' }, 'tools'],
    [{ hints: 'Aoife' }, 'hints'],
    [{ hints: ['Aoife', 7] }, 'hints.1'],
    [{ hints: Array.from({ length: 41 }, () => 'word') }, 'hints'],
    [{ persona: 'x'.repeat(2_001) }, 'persona'],
    [{ persona: 'bell\u0007' }, 'persona'],
    [{ quiet_from: '25:00' }, 'quiet_from'],
    [{ quiet_from: '7:00' }, 'quiet_from'],
    [{ check_at: 'sometimes' }, 'check_at'],
    [{ backup_at: '1' }, 'backup_at'],
    [{ memory_days: 0 }, 'memory_days'],
    [{ end_silence_ms: 100 }, 'end_silence_ms'],
    [{ mcp_servers: [{ name: 'two words', url: 'http://a' }] }, 'mcp_servers.0.name'],
    [{ mcp_servers: [{ name: 'a', url: 'file:///etc/passwd' }] }, 'mcp_servers.0.url'],
    [{ mcp_servers: [{ name: 'a', url: 'http://' }] }, 'mcp_servers.0.url'],
    [{ mcp_servers: [{ name: 'a', url: 'http://two words/' }] }, 'mcp_servers.0.url'],
    [{ mcp_servers: [{ name: 'a', command: '/bin/sh' }] }, 'mcp_servers.0.command'],
    [{ names: ['x'] }, 'names.0'],
    [{ names: ['Jarvis', 'x'.repeat(41)] }, 'names.1'],
    [{ names: ['🦊🦊'] }, 'names.0'],
    [{ ['x'.repeat(5_000)]: 1 }, 'x'.repeat(60)],
  ])('is refused with the wrong field: %o', async (body, param) => {
    const { revision } = await read();

    const refused = await patch(body);

    expect(errorOf(refused)).toEqual({ status: 400, code: 'invalid_request' });
    expect(errorIn(refused).param).toBe(param);
    expect((await read()).revision).toBe(revision);
  });

  test.each([
    [{ mcp_servers: [{ name: 'a' }] }],
    [{ mcp_servers: [{ name: 'a', url: 'http://a', command: 'b' }] }],
    [
      {
        mcp_servers: [
          { name: 'a', url: 'http://a' },
          { name: 'a', url: 'http://b' },
        ],
      },
    ],
    [[]],
    ['text'],
    [null],
    [7],
  ])('is refused as a whole: %o', async (body) => {
    expect(errorOf(await patch(JSON.stringify(body)))).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('changes nothing if only one part of it is wrong', async () => {
    await patch({ speed: 1.5, temperature: 9 });

    expect((await read()).values['speed']).toBe(1);
  });

  test.each(['', '{', '{"speed":1', '\u0000', '{"speed": 1e999}'])('is refused as %j', async (body) => {
    expect((await patch(body)).status).toBe(400);
  });

  test('gives the assistant a name of forty letters', async () => {
    const names = ['Donaudampfschifffahrtselektrizitätswerke'];

    expect((await patch({ names })).status).toBe(200);
    expect((await read()).values['names']).toEqual(names);
  });

  test('gives the assistant no name of a room', async () => {
    const pantry = await connectListen(assistant.address, { client: 'shelf', room: 'Pantry' });
    onTestFinished(() => pantry.close());
    await waitFor(async () => (await patch({ names: ['pantry'] })).status === 400, {
      what: 'the room is known',
    });

    const answer = await patch({ names: ['Jarvis', 'pantry'] });

    expect(errorIn(answer)).toMatchObject({
      message: '"pantry" is a room of this house. Choose another name.',
      param: 'names',
    });
    expect((await patch({ names: ['Jarvis'] })).status).toBe(200);
  });

  test('adds no room with a name of the assistant', async () => {
    await patch({ names: ['Okay Nabu', 'Jarvis'] });

    const answer = await patch({ rooms: ['Pantry', 'jarvis'] });

    expect(errorIn(answer)).toMatchObject({
      message: '"jarvis" is the assistant\'s name. Choose another one.',
      param: 'rooms',
    });
    expect((await patch({ names: ['Computer'], rooms: ['computer'] })).status).toBe(400);
    expect((await patch({ names: ['Computer'], rooms: ['Jarvis'] })).status).toBe(200);
  });

  test('is refused beyond its size, and beyond one megabyte', async () => {
    const [large, huge] = [70_000, 1_048_576].map((size) => ({ persona: 'x'.repeat(size) }));

    expect(errorOf(await patch(large))).toEqual({ status: 413, code: 'too_large' });
    expect(errorOf(await patch(huge))).toEqual({ status: 413, code: 'too_large' });
  });

  test.each([
    [{ voice: 'zoe' }, 'voice', ['anna', 'bert', 'clara', 'make models TTS_VOICE']],
    [{ voice: '../../etc/passwd' }, 'voice', ['anna']],
    [{ stt_model: 'whisper-huge' }, 'stt_model', ['whisper-large', 'make models STT_MODEL']],
    [{ llm_model: 'gpt-7' }, 'llm_model', ['qwen3:latest', 'gemma', 'make models LLM_MODEL']],
    [{ language: 'tlh' }, 'language', ['en']],
  ])('is answered with the possible values: %o', async (body, param, told) => {
    const refused = errorIn(await patch(body));

    expect(refused.param).toBe(param);
    for (const words of told) expect(refused.message).toContain(words);
  });

  test('is refused because it needs a disabled engine', async () => {
    const other = await startApi({ redisUrl: redis.url });
    onTestFinished(() => other.stop());

    const refused = await other.call('/admin/pipeline', { method: 'PATCH', body: { voice: 'anna' } });

    expect(errorIn(refused).message).toContain('TTS_URL is not set');
  });
});

describe('a sample of a voice', () => {
  test('is spoken by it, at the requested speed', async () => {
    const { status, headers } = await sample({ voice: 'clara', speed: 2, text: 'Good morning.' });

    expect([status, headers['content-type']]).toEqual([200, 'audio/wav']);
    expect(piper.spoken.at(-1)).toEqual({ text: 'Good morning.', voice: 'clara', length_scale: 0.5 });
  });

  test('is a WAV with a default sentence, in the current voice', async () => {
    const { status } = await sample({});

    expect(status).toBe(200);
    expect(piper.spoken.at(-1)).toMatchObject({ voice: 'bert', text: expect.stringMatching(/kettle/) });
  });

  test('is never spoken by another voice', async () => {
    piper.speaks(failsOn('Good evening'));
    onTestFinished(() => piper.speaks());

    const failed = await sample({ voice: 'clara', text: 'Good evening.' });

    expect(failed.status).toBeGreaterThanOrEqual(500);
  });

  test.each([
    [{ voice: 'zoe' }],
    [{ speed: 9 }],
    [{ text: '' }],
    [{ text: 'x'.repeat(301) }],
    [{ tempo: 1 }],
  ])('is refused: %o', async (body) => {
    expect(errorOf(await sample(body))).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('needs some text', async () => {
    expect(errorOf(await sample({ text: '...' }))).toEqual({ status: 400, code: 'invalid_request' });
  });
});

test('the last known settings stay active while Redis is away, and the newest when it is back', async () => {
  const own = await startRedis();
  const other = await startApi({ redisUrl: own.url });
  onTestFinished(async () => {
    await other.stop();
    await own.stop();
  });
  await other.call('/admin/pipeline', { method: 'PATCH', body: { speed: 1.5 } });

  await own.kill();
  await waitFor(async () => (await other.health()).redis.state === 'failed', { what: 'Redis is missed' });
  const away = await other.call('/admin/pipeline');
  await own.revive();
  await waitFor(async () => (await other.call('/admin/pipeline')).status === 200, { what: 'Redis is back' });

  expect(errorOf(away)).toEqual({ status: 503, code: 'redis_unavailable' });
  // It came back with empty memory.
  expect(stateOf(await other.call('/admin/pipeline')).revision).toBe(0);
});
