import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readWav } from '../../api/src/audio/wav.ts';
import { connectListen } from '../support/clients/listen-client.ts';
import { connectWyoming, type WyomingClient } from '../support/clients/wyoming-client.ts';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { freePort } from '../support/servers/free-port.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const features = { announcing: 1, player: 512 + 4_096 + 1_048_576, screen: 512 };
const announcedSchema = z.object({ satellites: z.array(z.object({ room: z.string(), state: z.string() })) });

let homeAssistant: FakeHome;
let home: VoiceHousehold;
let timers: ReturnType<typeof openTimers>;
let client: WyomingClient;
beforeAll(async () => {
  homeAssistant = await startFakeHome();
  homeAssistant.gains('assist_satellite.puck', {
    name: 'Puck',
    area: 'Kitchen',
    state: 'idle',
    features: features.announcing,
  });
  const player = { name: 'Speaker', area: 'Bedroom', state: 'idle', features: features.player };
  homeAssistant.gains('media_player.speaker', player);
  homeAssistant.gains('media_player.hidden', { ...player, area: 'Hall', isHidden: true });
  homeAssistant.gains('media_player.tv', {
    ...player,
    area: 'Attic',
    features: features.screen,
    deviceClass: 'tv',
  });
  const ports = [String(await freePort()), String(await freePort())] as const;
  home = await startVoiceHousehold({
    env: { ...homeAssistant.env, WYOMING: '1', WYOMING_PORT: ports[0], DEVICE_SOUND_PORT: ports[1] },
  });
  timers = openTimers(home.urls.redisUrl);
  await waitFor(async () => (await timers.redis.hlen('hearth:connected-satellites')) === 2);
});
beforeEach(async () => {
  home.forget();
  homeAssistant.played.length = 0;
  homeAssistant.services.length = 0;
  homeAssistant.sets('assist_satellite.puck', 'idle');
  client = await connectWyoming(home.assistant.wyomingPort ?? 0);
});
afterEach(async () => {
  client.leave();
  for (const { id } of await timers.store.all()) await timers.store.remove(id);
});
afterAll(async () => {
  timers?.close();
  await home?.stop();
  await homeAssistant?.stop();
});

/** The answer when this is said to a voice device. */
async function ask(text: string, satellite = 'assist_satellite.puck'): Promise<unknown> {
  client.events.length = 0;
  client.send('transcript', { text, context: { satellite_id: satellite, conversation_id: satellite } });
  return (await client.event('handled')).data['text'];
}
const playedOn = (id: string) => homeAssistant.played.filter((each) => each.id === id);
const services = () => homeAssistant.services.map(({ service }) => service);

describe("a room with only Home Assistant's speakers", () => {
  test('hears its timer from the voice device there, and stops it by voice', async () => {
    expect(await ask('Set a timer for one second.')).toBe('Timer, one second.');
    await waitFor(async () => playedOn('assist_satellite.puck').length > 0, { withinMs: 30_000 });

    const [first] = homeAssistant.played;
    const sound = readWav(first?.sound ?? Buffer.alloc(0));
    // The tone alone takes 1.3 s.
    expect((sound?.samples.length ?? 0) / 2 / (sound?.sampleRateHz ?? 1)).toBeGreaterThan(1.4);
    expect((await timers.store.all()).map(({ state }) => state)).toEqual(['ringing']);

    expect(await ask('Stop.')).toMatch(/^\w/);
    expect(await timers.store.all()).toEqual([]);
    expect(services().every((service) => service === 'assist_satellite/announce')).toBe(true);
  });

  test('hears it from its player, which is silenced in the middle', async () => {
    await timers.set(1_000, { room: 'bedroom' });
    await waitFor(async () => playedOn('media_player.speaker').length > 0, { withinMs: 30_000 });
    expect(playedOn('media_player.speaker')[0]?.announce).toBe(true);

    const [timer] = await timers.store.all();
    await home.assistant.call(`/admin/timers/${timer?.id}`, { method: 'DELETE' });
    await waitFor(async () => services().includes('media_player/media_stop'));
    expect(playedOn('assist_satellite.puck')).toEqual([]);
  });

  test('is not disturbed while a person talks to the voice device', async () => {
    homeAssistant.sets('assist_satellite.puck', 'listening');
    await timers.set(1_000, { room: 'kitchen' });
    await waitFor(
      async () =>
        homeAssistant.seen.filter((each) => each === 'GET /api/states/assist_satellite.puck').length > 1,
      { withinMs: 30_000 },
    );
    expect(homeAssistant.played).toEqual([]);

    homeAssistant.sets('assist_satellite.puck', 'idle');
    await waitFor(async () => playedOn('assist_satellite.puck').length > 0, { withinMs: 30_000 });
  });

  test('hears announcements', async () => {
    const { body } = await home.assistant.call('/announcements', {
      body: { text: 'Dinner is ready.', rooms: ['kitchen', 'bedroom'] },
    });

    await waitFor(async () => homeAssistant.played.length === 2);
    const rooms = announcedSchema.parse(body).satellites.map(({ room }) => room);
    expect(rooms.toSorted()).toEqual(['Bedroom', 'Kitchen']);
  });

  test('uses a connected satellite instead', async () => {
    const satellite = await connectListen(home.assistant.address, { client: 'own', room: 'kitchen' });
    await waitFor(async () => (await timers.redis.hlen('hearth:connected-satellites')) === 3);
    await timers.set(1_000, { room: 'kitchen' });
    await satellite.event('timer.finished');

    expect(homeAssistant.played).toEqual([]);
    await satellite.close();
    await waitFor(async () => (await timers.redis.hlen('hearth:connected-satellites')) === 2);
  });

  test('is the only one: others hear that no satellite would ring there', async () => {
    homeAssistant.gains('assist_satellite.mute', { name: 'Mute', area: 'Garage', state: 'idle' });
    homeAssistant.loses('assist_satellite.puck');
    await waitFor(async () => (await timers.redis.hlen('hearth:connected-satellites')) === 1, {
      withinMs: 30_000,
    });

    expect(await ask('Set a timer for ten minutes.', 'assist_satellite.mute')).toBe(
      'Timer, ten minutes. But no speaker is connected to me, so nothing would ring.',
    );
  });

  test('serves no sound at another address', async () => {
    await timers.set(1_000, { room: 'bedroom' });
    await waitFor(async () => homeAssistant.played.length > 0, { withinMs: 30_000 });
    const { url } = homeAssistant.played[0] ?? { url: '' };

    expect((await fetch(url.replace(/[^/]+\.wav$/, 'guessed.wav'))).status).toBe(404);
  });
});
