/** @module-tag slow */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasPython, startEsphomeDevice } from '../support/fakes/esphome-device.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const key = 'jC1ylGMFoYMnwt/O8Ml0ibC+kDD4s/bZTQl6e0ZqXq0=';
/** The stages of an answer, by the numbers of VoiceAssistantEvent. */
const stages = [1, 3, 11, 12, 4, 5, 100, 6, 7, 8, 2];
const runEnd = { event_type: 2 };

describe.skipIf(!hasPython)('a device on the messages of aioesphomeapi (needs .venv)', () => {
  let home: VoiceHousehold;
  let device: Awaited<ReturnType<typeof startEsphomeDevice>>;
  beforeAll(async () => {
    home = await startVoiceHousehold({ env: { DEVICE_SOUND_PORT: String(await freePort()) } });
  });
  beforeEach(() => home.forget());
  afterEach(() => device.end());
  afterAll(() => home?.stop());

  const adopt = async (name: string, more = {}): Promise<string> => {
    const body = { name, room: 'kitchen', address: device.address, ...more };
    const { text } = await home.assistant.call('/admin/devices', { body });
    await device.message('VoiceAssistantConfigurationRequest');
    return JSON.parse(text).id;
  };
  const ask = async (words: string): Promise<void> => {
    device.forget();
    home.stt.hears(words);
    device.tell('wake');
    await device.message('VoiceAssistantEventResponse', runEnd);
  };
  /** The device reads each message as the library defines it. */
  const checkMessages = (): void => {
    expect(device.received().filter(({ unknown }) => unknown > 0)).toEqual([]);
  };

  test('is answered in plain text, and again after it has restarted', async () => {
    device = await startEsphomeDevice({ name: 'puck', mac: '02:00:00:00:00:0A' });
    await adopt('puck');
    // The device asks for these, too.
    await device.message('PingResponse');
    await device.message('GetTimeResponse');

    await ask('Why is the sky blue?');
    const told = device.received().filter(({ got }) => got === 'VoiceAssistantEventResponse');
    expect(told.map(({ data }) => data['event_type'])).toEqual(stages);
    expect(await device.file()).toMatchObject({ file: 'fLaC' });
    checkMessages();

    device.forget();
    device.tell('restart');
    await device.message('DisconnectResponse');
    await device.message('VoiceAssistantConfigurationRequest');
    checkMessages();
    await ask('Why is the grass green?');
  });

  test('tells that a key is wrong', async () => {
    device = await startEsphomeDevice({ name: 'locked', mac: '02:00:00:00:00:0C', key });
    const body = { name: 'locked', address: device.address, key: key.replace('jC', 'kD') };
    await home.assistant.call('/admin/devices', { body });

    await waitFor(async () => {
      const { text } = await home.assistant.call('/admin/devices');
      return text.includes("The encryption key is wrong. Enter this device's key.");
    });
    expect(device.received()).toEqual([]);
  });

  test('does everything over an encrypted connection', async () => {
    device = await startEsphomeDevice({ name: 'sealed', mac: '02:00:00:00:00:0B', key });
    const id = await adopt('sealed', { key });

    await ask('Set the volume to 30 percent.');
    const { volume } = await device.message('MediaPlayerCommandRequest', { key: 7, has_volume: true });
    expect(volume).toBeCloseTo(0.3);
    expect(await device.file()).toMatchObject({ file: 'fLaC' });
    checkMessages();

    await ask('Set a timer for two seconds.');
    await device.message('VoiceAssistantTimerEventResponse', { total_seconds: 2, is_active: true });
    await device.message('VoiceAssistantTimerEventResponse', { event_type: 3 });
    checkMessages();

    device.forget();
    await home.assistant.call('/announcements', { body: { text: 'Dinner is ready.', rooms: ['kitchen'] } });
    const { media_id } = await device.message('VoiceAssistantAnnounceRequest');
    expect(media_id).toMatch(/^http:/);
    expect(await device.file()).toMatchObject({ file: 'fLaC' });

    const body = { wake_words: ['hey_jarvis', 'stop'] };
    await home.assistant.call(`/admin/devices/${id}`, { method: 'PATCH', body });
    const { active_wake_words } = await device.message('VoiceAssistantSetConfiguration');
    expect(active_wake_words).toEqual(body.wake_words);
    checkMessages();
  });
});
