import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../api/src/redis/keys.ts';
import { enterRoom } from '../support/clients/room.ts';
import { connectTo } from '../support/servers/own-redis.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

let home: VoiceHousehold;
let store: Redis;
beforeAll(async () => {
  home = await startVoiceHousehold();
  store = await connectTo(home.urls.redisUrl);
});
afterAll(async () => {
  store?.disconnect();
  await home?.stop();
});

const satellites = async () => (await home.assistant.call('/admin/pauses')).body;
const forget = (client: string) => home.assistant.call(`/admin/pauses/${client}`, { method: 'DELETE' });

describe('the pauses at a satellite', () => {
  test('are learned from what is said there, shown and forgotten', async () => {
    home.stt.hears('Why is the sky blue?');
    home.llm.answers(() => 'Air scatters blue light.');
    const room = await enterRoom(home.assistant.address, { client: 'hall', room: 'hall' });

    await room.say('weather');
    await room.exchange();
    await room.leave();
    const known = await satellites();
    const { body: forgotten } = await forget('hall');
    const { body: again } = await forget('hall');

    expect(known).toEqual({
      satellites: [{ client: 'hall', sentences: 1, pause_ms: null, end_silence_ms: 600 }],
    });
    expect([forgotten, again]).toEqual([
      { client: 'hall', forgotten: true },
      { client: 'hall', forgotten: false },
    ]);
    expect(await satellites()).toEqual({ satellites: [] });
  });

  test('tell how long they are waited for, and what cannot be read is unknown', async () => {
    await store.hset(keys.spokenPauses.of(), 'den', '[500,520,480]', 'attic', '{"no":"pauses"}');

    expect(await satellites()).toEqual({
      satellites: [
        { client: 'attic', sentences: 0, pause_ms: null, end_silence_ms: 600 },
        { client: 'den', sentences: 3, pause_ms: 520, end_silence_ms: 770 },
      ],
    });
  });
});
