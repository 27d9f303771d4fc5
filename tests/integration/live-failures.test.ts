import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterRoom, soundMs, voiceOf } from '../support/clients/room.ts';
import { dies, says } from '../support/fakes/fake-llm.ts';
import { isReady, startApi } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
beforeAll(async () => {
  home = await startVoiceHousehold();
  // The first satellite makes the worker prepare the spoken error messages.
  const first = await enter();
  await waitFor(() => home.piper.spoken.length >= 5, { what: 'the sentences for bad times are there' });
  await first.leave();
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
  home.stt.hears('Why is the sky blue?');
  home.llm.answers(() => 'Air.');
});
afterAll(() => home?.stop());

const enter = () => enterRoom(home.assistant.address, {});

describe('a failure is spoken, and the next question is answered, after', () => {
  test('a language model that dies in the middle', { tags: 'slow' }, async () => {
    const room = await enter();
    home.llm.answers(() => dies);
    await room.say('weather');
    const { done: failed, sound } = await room.exchange(0);

    home.llm.answers(() => 'Air.');
    await room.say('weather');
    const { done } = await room.exchange(1);
    await room.leave();

    expect(failed.status).toBe('failed');
    expect(failed.reply).not.toBe('');
    expect(sound.length).toBeGreaterThan(0);
    expect(done.reply).toBe('Air.');
  });

  test('a broken speech recognition', { tags: 'slow' }, async () => {
    const room = await enter();
    home.stt.hears(() => (response) => {
      response.writeHead(500).end('{}');
    });
    await room.say('weather');
    const { done: failed, sound, transcript } = await room.exchange(0);

    home.stt.hears('Why is the sky blue?');
    await room.say('weather');
    const { done } = await room.exchange(1);
    await room.leave();

    expect({ status: failed.status, transcript }).toEqual({ status: 'failed', transcript: null });
    expect(failed.reason).toMatch(/^stt_/);
    expect(sound.length).toBeGreaterThan(0);
    expect(done.reply).toBe('Air.');
  });

  test('a Redis outage, with a cached sentence', { tags: 'slow' }, async () => {
    const room = await enter();
    await home.redis.kill();
    await room.say('weather');
    const { done: failed } = await room.exchange(0, 20_000);
    const spokenMs = soundMs(room);
    await home.redis.revive();
    await isReady(home.assistant);

    await room.say('weather');
    const { done } = await room.exchange(1, 20_000);
    await room.leave();

    expect(failed).toMatchObject({ status: 'failed', reason: 'redis_unavailable' });
    expect(spokenMs).toBeGreaterThan(0);
    expect(done.reply).toBe('Air.');
  });
});

test('a satellite whose api restarts in the middle of an answer reconnects and continues', {
  tags: 'slow',
}, async () => {
  const api = await startApi({ ...home.urls });
  await isReady(api);
  const room = await enterRoom(api.address, { client: 'restart' });
  home.llm.answers(() => says('A long story. '.repeat(60), { intervalMs: 5 }));
  await room.say('weather');
  await room.event('response.output_audio.started');

  await api.stop();
  const { code } = await room.closed;
  await waitFor(() => home.llm.busy === 0, { what: 'nobody writes any more' });

  home.llm.answers(() => 'Air.');
  const again = await enterRoom(home.assistant.address, { client: 'restart' });
  await again.say('weather');
  const { done } = await again.exchange();
  room.goAway();
  await again.leave();

  expect(code).toBe(1001);
  expect(done.reply).toBe('Air.');
});

test('a satellite that disconnects in the middle leaves no work behind', { tags: 'slow' }, async () => {
  const room = await enter();
  home.llm.answers(() => says('A long story. '.repeat(200), { intervalMs: 5 }));
  await room.say('weather');
  await room.event('response.output_audio.started');

  room.goAway();

  await waitFor(() => home.llm.busy === 0, { what: 'nobody writes any more' });
  expect(home.llm.left).toBeGreaterThan(0);
});
