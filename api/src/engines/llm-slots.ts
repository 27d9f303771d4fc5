import type { Redis, Result } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { releaseInBackground } from '../redis/release-in-background.ts';
import { unsaved } from '../redis/unsaved.ts';

/** Longer than any turn, so a lease expires only after its worker died. */
const leaseMs = 65_000;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeLlmSlot(
      key: string,
      slots: number,
      conversation: string,
      leaseMs: number,
    ): Result<[number, string], Context>;
    leaveLlmSlot(key: string, slot: number, lease: string): Result<number, Context>;
  }
}

/**
 * Picks a free slot. Prefers the slot that held this conversation last, then an empty one, then the least
 * recently used. Returns the slot number and the lease id, or -1 if none is free. Fields of KEYS[1] per slot:
 * until (Unix ms), used (Unix time in microseconds; 0 = empty), holds (conversation).
 */
const takeScript = `${unsaved}local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local best, bestRank = -1, nil
for slot = 0, ARGV[1] - 1 do
  local kept = redis.call('HMGET', KEYS[1], slot .. ':until', slot .. ':used', slot .. ':holds')
  if tonumber(kept[1] or '0') <= now then
    local rank = tonumber(kept[2] or '0')
    if ARGV[2] ~= '' and kept[3] == ARGV[2] then rank = -rank end
    if not bestRank or rank < bestRank then best, bestRank = slot, rank end
  end
end
if best < 0 then return {-1, ''} end
local lease = tostring(now + ARGV[3])
local used = ARGV[2] == '' and 0 or time[1] * 1000000 + time[2]
redis.call('HSET', KEYS[1], best .. ':until', lease, best .. ':used', used, best .. ':holds', ARGV[2])
return {best, lease}`;

/**
 * Releases only the given lease: a turn that outlived its lease must not release the next turn's. The script
 * deletes the field, which works even when Redis is full.
 */
const leaveScript = `${unsaved}if redis.call('HGET', KEYS[1], ARGV[1] .. ':until') == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1] .. ':until') end
return 1`;

export interface SlotLease {
  slot: number;
  /** Releases the slot as soon as Redis accepts it. Never rejects. */
  leave(): Promise<void>;
}

interface TakeOptions {
  /** The engine's address: each engine has separate slots. */
  engine: string;
  slots: number;
  /** Null: the turn has no conversation, so its slot is the first to be reused. */
  conversation: string | null;
}

export type LlmSlots = ReturnType<typeof createLlmSlots>;

/**
 * Assigns llama.cpp's slots to conversations, shared by all workers. A slot caches the prompt of its
 * conversation, so returning to it saves reading the prompt again.
 */
export function createLlmSlots({ redis }: { redis: Redis }) {
  redis.defineCommand('takeLlmSlot', { numberOfKeys: 1, lua: takeScript });
  redis.defineCommand('leaveLlmSlot', { numberOfKeys: 1, lua: leaveScript });

  return {
    /** Null when every slot is taken: the engine then picks one itself. */
    async take({ engine, slots, conversation }: TakeOptions): Promise<SlotLease | null> {
      const key = keys.llmSlots.of(engine);
      const [slot, lease] = await onRedis(redis, () =>
        redis.takeLlmSlot(key, slots, conversation ?? '', leaseMs),
      );
      if (slot < 0) return null;
      return {
        slot,
        leave: () =>
          releaseInBackground(() => onRedis(redis, () => redis.leaveLlmSlot(key, slot, lease)), leaseMs),
      };
    },
  };
}
