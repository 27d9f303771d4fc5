import type { Redis } from 'ioredis';
import { z } from 'zod';
import { keys } from '../redis/keys.ts';

const key = keys.backup.of();
const maxReason = 300;

const time = z.coerce.number().nullable().catch(null).default(null);
const recordSchema = z.object({ madeAt: time, failedAt: time, reason: z.string().default('') });

/** Time of the last backup, and time and reason of the last failure. Unix time in ms. Null: never. */
export type BackupRecord = z.infer<typeof recordSchema>;

export type BackupLog = ReturnType<typeof createBackupLog>;

/** The results of the last backups, as reported by the backup program. */
export function createBackupLog({ redis }: { redis: Redis }) {
  return {
    async made(at: number): Promise<void> {
      await redis.hset(key, { madeAt: at });
    },
    async failed(at: number, reason: string): Promise<void> {
      await redis.hset(key, { failedAt: at, reason: reason.slice(0, maxReason) });
    },
    read: async (): Promise<BackupRecord> => recordSchema.parse(await redis.hgetall(key)),
  };
}
