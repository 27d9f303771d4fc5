import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from '../../api/src/redis/keys.ts';
import { errorOf } from '../support/clients/caller.ts';
import { enterRoom } from '../support/clients/room.ts';
import { connectTo } from '../support/servers/own-redis.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

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

describe('the learned pauses of a satellite', () => {
  test('come from its utterances, are shown and can be deleted', async () => {
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
      end_silence_ms: 600,
      cut_offs: { answers: 1, cut_off: 0 },
      satellites: [{ client: 'hall', sentences: 1, pause_ms: null, end_silence_ms: 600 }],
    });
    expect([forgotten, again]).toEqual([
      { client: 'hall', forgotten: true },
      { client: 'hall', forgotten: false },
    ]);
    expect(await satellites()).toMatchObject({ end_silence_ms: 600, satellites: [] });
  });

  test('show the resulting wait, and unreadable ones count as unknown', async () => {
    await store.hset(keys.spokenPauses.of(), 'den', '[500,520,480]', 'attic', '{"no":"pauses"}');

    expect(await satellites()).toMatchObject({
      end_silence_ms: 600,
      satellites: [
        { client: 'attic', sentences: 0, pause_ms: null, end_silence_ms: 600 },
        { client: 'den', sentences: 3, pause_ms: 520, end_silence_ms: 770 },
      ],
    });
  });
});

describe('the satellites of the household', () => {
  const told = async () => {
    const { body } = await home.assistant.call('/admin/satellites');
    return z.object({ satellites: z.array(z.looseObject({ client: z.string() })) }).parse(body).satellites;
  };
  const one = async (client: string) => (await told()).find((each) => each.client === client);
  const change = (client: string, body: object) =>
    home.assistant.call(`/admin/satellites/${client}`, { method: 'PATCH', body });

  test('are listed with their rooms, accept settings, and stay listed offline', async () => {
    const room = await enterRoom(home.assistant.address, { client: 'porch', room: 'porch' });
    await waitFor(async () => (await one('porch'))?.['connected'] === true);

    const quieter = await change('porch', { volume: 40 });
    await waitFor(() => room.events.some(({ event }) => event.type === 'speaker.changed'));
    await room.leave();
    await waitFor(async () => (await one('porch'))?.['connected'] === false);
    const muted = await change('porch', { muted: true });

    expect(quieter.body).toMatchObject({ satellite: { volume: 40, muted: false, connected: true } });
    expect(muted.body).toMatchObject({
      satellite: { client: 'porch', room: 'porch', volume: 40, muted: true, connected: false },
    });
    expect(Date.now() - Date.parse(String((await one('porch'))?.['seen_at']))).toBeLessThan(60_000);
  });

  test('refuse settings when unknown, and are not listed without a name', async () => {
    const room = await enterRoom(home.assistant.address, {});
    const before = await told();

    const answer = await change('nobody', { volume: 40 });
    await room.leave();

    expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' });
    expect(before.filter(({ client }) => client.startsWith('listen-'))).toEqual([]);
  });
});

describe('the example sentences', () => {
  test("are grouped, include the household's routines, and omit the home if none is connected", async () => {
    const groups = async () => {
      const { body } = await home.assistant.call('/sentences');
      return z
        .object({ groups: z.array(z.object({ title: z.string(), sentences: z.array(z.string()) })) })
        .parse(body).groups;
    };
    const before = await groups();
    const routine = { name: 'Bedtime', sentences: ['bedtime'], steps: [{ say: 'Good night.' }] };
    await home.assistant.call('/admin/pipeline', { method: 'PATCH', body: { routines: [routine] } });
    await waitFor(async () => (await groups()).length === before.length + 1);

    expect(before.map(({ title }) => title)).not.toContain('Your home');
    expect(before[0]?.sentences[0]).toBe('Set a timer for ten minutes');
    expect((await groups())[0]).toEqual({ title: 'Your routines', sentences: ['bedtime'] });
  });
});
