import { readDisksSeen } from '../check/room.ts';
import { type RoomWatch, watchRoom } from '../check/room-watch.ts';
import { createSay } from '../language/phrases.ts';
import { createNotices, type Notices } from '../listen/notices.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import type { ApiCore } from './api-core.ts';
import { byLanguage } from './by-language.ts';

/** Paths that this process uses. */
export const ownPaths = ({ config }: Pick<ApiCore, 'config'>) => [config.modelsDir, process.cwd()];

/** Watches memory and disk space for warnings. */
export function wireRoom(core: ApiCore, intervalMs?: number): RoomWatch {
  const { redis, workers, budget } = core;
  return watchRoom({
    redis,
    disks: () => readDisksSeen(ownPaths(core), workers),
    conversations: budget.room,
    intervalMs,
  });
}

/** The warnings that are spoken. */
export function wireNotices(
  { config, languages, log, redis, settings, clock }: ApiCore,
  room: RoomWatch,
): Notices {
  const says = byLanguage(languages, ({ phrases }) => createSay(phrases));
  return createNotices({
    current: room.warnings,
    words: (name, language) => says.of({ language }).notice(name),
    isQuiet: createQuietHours({ timeZone: config.timeZone, settings: settings.current, now: clock.now }),
    claim: async (name) => {
      const { of, lastsS } = keys.noticed;
      return (await onRedis(redis, () => redis.set(of(name), '1', 'EX', lastsS, 'NX'))) === 'OK';
    },
    release: async (name) => void (await onRedis(redis, () => redis.del(keys.noticed.of(name)))),
    onError: (error) => log.debug({ err: error }, 'cannot deliver notices now'),
  });
}
