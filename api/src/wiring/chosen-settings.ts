import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { isTimeZone } from '../language/calendar/time-zones.ts';
import type { Logger } from '../log.ts';
import { connectRedis } from '../redis/redis.ts';
import { effectivePipeline, type StoredValues } from '../settings/pipeline.ts';
import { createSettingsStore } from '../settings/settings-store.ts';

import { offeredLanguages } from './installation.ts';

/** Maximum time a start waits for Redis. Then the environment decides. */
const maxWaitMs = 5_000;
const retryMs = 200;

/**
 * Adds the household's chosen language and time zone to the configuration. A process reads them at its
 * start, so a new choice needs a restart.
 */
export async function withChosenSettings(config: Config, log: Logger): Promise<Config> {
  const made = await readSettings(config);
  if (made === null) log.warn('failed to read the chosen language and time zone in time');
  const { values, sources } = effectivePipeline(made ?? {}, {});
  const { language, time_zone: timeZone } = values;
  const isSpoken = sources.language === 'set' && offeredLanguages(config).includes(language);
  const isZone = sources.time_zone === 'set' && !config.ownTimeZone.isFixed && isTimeZone(timeZone);
  return Object.freeze({
    ...config,
    ...(isSpoken && { chosenLanguage: language }),
    ...(isZone && { timeZone }),
  });
}

/** Null: Redis did not answer in time. */
async function readSettings({ redisUrl: url }: Config): Promise<StoredValues | null> {
  // The other connections of the process report Redis errors.
  const redis = connectRedis({ url, onError: () => undefined });
  const store = createSettingsStore({ redis });
  const until = performance.now() + maxWaitMs;
  try {
    while (performance.now() < until) {
      const stored = await store.read().catch(() => null);
      if (stored !== null) return stored.made;
      await delay(retryMs);
    }
    return null;
  } finally {
    redis.disconnect();
  }
}
