import type { Redis } from 'ioredis';
import type { ConversationRoom } from '../conversations/conversation-budget.ts';
import { AppError } from '../errors.ts';
import { onRedis } from '../redis/redis.ts';
import { readDisks } from '../status/disks.ts';
import type { Disk } from '../status/engine-status.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import { type Finding, failed, fine, gigabytes, skipped, warning } from './step.ts';

/** Thresholds in percent. */
const [nearlyFull, full] = [80, 95];
/**
 * Low disk space requires both: a small share and few bytes. A small disk never has many free bytes, and a
 * fifth of a large one lasts for years.
 */
const little = { share: 0.2, bytes: 5e9 };
const hardlyAny = { share: 0.1, bytes: 1e8 };

export const haveLess = 'Forget old conversations, or give Redis a larger "maxmemory".';
const makeRoom = 'Free up space on that disk.';

interface RedisMemory {
  usedBytes: number;
  /** 0: no limit. */
  maxBytes: number;
  policy: string;
}

/** Reads Redis' memory statistics. */
export async function readRedisMemory(redis: Redis): Promise<RedisMemory> {
  const info = await readRedisInfo(redis, 'memory');
  return {
    usedBytes: Number(info['used_memory']),
    maxBytes: Number(info['maxmemory']),
    policy: info['maxmemory_policy'] ?? '',
  };
}

export async function readRedisInfo(redis: Redis, section: string): Promise<Record<string, string>> {
  const text = await onRedis(redis, () => redis.info(section));
  const lines = [...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = '', value = '']) => [name, value]);
  if (lines.length === 0)
    throw new AppError('redis_unavailable', 'Redis returned no information about itself.');
  return Object.fromEntries(lines);
}

/** Checks Redis' memory use. */
export function findMemory({ usedBytes, maxBytes }: Omit<RedisMemory, 'policy'>): Finding {
  if (!(maxBytes > 0)) return fine(`It uses ${megabytes(usedBytes)} and has no limit.`);
  const share = Math.round((100 * usedBytes) / maxBytes);
  const used = `${share} % of ${megabytes(maxBytes)} is used.`;
  if (share < nearlyFull) return fine(`It uses ${megabytes(usedBytes)} of ${megabytes(maxBytes)}.`);
  if (share < full) return warning(`Redis is nearly full: ${used}`, haveLess);
  return failed(`Redis is full: ${used}`, haveLess);
}

/** The disks of this process and of all workers. */
export async function readDisksSeen(paths: readonly string[], workers: WorkerRegistry): Promise<Disk[]> {
  return [...(await readDisks(paths)), ...workers.alive().flatMap(({ disks }) => disks)];
}

/** Checks the free space on every disk. */
export function findDisk(disks: readonly Disk[]): Finding {
  const fullest = disks.toSorted((a, b) => shareFree(a) - shareFree(b))[0];
  if (!fullest) return skipped('This server stores nothing on a disk of its own.');
  const message = `${gigabytes(fullest.freeBytes)} of ${gigabytes(fullest.totalBytes)} free`;
  const hasLess = ({ share, bytes }: typeof little) =>
    shareFree(fullest) < share && fullest.freeBytes < bytes;
  if (hasLess(hardlyAny)) return failed(`The disk is full: ${message}.`, makeRoom);
  return hasLess(little)
    ? warning(`The disk is nearly full: ${message}.`, makeRoom)
    : fine(`${gigabytes(fullest.freeBytes)} free on the fullest disk.`);
}

/** Checks whether conversations were recently deleted because the budget was exceeded. */
export function findConversations({ usedBytes, maxBytes, givenUp }: ConversationRoom): Finding {
  const most = megabytes(maxBytes);
  if (givenUp.turns === 0) return fine(`They take ${megabytes(usedBytes)} of ${most}.`);
  const turns = givenUp.turns === 1 ? 'the oldest turn was' : `the ${givenUp.turns} oldest turns were`;
  return warning(
    `The ${most} for conversations are used up, so ${turns} forgotten.`,
    'If you want to keep more, make "memory_mb" larger in the settings.',
  );
}

function shareFree({ freeBytes, totalBytes }: Disk): number {
  return freeBytes / Math.max(1, totalBytes);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
