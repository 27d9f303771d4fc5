import type { Redis } from 'ioredis';
import type { ConversationRoom } from '../conversations/conversation-budget.ts';
import type { Disk } from '../status/engine-status.ts';
import { findConversations, findDisk, findMemory, readRedisMemory } from './room.ts';
import type { Finding } from './step.ts';

const usualEveryMs = 20_000;

type RoomName = 'memory' | 'disk' | 'conversations';

/** A warning about low memory or disk space. */
interface RoomWarning {
  name: RoomName;
  /** A sentence for people, and another one with the fix. */
  message: string;
  advice: string;
}

interface RoomWatchOptions {
  redis: Redis;
  disks: () => Promise<Disk[]>;
  conversations: () => Promise<ConversationRoom>;
  intervalMs?: number | undefined;
}

export type RoomWatch = ReturnType<typeof watchRoom>;

/** Watches memory and disk space periodically, for callers that cannot wait. */
export function watchRoom({ redis, disks, conversations, intervalMs = usualEveryMs }: RoomWatchOptions) {
  const found = new Map<RoomName, Finding>();
  const looks: Record<RoomName, () => Promise<Finding>> = {
    memory: async () => findMemory(await readRedisMemory(redis)),
    disk: async () => findDisk(await disks()),
    conversations: async () => findConversations(await conversations()),
  };
  const names = ['memory', 'disk', 'conversations'] as const;

  const look = async (): Promise<void> => {
    for (const name of names) {
      try {
        found.set(name, await looks[name]());
      } catch {
        // Redis is unavailable, which /health reports. The last findings stay.
      }
    }
  };
  void look();
  redis.on('ready', look);
  const timer = setInterval(look, intervalMs).unref();

  return {
    look,
    warnings: (): RoomWarning[] =>
      names.flatMap((name) => {
        const { state, message, advice = '' } = found.get(name) ?? { state: 'skipped', message: '' };
        return state === 'warning' || state === 'failed' ? [{ name, message, advice }] : [];
      }),
    stop: () => clearInterval(timer),
  };
}
