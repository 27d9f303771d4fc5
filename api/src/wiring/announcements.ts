import type { Redis } from 'ioredis';
import { followAnnouncements } from '../announcements/announcement-requests.ts';
import {
  type Announcements,
  createAnnouncementOrigins,
  createAnnouncements,
} from '../announcements/announcements.ts';
import type { Config } from '../config.ts';
import { type Announcing, createAnnouncing } from '../listen/ringing/announcing.ts';
import type { Logger } from '../log.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import type { Settings } from '../settings/settings.ts';
import { createSatellitesThere } from '../timers/satellites-there.ts';

interface AnnouncementWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  subscriber: Redis;
  settings: Settings;
  clock: HouseholdClock;
  onBadEvent: (error: Error) => void;
}

/** Announcements to other rooms, from any process. */
export function wireAnnouncements(options: AnnouncementWiring): Announcements {
  const { config, log, redis, subscriber, settings, clock, onBadEvent } = options;
  return createAnnouncements({
    redis,
    subscriber,
    clock,
    onBadEvent,
    there: createSatellitesThere({ redis }),
    onUnanswered: (spot) => log.warn(spot, 'no process answered for a satellite with an announcement'),
    isQuiet: createQuietHours({ timeZone: config.timeZone, settings: settings.current, now: clock.now }),
  });
}

type AnnouncingWiring = Pick<AnnouncementWiring, 'log' | 'redis' | 'subscriber' | 'onBadEvent'>;

/** Plays announcements on the satellites of this process. */
export function wireAnnouncing(options: AnnouncingWiring): Announcing {
  const { log, redis, subscriber, onBadEvent } = options;
  const announcing = createAnnouncing({
    onPlayed: createAnnouncementOrigins({ redis }),
    onUnsaid: (unsaid) => log.warn(unsaid, 'a satellite did not say an announcement'),
    onError: (error) => log.warn({ err: error }, 'an announcement failed'),
  });
  followAnnouncements({ redis, subscriber, onOrder: announcing.onOrder, onBadEvent });
  return announcing;
}
