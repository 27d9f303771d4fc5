import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { enterRoom, type Room, voiceOf } from '../support/clients/room.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
let timers: ReturnType<typeof openTimers>;
let kitchen: Room;

beforeAll(async () => {
  home = await startVoiceHousehold();
  timers = openTimers(home.urls.redisUrl);
});
beforeEach(async () => {
  home.forget();
  home.piper.speaks(voiceOf);
  kitchen = await enterRoom(home.assistant.address, { client: 'kitchen-satellite', room: 'kitchen' });
});
afterEach(async () => {
  await kitchen.leave();
  for (const { id } of await timers.store.all()) await timers.store.remove(id);
});
afterAll(async () => {
  timers?.close();
  await home?.stop();
});

/** Makes the speech recognition return these words for any sound. */
async function say(words: string): Promise<void> {
  home.stt.hears(words);
  await kitchen.say('hello');
}
const ringing = async () => (await timers.store.all()).filter(({ state }) => state === 'ringing');

test('a spoken timer belongs to its turn, rings there, and is stopped by speech', {
  tags: 'slow',
}, async () => {
  await say('Set a pasta timer for three seconds.');
  const set = await kitchen.exchange();
  const started = await kitchen.event('timer.started');
  const rung = await kitchen.exchange(1, 20_000);
  const finished = await kitchen.event('timer.finished');
  await kitchen.event('response.output_audio.started', 2, 20_000);
  await say('Stop.');
  const stopped = await kitchen.event('timer.stopped', 0, 20_000);

  expect(set.done.via).toBe('skills');
  expect(started.event).toMatchObject({ turn_id: set.turnId, timer: { name: 'pasta', duration_ms: 3_000 } });
  expect([rung.done.via, rung.done.reply]).toEqual(['timer', 'Your pasta timer is done.']);
  expect([finished, stopped].map(({ event }) => event.timer.id)).toEqual(
    Array(2).fill(started.event.timer.id),
  );
  expect(await timers.store.all()).toEqual([]);
});

test('the speech recognition receives the names of running timers', async () => {
  await timers.set(600_000, { label: 'linguine' });

  await say('How long is left on the linguine timer?');
  const { done } = await kitchen.exchange();

  expect(home.stt.calls.at(-1)?.form['prompt']).toContain('linguine');
  expect(done.reply).toMatch(/linguine/i);
});

test('another question during the ringing is answered, and the ringing continues', {
  tags: 'slow',
}, async () => {
  await timers.set(1_000);
  await kitchen.event('response.output_audio.started');

  await say('What time is it?');
  const { done } = await kitchen.exchange(1, 20_000);
  const again = await kitchen.exchange(2, 20_000);

  expect(done.via).toBe('skills');
  expect(again.done.via).toBe('timer');
  expect(await ringing()).toHaveLength(1);
});

test('the stop button of the satellite ends it', { tags: 'slow' }, async () => {
  await timers.set(1_000);
  await kitchen.event('response.output_audio.started');

  kitchen.send({ type: 'response.cancel' });

  await kitchen.event('timer.stopped');
  await waitFor(async () => (await timers.store.all()).length === 0);
});

test('a timer a year away has its job', async () => {
  const timer = await timers.set(365 * 24 * 3_600_000);

  const [job] = await timers.queue.getDelayed();

  // Two clocks, read one after the other.
  const secondsOff = ((job?.timestamp ?? 0) + (job?.delay ?? 0) - timer.dueAt) / 1_000;
  expect(secondsOff).toBeCloseTo(0, 0);
});
