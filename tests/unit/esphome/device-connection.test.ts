import { expect, test } from 'vitest';
import { createDeviceConnection } from '../../../api/src/esphome/device-connection.ts';
import { createLog } from '../../../api/src/log.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';
import { startFakeVoiceDevice } from '../../support/fakes/fake-voice-device.ts';

test('logs that a device takes no key, although the stored refusal replaces the connection', async () => {
  const device = await startFakeVoiceDevice({ takesKey: 'never' });
  const logged: string[] = [];
  const stored = Promise.withResolvers<void>();
  const connection = createDeviceConnection({
    device: {
      id: 'one',
      name: 'puck',
      room: null,
      address: device.address,
      key: Buffer.alloc(32, 1).toString('base64'),
      keyOrigin: 'offered',
      mac: null,
      wakeWords: null,
    },
    log: createLog({ level: 'warn', process: 'api' }, { write: (line) => void logged.push(line) }),
    clock: createFakeClock(),
    enter: () => Promise.reject(new Error('not connected')),
    endSilenceMs: () => 500,
    answers: { open: () => Promise.reject(new Error('not connected')) as never },
    answersUrl: null,
    answersPort: () => 0,
    isTaken: async () => false,
    onState: () => undefined,
    onMac: async () => null,
    onKey: async (_key, origin) => {
      expect(origin).toBe('refused');
      void connection.stop().then(stored.resolve);
    },
  });
  await stored.promise;

  expect(logged).toEqual([expect.stringContaining('accepts no encryption key')]);
  await device.end();
});
