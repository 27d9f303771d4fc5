import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { DeviceStore } from '../esphome/device-store.ts';
import { byLikelihood, type FoundDevice, foundDevice, plainMac } from '../esphome/found-device.ts';
import { unknownState, type VoiceDevice } from '../esphome/voice-device.ts';
import type { Logger } from '../log.ts';
import type { createServiceSearch } from '../mdns/service-search.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import type { RoomCheck } from './room-check.ts';

interface DeviceRoutesOptions {
  store: DeviceStore;
  search: ReturnType<typeof createServiceSearch>;
  log: Logger;
  checkRoom: RoomCheck;
}

type DeviceHandlers = Pick<
  Handlers,
  'listVoiceDevices' | 'findVoiceDevices' | 'adoptVoiceDevice' | 'changeVoiceDevice' | 'removeVoiceDevice'
>;

/** Lists, finds, adopts, changes and removes the household's voice devices. */
export function adminDeviceRoutes({ store, search, log, checkRoom }: DeviceRoutesOptions): DeviceHandlers {
  const shown = async (device: VoiceDevice): Promise<components['schemas']['VoiceDevice']> => {
    const { wakeWords, ...state } = (await store.state(device.id)) ?? unknownState;
    const { id, name, room, address } = device;
    return { id, name, room, address, has_key: device.key !== null, ...state, wake_words: wakeWords };
  };
  const known = async (id: string): Promise<VoiceDevice> => {
    const device = (await store.all()).find((each) => each.id === id);
    if (!device) throw new AppError('not_found', 'There is no voice device with this id.', { param: 'id' });
    return device;
  };
  const refuse = (outcome: Awaited<ReturnType<DeviceStore['change']>>): void => {
    if (outcome === 'exists') throw new AppError('device_exists', undefined, { param: 'name' });
    if (outcome === 'full') throw new AppError('too_many_devices');
    if (outcome === 'gone')
      throw new AppError('not_found', 'There is no voice device with this id.', { param: 'id' });
  };

  return {
    listVoiceDevices: async () => ({ devices: await Promise.all((await store.all()).map(shown)) }),

    async findVoiceDevices() {
      const [services, known] = await Promise.all([search.find(), store.all()]);
      const found = services.map(foundDevice).sort(byLikelihood);
      const isAdopted = ({ mac, address }: FoundDevice): boolean =>
        known.some(
          (device) => device.address === address || (mac !== null && plainMac(device.mac ?? '') === mac),
        );
      return {
        devices: found.map(({ mac, ...device }) => ({ ...device, adopted: isAdopted({ mac, ...device }) })),
      };
    },

    async adoptVoiceDevice({ body, request: { caller }, reply }) {
      checkRoom(body.room);
      const device: VoiceDevice = {
        id: randomUUID(),
        name: nameOf(body.name),
        room: body.room?.trim() || null,
        address: body.address,
        key: body.key ?? null,
        keyOrigin: 'owner',
        mac: null,
        wakeWords: null,
      };
      refuse(await store.add(device));
      log.info({ token_name: caller.tokenName, device: device.name }, 'voice device adopted');
      return reply.code(201).send(await shown(device));
    },

    async changeVoiceDevice({ path, body, request: { caller } }) {
      const device = await known(path.id);
      checkRoom(body.room);
      const changed: VoiceDevice = {
        ...device,
        name: body.name === undefined ? device.name : nameOf(body.name),
        room: body.room === undefined ? device.room : body.room.trim() || null,
        address: body.address ?? device.address,
        ...(body.key !== undefined && { key: body.key, keyOrigin: 'owner' as const }),
        // A new address may belong to a different device.
        mac: body.address === undefined || body.address === device.address ? device.mac : null,
        wakeWords: body.wake_words ?? device.wakeWords,
      };
      refuse(await store.change(changed));
      log.info({ token_name: caller.tokenName, device: changed.name }, 'voice device changed');
      return shown(changed);
    },

    async removeVoiceDevice({ path, request: { caller } }) {
      const device = await known(path.id);
      const last = await shown(device);
      await store.remove(device.id);
      log.info({ token_name: caller.tokenName, device: device.name }, 'voice device removed');
      return last;
    },
  };
}

function nameOf(given: string): string {
  const name = given.normalize().trim();
  if (name === '') throw new AppError('invalid_request', 'Give the device a name.', { param: 'name' });
  return name;
}
