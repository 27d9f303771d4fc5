import type { Redis, Result } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { unsaved } from '../redis/unsaved.ts';
import { untilTaken } from '../redis/until-taken.ts';

/** A lease outlives every turn, so that it only ends by itself when its worker died. */
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
 * Picks a free slot: the one that held this conversation last, else one that holds none, else the one whose conversation was left longest ago.
 * Returns its number and the lease's name, or -1 when none is free. Fields of KEYS[1] per slot: until (Unix ms), used (Unix time in microseconds; 0 = holds no
 * conversation), holds (conversation).
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
 * Only the lease that was given may be ended: a turn that outlived its own must not end the next one's. Its field goes, which also a Redis that is
 * full allows.
 */
const leaveScript = `${unsaved}if redis.call('HGET', KEYS[1], ARGV[1] .. ':until') == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1] .. ':until') end
return 1`;

export interface SlotLease {
  slot: number;
  /** Gives it back, as soon as Redis takes that. Never rejects. */
  leave(): Promise<void>;
}

interface TakeOptions {
  /** The engine's address: each has its own slots. */
  engine: string;
  slots: number;
  /** Null: the turn stands alone. Nobody comes back to its slot, which is the first to be used again. */
  conversation: string | null;
}

export type LlmSlots = ReturnType<typeof createLlmSlots>;

/**
 * Which of llama.cpp's slots answers which conversation, agreed among all workers. A slot keeps what it has read of its conversation, so
 * going back to the same one saves reading it again.
 */
export function createLlmSlots({ redis }: { redis: Redis }) {
  redis.defineCommand('takeLlmSlot', { numberOfKeys: 1, lua: takeScript });
  redis.defineCommand('leaveLlmSlot', { numberOfKeys: 1, lua: leaveScript });

  return {
    /** Null when every slot is taken: the engine then chooses itself. */
    async take({ engine, slots, conversation }: TakeOptions): Promise<SlotLease | null> {
      const key = keys.llmSlots.of(engine);
      const [slot, lease] = await onRedis(redis, () =>
        redis.takeLlmSlot(key, slots, conversation ?? '', leaseMs),
      );
      if (slot < 0) return null;
      return {
        slot,
        leave: () => untilTaken(() => onRedis(redis, () => redis.leaveLlmSlot(key, slot, lease)), leaseMs),
      };
    },
  };
}
