import type { Redis, Result } from 'ioredis';
import { parseJson } from '../json.ts';
import { compareNames } from '../name-order.ts';
import { channelOn } from '../redis/channel.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import {
  type VoiceDevice,
  type VoiceDeviceState,
  voiceDeviceSchema,
  voiceDeviceStateSchema,
} from './voice-device.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    putVoiceDevice(...args: string[]): Result<'kept' | 'exists' | 'full' | 'gone', Context>;
    holdVoiceDevice(...args: string[]): Result<number, Context>;
  }
}

/** More than any home has. */
const maxDevices = 32;
/** Lifetime of the lock on a device without renewal, in ms. */
const heldMs = 8_000;
const devicesKey = keys.voiceDevices.of();

/** Announces that devices were adopted, changed or removed. */
export const devicesChannel = 'hearth:voice-device-news';

/** KEYS: devices. ARGV: id, device, "new" or "changed", channel. Rejects a name that another device has. */
const putScript = `
local isThere = redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1
if ARGV[3] == 'changed' and not isThere then return 'gone' end
if ARGV[3] == 'new' and redis.call('HLEN', KEYS[1]) >= ${maxDevices} then return 'full' end
local name = string.lower(cjson.decode(ARGV[2]).name)
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if all[at] ~= ARGV[1] and string.lower(cjson.decode(all[at + 1]).name) == name then return 'exists' end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[4], ARGV[1])
return 'kept'`;

/** KEYS: the holder, the state. ARGV: process, state, ms. Returns whether this process holds the device. */
const holdScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1`;

export type DeviceStore = ReturnType<typeof createDeviceStore>;

/** Stores the voice devices of the household, and which process holds each. */
export function createDeviceStore({ redis }: { redis: Redis }) {
  redis.defineCommand('putVoiceDevice', { numberOfKeys: 1, lua: putScript });
  redis.defineCommand('holdVoiceDevice', { numberOfKeys: 2, lua: holdScript });
  const channel = channelOn(redis, devicesChannel);
  const put = (device: VoiceDevice, how: 'new' | 'changed') =>
    onRedis(redis, () => redis.putVoiceDevice(devicesKey, device.id, JSON.stringify(device), how, channel));

  return {
    /** Sorted by name. Skips unreadable records. */
    async all(): Promise<VoiceDevice[]> {
      const kept = await onRedis(redis, () => redis.hvals(devicesKey));
      const found = kept.flatMap((json) => voiceDeviceSchema.safeParse(parseJson(json)).data ?? []);
      return found.sort((one, other) => compareNames(one.name, other.name));
    },
    add: (device: VoiceDevice) => put(device, 'new'),
    change: (device: VoiceDevice) => put(device, 'changed'),
    /** Returns whether it existed. */
    async remove(id: string): Promise<boolean> {
      const removed = await onRedis(redis, () => redis.hdel(devicesKey, id));
      if (removed > 0) await onRedis(redis, () => redis.publish(channel, id));
      return removed > 0;
    },
    /** Null: no process holds it. */
    async state(id: string): Promise<VoiceDeviceState | null> {
      const json = await onRedis(redis, () => redis.get(keys.voiceDeviceState.of(id)));
      return json === null ? null : (voiceDeviceStateSchema.safeParse(parseJson(json)).data ?? null);
    },
    /**
     * A device accepts only one program, so only one process may hold it. Returns whether this process holds
     * it for the next seconds.
     */
    async hold(id: string, by: string, state: VoiceDeviceState): Promise<boolean> {
      const [holder, stateKey] = [keys.voiceDeviceHolder.of(id), keys.voiceDeviceState.of(id)];
      return (
        (await onRedis(redis, () =>
          redis.holdVoiceDevice(holder, stateKey, by, JSON.stringify(state), String(heldMs)),
        )) === 1
      );
    },
    /** Releases the hold if this process has it. */
    async letGo(id: string, by: string): Promise<void> {
      const [holder, stateKey] = [keys.voiceDeviceHolder.of(id), keys.voiceDeviceState.of(id)];
      const isOurs = (await onRedis(redis, () => redis.get(holder))) === by;
      if (isOurs) await onRedis(redis, () => redis.del(holder, stateKey));
    },
  };
}
