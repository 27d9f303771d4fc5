/** @module-tag slow */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorOf } from '../support/clients/caller.ts';
import { enterRoom, soundMs, voiceOf } from '../support/clients/room.ts';
import { hangs } from '../support/fakes/fake-llm.ts';
import { neverHears } from '../support/fakes/fake-stt.ts';
import { isReady } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
beforeAll(async () => {
  home = await startVoiceHousehold({ limits: { checkPatience: 0.1, roomEveryMs: 100 } });
  // The first satellite makes the worker prepare the spoken error messages, this one last.
  const first = await enterRoom(home.assistant.address, {});
  await waitFor(() => home.piper.spoken.some(({ text }) => text.startsWith('Sorry, something went wrong')));
  await first.leave();
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterAll(() => home?.stop());

/** The number of waiting turns in each queue. */
const places = () =>
  Promise.all(['', ':stt', ':llm'].map((engine) => home.store.zcard(`hearth:waiting-turns${engine}`)));

const checkSchema = z.looseObject({
  summary: z.string(),
  steps: z.array(z.looseObject({ name: z.string(), state: z.string(), advice: z.string().nullable() })),
});

describe.each([
  {
    name: 'is full',
    code: 'redis_full',
    message: 'Redis, the database of this server, is full and stores nothing new.',
    advice: 'Forget old conversations, or give Redis a larger "maxmemory".',
    begins: () => home.redis.fill(),
  },
  {
    name: 'cannot write to its disk',
    code: 'redis_disk_failed',
    message: 'Redis, the database of this server, cannot write to its disk and stores nothing new.',
    advice: 'Check whether the disk with its data is full, broken or read-only.',
    begins: () => home.redis.loseDisk(),
  },
])('a Redis that $name', ({ code, message, advice, begins }) => {
  afterEach(async () => {
    await home.redis.mend();
    await waitFor(async () => (await home.assistant.health()).status === 'ready');
  });
  const isNoticed = () => waitFor(async () => (await home.assistant.health()).status === 'degraded');

  test('is named in every error, and in the health', async () => {
    await begins();
    const answer = await home.assistant.ask('What time is it?');
    await isNoticed();

    expect(errorOf(answer)).toEqual({ status: 503, code });
    expect(answer.body).toMatchObject({ error: { message } });
    expect(await home.assistant.health()).toMatchObject({
      redis: { state: 'failed', reason: message },
      engines: { llm: { state: 'ready' } },
    });
  });

  test('is reported to a waiting caller', async () => {
    home.llm.answers(() => hangs);
    const asked = home.assistant.ask('Why is the sky blue?');
    await waitFor(() => home.llm.busy === 1);
    await begins();

    const answer = await asked;

    expect(errorOf(answer)).toEqual({ status: 503, code });
  });

  test('is reported aloud, with a cached sentence', async () => {
    const room = await enterRoom(home.assistant.address, {});
    await begins();

    await room.say('weather');
    const { done } = await room.exchange(0, 20_000);
    await room.leave();

    expect(done).toMatchObject({ status: 'failed', reason: code });
    expect(done.reply).toMatch(/so I cannot do that/);
    expect(soundMs(room)).toBeGreaterThan(0);
  });

  test('is named by the check, with the remedy', async () => {
    await begins();
    const { body } = await home.assistant.call('/admin/check', { method: 'POST' });
    const { summary, steps } = checkSchema.parse(body);

    expect(steps.find(({ name }) => name === 'redis')).toMatchObject({ state: 'failed', message, advice });
    expect(summary).toContain(message);
  });

  test('keeps no place of turns that have ended meanwhile', async () => {
    home.stt.hears(() => neverHears);
    const inHand = [home.say('Why is the sky blue?'), home.say('Why is the grass green?')];
    await waitFor(() => home.stt.busy === 2);
    await begins();
    const asked = Array.from({ length: 70 }, () => home.assistant.ask('What time is it?'));
    const refused = (await Promise.all([...inHand, ...asked])).map((answer) => errorOf(answer));
    await home.redis.mend();

    await waitFor(async () => (await places()).every((taken) => taken === 0));

    expect(refused.filter((error) => error?.code !== code)).toEqual([]);
  });

  test('accepts everything again without help', async () => {
    await begins();
    await isNoticed();
    await home.redis.mend();

    await isReady(home.assistant);
    await waitFor(async () => (await home.assistant.ask('What time is it?')).status === 200);
  });
});

describe('a Redis that is nearly full', () => {
  beforeEach(async () => {
    const used = Number(/^used_memory:(\d+)/m.exec(await home.store.info('memory'))?.[1]);
    await home.store.config('SET', 'maxmemory', Math.round(used / 0.84));
    await waitFor(async () => (await home.assistant.health()).warnings.length > 0);
  });
  afterEach(() => home.redis.mend());
  const notices = () => home.piper.spoken.filter(({ text }) => text.includes('my memory is nearly full'));

  test('causes a warning', async () => {
    const { body } = await home.assistant.call('/admin/check', { method: 'POST' });
    const step = checkSchema.parse(body).steps.find(({ name }) => name === 'memory');

    expect(step).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^Redis is nearly full: [89]\d % of/),
    });
  });

  test('is reported in the health, whose status does not change', async () => {
    const { status, redis, warnings } = await home.assistant.health();

    expect([status, redis.state]).toEqual(['ready', 'ready']);
    expect(warnings).toEqual([
      {
        name: 'memory',
        message: expect.stringMatching(/^Redis is nearly full: [89]\d % of \d+ MB is used\.$/),
        advice: 'Forget old conversations, or give Redis a larger "maxmemory".',
      },
    ]);
  });

  test('is reported aloud after an answer, once and not in quiet hours', async () => {
    const hour = (later: number) => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
    const set = (body: object) => home.assistant.call('/admin/pipeline', { method: 'PATCH', body });
    const room = await enterRoom(home.assistant.address, { client: 'kitchen' });
    await set({ quiet_from: hour(4), quiet_to: hour(3) });
    await room.say('weather');
    await room.exchange(0, 20_000);
    const inQuietHours = notices().length;

    await set({ quiet_from: null, quiet_to: null });
    await room.say('weather');
    await room.exchange(1, 20_000);
    const { done } = await room.exchange(2, 20_000);
    await room.say('weather');
    const { done: answer } = await room.exchange(3, 20_000);
    await waitFor(async () => (await home.store.exists('hearth:noticed:memory')) === 1);
    await room.leave();

    expect(inQuietHours).toBe(0);
    expect([done.via, done.status]).toEqual(['notice', 'completed']);
    expect(done.reply).toMatch(/^By the way, my memory is nearly full\./);
    expect(answer.via).not.toBe('notice');
    expect(notices()).toHaveLength(1);
  });
});
