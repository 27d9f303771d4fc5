import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { createDeviceConnection } from './device-connection.ts';
import type { DeviceStore } from './device-store.ts';
import { type KeyOrigin, unknownState, type VoiceDevice, type VoiceDeviceState } from './voice-device.ts';

/** How often a process renews its holds and tries to take free devices. */
const pollIntervalMs = 2_000;
/** A device in a container may not know its address. */
const noMac = '00:00:00:00:00:00';

interface Here {
  device: VoiceDevice;
  connection: ReturnType<typeof createDeviceConnection>;
}

interface DevicesHereOptions {
  store: DeviceStore;
  clock: Clock;
  /** Id of this process. */
  process: string;
  open: (
    device: VoiceDevice,
    on: {
      onState: (state: VoiceDeviceState) => void;
      onMac: (mac: string) => Promise<string | null>;
      onKey: (key: string | null, origin: KeyOrigin) => Promise<void>;
    },
  ) => Here['connection'];
  /** Called after a removed device was disconnected. */
  forget: (device: VoiceDevice) => Promise<void>;
  /** Called before the first device of this process is connected. */
  prepare: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Holds the household's devices that no other process holds. */
export function createDevicesHere(options: DevicesHereOptions) {
  const { store, clock, process, open, forget, prepare, onError } = options;
  const here = new Map<string, Here>();
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  let cancelTimeout = (): void => undefined;

  const isSame = (one: VoiceDevice, other: VoiceDevice) =>
    isDeepStrictEqual({ ...one, mac: null, keyOrigin: null }, { ...other, mac: null, keyOrigin: null });
  const leave = async (id: string): Promise<void> => {
    const known = here.get(id);
    here.delete(id);
    await known?.connection.stop();
    await store.letGo(id, process);
  };
  /** Stores the MAC address of a device. Resolves with the name of another device that has it, or null. */
  const noteMac = async (id: string, mac: string): Promise<string | null> => {
    const all = await store.all();
    const now = all.find((device) => device.id === id);
    // If both have a stored address, the one with the smaller id stays.
    const isEarlier = (other: VoiceDevice) => now?.mac === null || other.id < id;
    const twin = all.find((other) => other.id !== id && other.mac === mac && isEarlier(other));
    if (twin !== undefined && mac !== noMac) return twin.name;
    if (now?.mac === null) await store.change({ ...now, mac });
    return null;
  };
  /** Stores a key for the device, unless its owner has changed the key meanwhile. */
  const noteKey = async ({ id, key }: VoiceDevice, next: string | null, origin: KeyOrigin): Promise<void> => {
    const now = (await store.all()).find((device) => device.id === id);
    if (now?.key === key) await store.change({ ...now, key: next, keyOrigin: origin });
  };
  const tend = async (device: VoiceDevice): Promise<void> => {
    const known = here.get(device.id);
    if (known && !isSame(known.device, device)) await leave(device.id);
    const current = here.get(device.id);
    const isOurs = await store.hold(device.id, process, current?.connection.state() ?? unknownState);
    if (!isOurs && current) {
      here.delete(device.id);
      await current.connection.stop();
    }
    if (!isOurs || current || isStopped) return;
    await prepare();
    const connection = open(device, {
      onState: (state) => void store.hold(device.id, process, state).catch(onError),
      onMac: (mac) =>
        noteMac(device.id, mac).catch((error: unknown) => {
          onError(error);
          return null;
        }),
      onKey: (key, origin) => noteKey(device, key, origin),
    });
    here.set(device.id, { device, connection });
  };
  const look = async (): Promise<void> => {
    const devices = await store.all();
    for (const [id, { device }] of here) {
      if (devices.some((each) => each.id === id)) continue;
      await leave(id);
      await forget(device).catch(onError);
    }
    for (const device of devices) await tend(device);
  };
  const pollAndContinue = (): Promise<void> => {
    cancelTimeout();
    looking = looking.then(look).catch(onError);
    void looking.then(() => {
      if (isStopped) return;
      cancelTimeout();
      cancelTimeout = clock.after(pollIntervalMs, () => void pollAndContinue());
    });
    return looking;
  };

  return {
    /** Call when devices may have changed. */
    look: pollAndContinue,
    /** Releases the devices at shutdown, so that other processes can take them at once. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelTimeout();
      await looking;
      for (const id of [...here.keys()]) await leave(id).catch(onError);
    },
  };
}
