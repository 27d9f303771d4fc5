import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectListen } from '../support/clients/listen-client.ts';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { isReady, type RunningApi, startApi } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

let home: VoiceHousehold;
let other: RunningApi;
beforeAll(async () => {
  home = await startVoiceHousehold();
  other = await startApi({ ...home.urls });
  await isReady(other);
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
  home.stt.hears('Why is the sky blue?');
  home.llm.answers(() => 'Air.');
});
afterAll(async () => {
  await other?.stop();
  await home?.stop();
});

describe('a reconnecting satellite', () => {
  test.each([
    ['the same process', () => home.assistant],
    ['another process', () => other],
  ])('at %s replaces its older connection', async (_where, api) => {
    const older = await connectListen(home.assistant.address, { client: 'kitchen' });
    const bath = await connectListen(home.assistant.address, { client: 'bath' });

    const newer = await connectListen(api().address, { client: 'kitchen' });
    const { code } = await older.closed;
    const others = [bath.isOpen(), newer.isOpen()];
    await Promise.all([bath.close(), newer.close()]);

    expect(code).toBe(4000);
    expect(others).toEqual([true, true]);
  });

  test('is answered after its two hundredth connection', { tags: 'slow' }, async () => {
    for (let count = 0; count < 200; count += 1) {
      const room = await connectListen(home.assistant.address, { client: 'restless' });
      room.sendRaw(Buffer.alloc(640, 1));
      room.terminate();
    }
    const room = await enterRoom(home.assistant.address, { client: 'restless' });

    await room.say('weather');
    const { done } = await room.exchange();
    await room.leave();

    expect(done.reply).toBe('Air.');
  });
});

test('satellites beyond the limit get a reason, and the connected ones stay', async () => {
  const there = [];
  for (let place = 0; place < 16; place += 1)
    there.push(await connectListen(other.address, { client: `room-${place}` }));

  const { admitted, refused } = await crowd(other.address);
  const again = await connectListen(other.address, { client: 'room-3' });
  const replaced = await there[3]?.closed;
  for (const socket of admitted) socket.close();

  for (const fate of refused) expect(fate).toMatch(/^1013 (this server cannot keep up|too many satellites)/);
  expect([again.isOpen(), replaced?.code]).toEqual([true, 4000]);
  expect(there.filter((each) => each.isOpen())).toHaveLength(15);
  await Promise.all([again, ...there].map((each) => each.close()));
});

/**
 * Satellites that come in groups of 24 and stay, until the server refuses some. The number depends on how
 * fast the machine admits them; the maximum is 512.
 */
async function crowd(address: string) {
  const admitted: WebSocket[] = [];
  const refused: string[] = [];
  while (refused.length === 0) {
    const coming = Array.from({ length: 24 }, (_, place) => {
      const client = `more-${admitted.length + place}`;
      const socket = new WebSocket(`${address.replace('http', 'ws')}/listen?client=${client}`);
      return new Promise<WebSocket | string>((tell) => {
        socket.addEventListener('close', ({ code, reason }) => tell(`${code} ${reason}`));
        socket.addEventListener('message', () => tell(socket));
      });
    });
    for (const fate of await Promise.all(coming))
      if (typeof fate === 'string') refused.push(fate);
      else admitted.push(fate);
  }
  return { admitted, refused };
}

test('one of two processes that hear a person answers', async () => {
  const near = await enterRoom(home.assistant.address, { client: 'near', room: 'hall' });
  const far = await enterRoom(other.address, { client: 'far', room: 'hall' });

  await Promise.all([near.say('weather'), far.say('weather')]);
  await Promise.race([near.exchange(), far.exchange()]);
  await Promise.race([near.event('input_audio_buffer.cleared'), far.event('input_audio_buffer.cleared')]);
  const all = [...near.events, ...far.events].map(({ event }) => event.type);
  await Promise.all([near.leave(), far.leave()]);

  expect(all.filter((type) => type === 'response.created')).toHaveLength(1);
});

test('a satellite that pauses reading disturbs no other, and then gets the rest', {
  timeout: 60_000,
  tags: 'slow',
}, async () => {
  home.llm.answers(() => 'And so it went on from one day to the next, for ever and ever. '.repeat(4));
  const slow = await enterRoom(home.assistant.address, { client: 'slow' });
  await slow.say('weather');
  await slow.event('response.output_audio.started');

  slow.pause();
  home.llm.answers(() => 'Air.');
  const quick = await enterRoom(home.assistant.address, { client: 'quick' });
  await quick.say('weather');
  const { done } = await quick.exchange();
  slow.resume();
  const late = await slow.exchange(0, 30_000);
  await Promise.all([quick.leave(), slow.leave()]);

  expect(done.reply).toBe('Air.');
  expect(late.done.status).toBe('completed');
});
