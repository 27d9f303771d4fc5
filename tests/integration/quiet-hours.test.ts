import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectListen, type ListenClient } from '../support/clients/listen-client.ts';
import { voiceOf } from '../support/clients/room.ts';
import { openTimers } from '../support/servers/timer-household.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
let timers: ReturnType<typeof openTimers>;
let bath: ListenClient;

/** All day except the hour after the next. */
function quietNow(): { quiet_from: string; quiet_to: string } {
  const hour = (later: number) => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
  return { quiet_from: hour(3), quiet_to: hour(2) };
}
const set = (body: object) => home.assistant.call('/admin/pipeline', { method: 'PATCH', body });
const finished = () => bath.events.filter(({ event }) => event.type === 'timer.finished').length;

beforeAll(async () => {
  home = await startVoiceHousehold({ env: { TZ: 'UTC' } });
  home.piper.speaks(voiceOf);
  timers = openTimers(home.urls.redisUrl);
  bath = await connectListen(home.assistant.address, { client: 'bath-satellite', room: 'bath' });
});
afterAll(async () => {
  await bath?.close();
  timers?.close();
  await home?.stop();
});

test('a timer of another room rings when the quiet hours are over', {
  timeout: 40_000,
  tags: 'slow',
}, async () => {
  await set(quietNow());
  await timers.set(1_000);
  await waitFor(async () => (await timers.store.all()).some(({ state }) => state === 'ringing'));
  await timers.set(1_000, { room: 'bath', label: 'tea' });
  await waitFor(() => finished() === 1, { what: 'its own timer rings there' });
  const first = (await bath.exchange(0, 20_000)).done.reply;

  await set({ quiet_from: null, quiet_to: null });
  await waitFor(() => finished() === 2, { what: 'the other rings there too' });

  expect(first).toBe('Your tea timer is done.');
});
