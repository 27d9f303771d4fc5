/** @module-tag slow */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectListen, type ListenClient } from '../support/clients/listen-client.ts';
import { connectRealtime, type RealtimeClient } from '../support/clients/realtime-client.ts';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { isReady, type RunningApi, startApi } from '../support/servers/assistant.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
let other: RunningApi;
let timers: ReturnType<typeof openTimers>;
let satellites: ListenClient[] = [];

beforeAll(async () => {
  home = await startVoiceHousehold();
  other = await startApi({ ...home.urls });
  await isReady(other);
  timers = openTimers(home.urls.redisUrl);
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterEach(async () => {
  await Promise.all(satellites.map((satellite) => satellite.close()));
  satellites = [];
  for (const { id } of await timers.store.all()) await timers.store.remove(id);
  await waitFor(async () => (await timers.redis.hlen('hearth:connected-satellites')) === 0);
});
afterAll(async () => {
  timers?.close();
  await other?.stop();
  await home?.stop();
});

/** A satellite until the end of the test, known to every process. */
async function connect(
  room: string,
  { address }: { address: string } = home.assistant,
  client = `${room}-satellite`,
): Promise<ListenClient> {
  const satellite = await connectListen(address, { client, room });
  satellites.push(satellite);
  const known = () => timers.redis.hvals('hearth:connected-satellites');
  await waitFor(async () => (await known()).some((each) => each.includes(`"${client}"`)));
  return satellite;
}
const finished = ({ events }: ListenClient) =>
  events.filter(({ event }) => event.type === 'timer.finished').length;
const reply = async (satellite: ListenClient, nth = 0) => (await satellite.exchange(nth, 20_000)).done.reply;
const dues = async () => (await timers.store.all()).map(({ state }) => state);

describe('a due timer', () => {
  test('rings in its room, and nowhere else', async () => {
    const [kitchen, bath] = [await connect('kitchen'), await connect('bath')];
    const { dueAt } = await timers.set(1_500);

    const { unixMs } = await kitchen.event('timer.finished');

    expect(await reply(kitchen)).toBe('Your pasta timer is done.');
    expect(unixMs).toBeGreaterThanOrEqual(dueAt);
    expect(finished(bath)).toBe(0);
  });

  test("rings in its room at the satellite's process", async () => {
    const [kitchen, bath] = [await connect('kitchen', other), await connect('bath')];
    await timers.set(1_200);

    expect(await reply(kitchen)).toBe('Your pasta timer is done.');
    expect(finished(bath)).toBe(0);
  });

  test('rings on all others while its room is away, once each', async () => {
    const [hall, bath] = [await connect('hall', other), await connect('bath')];
    await timers.set(1_200);

    expect(await Promise.all([reply(hall), reply(bath)])).toEqual(Array(2).fill('Your pasta timer is done.'));
    expect([finished(hall), finished(bath)]).toEqual([1, 1]);
  });

  test('moves to its room when that comes back', async () => {
    const bath = await connect('bath', other);
    await timers.set(1_100);
    await bath.event('timer.finished');

    const kitchen = await connect('kitchen');
    await kitchen.event('timer.finished');
    const done = await bath.event('response.done', 0, 15_000);

    expect(['cancelled', 'completed']).toContain(done.event.status);
    const before = bath.events.length;
    await reply(kitchen, 1);
    expect(bath.events.slice(before).filter(({ event }) => event.type === 'response.created')).toEqual([]);
  });

  test('keeps ringing without satellites, and reaches the first that connects', async () => {
    await timers.set(1_000);
    await waitFor(async () => (await dues()).includes('ringing'));

    const bath = await connect('bath');

    expect(await reply(bath)).toBe('Your pasta timer is done.');
  });

  test('plays the tone before the words', async () => {
    const kitchen = await connect('kitchen');
    await timers.set(1_000);

    const { sound } = await kitchen.exchange(0, 20_000);

    const loudest = Math.max(
      ...Array.from({ length: 8_000 }, (_, at) => Math.abs(sound.readInt16LE(at * 2))),
    );
    expect(loudest).toBeGreaterThan(5_000);
    expect(sound.length / 32).toBeGreaterThan(1_600);
  });

  test('ends at every satellite when it is cancelled', async () => {
    const [door, window] = [await connect('kitchen'), await connect('kitchen', other, 'window')];
    const timer = await timers.set(1_000);
    await Promise.all([door.event('timer.finished'), window.event('timer.finished')]);

    const { status } = await home.assistant.call(`/admin/timers/${timer.id}`, { method: 'DELETE' });
    await Promise.all([door.event('timer.stopped'), window.event('timer.stopped')]);

    expect(status).toBe(200);
    expect((await home.assistant.call(`/admin/timers/${timer.id}`, { method: 'DELETE' })).status).toBe(404);
  });
});

describe('a satellite receives', () => {
  test('the running timers when it connects, and every later change', async () => {
    const first = await timers.set(600_000);
    const kitchen = await connect('kitchen');
    const created = await kitchen.event('session.created');

    const second = await timers.set(300_000, { label: 'eggs' });
    const change = {
      action: { turn: 'change', at: Date.now(), kind: 'timer.change' } as const,
      conversation: null,
    };
    await timers.store.change(change, second, { dueAt: second.dueAt + 60_000 });
    await timers.store.remove(first.id);
    await kitchen.event('timer.stopped');

    expect(created.event.session.timers.map(({ name }) => name)).toEqual(['pasta']);
    const told = kitchen.events.flatMap(({ event }) =>
      'timer' in event ? [`${event.type} ${event.timer.name}`] : [],
    );
    expect(told).toEqual(['timer.started eggs', 'timer.changed eggs', 'timer.stopped pasta']);
  });
});

describe('a timer that was due while the house was off', () => {
  test('is announced with its delay', async () => {
    const { id } = await timers.set(60_000, { hasJob: false });
    await makeDue(id, 20 * 60_000);
    const kitchen = await connect('kitchen');

    expect(await reply(kitchen)).toBe('Your pasta timer ended 20 minutes ago, while I was off.');
  });

  test('for more than a day is only reported', async () => {
    const { id } = await timers.set(60_000, { hasJob: false });
    await makeDue(id, 26 * 3_600_000);
    await waitFor(async () => (await dues()).includes('missed'));

    const kitchen = await connect('kitchen');

    expect(await reply(kitchen)).toBe('You missed your pasta timer. It ended a day ago.');
    expect(finished(kitchen)).toBe(0);
    await waitFor(async () => (await dues()).length === 0);
  });

  test('for more than a day is reported to a program once, after its first answer', async () => {
    const { id } = await timers.set(60_000, { hasJob: false });
    await makeDue(id, 26 * 3_600_000);
    await waitFor(async () => (await dues()).includes('missed'));
    const words = (client: RealtimeClient) =>
      client.all('response.output_audio_transcript.done').map(({ transcript }) => transcript);
    const connectProgram = async () => {
      const program = await connectRealtime(home.assistant.address, { query: '&room=kitchen' });
      const known = () => timers.redis.hvals('hearth:connected-satellites');
      await waitFor(async () => (await known()).length === 1);
      return program;
    };
    const missed = 'You missed your pasta timer. It ended a day ago.';

    const first = await connectProgram();
    await timers.set(1_000, { label: 'eggs' });
    await first.event('response.output_audio_transcript.done');
    const before = words(first);
    first.write('Stop.');
    await waitFor(() => words(first).at(-1) === missed);
    await waitFor(async () => (await dues()).length === 0);
    await first.leave();
    const second = await connectProgram();
    second.write('How much is 17 times 3?');
    await second.event('response.done', 0);
    second.write('How much is 17 times 4?');
    await second.event('response.done', 1);
    await second.leave();

    expect(before).toEqual(['Your eggs timer is done.']);
    expect(words(first).filter((each) => each === missed)).toHaveLength(1);
    expect(words(second)).toEqual(['17 times 3 is 51.', '17 times 4 is 68.']);
  });
});

describe('a timer without a stop', () => {
  test('is missed after a while, and reported when a person is there', async () => {
    home.stt.hears('What time is it?');
    const room = await enterRoom(home.assistant.address, { client: 'kitchen-satellite', room: 'kitchen' });
    await timers.set(1_000);
    await waitFor(async () => (await timers.store.all()).some(({ heardAt }) => heardAt !== null));
    const [timer] = await timers.store.all();
    const longAgo = Date.now() - 11 * 60_000;
    const old = { ...timer, dueAt: longAgo, heardAt: longAgo };
    await timers.redis.hset('hearth:timers', timer?.id ?? '', JSON.stringify(old));
    await room.event('timer.stopped', 0, 15_000);
    const before = room.events.length;

    await room.say('weather');
    const said = () =>
      room.events.slice(before).flatMap(({ event }) => (event.type === 'response.done' ? [event.reply] : []));
    await waitFor(() => said().some((words) => words.startsWith('You missed')));
    await waitFor(async () => (await dues()).length === 0);
    await room.leave();

    expect(said().at(-1)).toBe('You missed your pasta timer. It ended 11 minutes ago.');
  });

  test('is not reported to an empty room when its satellite reconnects', async () => {
    const longAgo = Date.now() - 20 * 60_000;
    const { id } = await timers.set(60_000, { hasJob: false });
    const timer = await timers.store.read(id);
    const missed = { ...timer, state: 'missed', dueAt: longAgo, ringingAt: longAgo, heardAt: longAgo };
    await timers.redis.hset('hearth:timers', id, JSON.stringify(missed));

    const kitchen = await connect('kitchen');
    await timers.set(1_000, { label: 'eggs' });
    await reply(kitchen);

    expect(await reply(kitchen)).toBe('Your eggs timer is done.');
  });
});

/** Moves its due time this far into the past. */
async function makeDue(id: string, agoMs: number): Promise<void> {
  const timer = await timers.store.read(id);
  await timers.redis.hset('hearth:timers', id, JSON.stringify({ ...timer, dueAt: Date.now() - agoMs }));
}

test.each(['Stop.', 'Okay.', 'Thank you.', 'Stop the timer.', 'Got it.'])(
  'typing "%s" in the room of the ringing ends it',
  async (words) => {
    const [kitchen, bath] = [await connect('kitchen'), await connect('bath')];
    const elsewhere = await timers.set(1_000, { room: 'bath', label: 'bath' });
    await timers.set(1_000);
    await Promise.all([kitchen.event('timer.finished'), bath.event('timer.finished')]);

    await home.assistant.ask(words, { room: 'kitchen', client: 'anna' });

    expect((await timers.store.all()).map(({ id }) => id)).toEqual([elsewhere.id]);
  },
);

test.each(['name', 'word', 'word+name'] as const)(
  'a person in a room of the mode "%s" ends the ringing with "Stop", but not with other words',
  async (wake) => {
    const client = `kitchen ${wake}`;
    const room = await enterRoom(home.assistant.address, { client, room: 'kitchen', wake });
    await timers.set(1_000);
    await room.event('response.output_audio.started', 0, 15_000);

    home.stt.hears('The pasta was far too soft.');
    await room.say('weather');
    await room.event('input_audio_buffer.speech_stopped', 0, 15_000);
    await room.event('response.output_audio.started', 1, 15_000);
    const before = await dues();
    home.stt.hears('Stop.');
    await room.say('hello');
    await room.event('timer.stopped', 0, 15_000);
    await room.leave();

    expect(before).toEqual(['ringing']);
    expect(await dues()).toEqual([]);
  },
  30_000,
);
