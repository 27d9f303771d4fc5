import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAnswerServer } from '../esphome/answer-server.ts';
import { createDeviceConnection } from '../esphome/device-connection.ts';
import { removeDeviceKey } from '../esphome/device-key.ts';
import { createDeviceStore, devicesChannel } from '../esphome/device-store.ts';
import { createDevicesHere } from '../esphome/devices-here.ts';
import { deviceService } from '../esphome/found-device.ts';
import { readAddress } from '../esphome/voice-device.ts';
import { adminDeviceRoutes } from '../http/admin-device-routes.ts';
import { createRoomCheck } from '../http/room-check.ts';
import type { Satellites } from '../http/satellite-socket.ts';
import { systemClock as clock } from '../http/system-clock.ts';
import { createUtteranceClaims } from '../listen/admission/utterance-claims.ts';
import { createServiceSearch } from '../mdns/service-search.ts';
import { subscribeToChannel } from '../redis/channel.ts';
import { homeAddresses } from '../tls/machine-names.ts';
import type { ApiCore } from './api-core.ts';

/** Devices woken within this time heard the same words. */
const sameWakeMs = 1_000;
/** Redis answers within a few ms. Answering twice is better than not at all. */
const maxClaimMs = 200;
/** A removed device that does not answer holds up the others for this long. */
const takeBackMs = 5_000;

interface DeviceWiring {
  /** Id of the process. */
  instance: string;
  /** Serves other requests on the same port. */
  others: (request: IncomingMessage, reply: ServerResponse) => boolean;
}

/** Connects to the voice devices with ESPHome firmware. */
export function wireDevices(core: ApiCore, satellites: Satellites, { instance, others }: DeviceWiring) {
  const { config, log, redis, subscriber, onBadEvent, settings } = core;
  const store = createDeviceStore({ redis });
  const claim = createUtteranceClaims({ redis });
  const answers = createAnswerServer({ clock, port: config.deviceSound.port, others });
  let port: Promise<number> | null = null;
  let portNow = config.deviceSound.port;

  const isTaken = async (wakeWord: string, by: string): Promise<boolean> => {
    const late = new Promise<string>((resolve) => clock.after(maxClaimMs, () => resolve(by)));
    const claimed = claim(`woken:${wakeWord}`, by, sameWakeMs).catch(() => by);
    return (await Promise.race([claimed, late])) !== by;
  };
  const listen = async (): Promise<number> => {
    port ??= answers.listen();
    portNow = await port.catch((error: unknown) => {
      port = null;
      throw new Error(`Port ${config.deviceSound.port} is not free for the sound of voice devices`, {
        cause: error,
      });
    });
    return portNow;
  };
  const here = createDevicesHere({
    store,
    clock,
    process: instance,
    prepare: async () => void (await listen()),
    open: (device, on) =>
      createDeviceConnection({
        device,
        ...on,
        log,
        clock,
        enter: satellites.enterSession,
        endSilenceMs: () => settings.current().end_silence_ms,
        answers,
        answersUrl: config.deviceSound.url,
        answersPort: () => portNow,
        isTaken,
      }),
    forget: async ({ name, address, key, keyOrigin }) => {
      const place = readAddress(address);
      if (place === null || key === null || keyOrigin === 'owner') return;
      await removeDeviceKey(place, key, AbortSignal.timeout(takeBackMs)).catch((error: unknown) =>
        log.warn(
          { device: name, err: error },
          'a removed voice device kept its encryption key: reset it to its factory settings to use it again',
        ),
      );
    },
    onError: (error) => log.warn({ err: error }, 'cannot check the voice devices now'),
  });
  subscribeToChannel({
    subscriber,
    channel: devicesChannel,
    onMessage: () => void here.look(),
    onListening: () => void here.look(),
    onError: onBadEvent,
  });
  const search = createServiceSearch({ service: deviceService, clock, addresses: homeAddresses });
  return {
    handlers: adminDeviceRoutes({
      ...{ store, search, log },
      checkRoom: createRoomCheck(() => settings.current().names),
    }),
    /** Opens the port for sounds, and resolves with it. */
    listen,
    stop: async (): Promise<void> => {
      await here.stop();
      answers.stop();
    },
  };
}
