import type { Redis } from 'ioredis';
import { createIdempotencyGuard } from '../actions/idempotency-guard.ts';
import { parseJson } from '../json.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import type { SatellitesThere } from '../timers/satellites-there.ts';
import { withoutStandIns } from '../timers/timer.ts';
import {
  type AnnouncementPlace,
  type Audience,
  announcementPlaceSchema,
  chooseSatellites,
} from './announcement.ts';
import { createAnnouncementRequests } from './announcement-requests.ts';

/** A satellite that has not begun by then is busy with speech or an answer. */
const maxWaitMs = 3_000;

/** Outcome of an announcement, by satellite. */
export interface Announced {
  /** Satellites that were sent the sound. */
  playing: AnnouncementPlace[];
  /** Satellites that will play it once no one speaks there. */
  waiting: AnnouncementPlace[];
  /** Satellites that cannot play it: no voice, muted, gone, or too many announcements wait. */
  failed: AnnouncementPlace[];
  /** Requested rooms without a satellite. */
  missing: string[];
  /** The request included the speaker's own place. */
  isHere: boolean;
}

interface NewAnnouncement extends Audience {
  text: string;
  /** The tag of its language. Undefined: the household's first one. */
  language?: string | undefined;
  /** The turn that announces it. Null: no turn. */
  turn: string | null;
}

interface AnnouncementsOptions {
  redis: Redis;
  /** A connection used only for subscriptions. */
  subscriber: Redis;
  there: Pick<SatellitesThere, 'all'>;
  /** During quiet hours, announcements need an explicit confirmation. */
  isQuiet: () => boolean;
  clock: HouseholdClock;
  onBadEvent: (error: Error) => void;
  /** No process has answered for a satellite. */
  onUnanswered: (unanswered: AnnouncementPlace & { session: string }) => void;
}

/** Announcements from one person to other rooms. */
export interface Announcements {
  isQuiet(): boolean;
  /** The rooms with a satellite, without duplicates. */
  rooms(): Promise<string[]>;
  /** The outcome of an announcement that no satellite would play. Null: at least one would. */
  unheard(audience: Audience): Promise<Announced | null>;
  /** Null: this turn has announced it before, with an unknown outcome. */
  announce(announcement: NewAnnouncement): Promise<Announced | null>;
  /** The origin of the last announcement heard in a conversation. Null: none recently. */
  lastOrigin(conversation: string): Promise<AnnouncementPlace | null>;
}

export function createAnnouncements(options: AnnouncementsOptions): Announcements {
  const { redis, subscriber, there, isQuiet, clock, onBadEvent, onUnanswered } = options;
  const requests = createAnnouncementRequests({ redis, subscriber, maxWaitMs, onBadEvent });
  const isFirst = createIdempotencyGuard({ redis });

  const choose = async (audience: Audience) =>
    chooseSatellites(withoutStandIns(await there.all(clock.steady())), audience);

  return {
    isQuiet,

    async unheard(audience) {
      const { satellites, ...rest } = await choose(audience);
      return satellites.length > 0 ? null : { playing: [], waiting: [], failed: [], ...rest };
    },

    async rooms() {
      const connected = await there.all(clock.steady());
      return [...new Set(connected.flatMap(({ room }) => room ?? []))];
    },

    async announce({ text, language, turn, ...wanted }) {
      const { satellites, ...rest } = await choose(wanted);
      const found: Announced = { playing: [], waiting: [], failed: [], ...rest };
      if (satellites.length === 0) return found;
      if (turn !== null && !(await isFirst(turn))) return null;
      const sessions = satellites.map(({ sessionId }) => sessionId);
      const states = await requests.send({ text, language, sessions, from: wanted.from });
      for (const { sessionId, room, conversation } of satellites) {
        const state = states.get(sessionId);
        if (state !== undefined) found[state].push({ room, conversation });
        else {
          onUnanswered({ session: sessionId, room, conversation });
          noteAway(found, { room, conversation }, wanted);
        }
      }
      return found;
    },

    async lastOrigin(conversation) {
      const found = await onRedis(redis, () => redis.get(keys.announced.of(conversation)));
      return found === null ? null : (announcementPlaceSchema.safeParse(parseJson(found)).data ?? null);
    },
  };
}

/** A satellite that does not answer has left, perhaps with its process. A wanted room counts as missing. */
function noteAway(found: Announced, spot: AnnouncementPlace, { rooms }: Audience): void {
  if (spot.room !== null && rooms !== null) found.missing.push(spot.room);
  else found.failed.push(spot);
}

/** Records the origin of an announcement heard in a conversation, so that people there can answer. */
export function createAnnouncementOrigins({ redis }: { redis: Redis }) {
  const notSaved = createUnsaved(redis);
  return (conversation: string, from: AnnouncementPlace): Promise<void> =>
    notSaved.set(keys.announced.of(conversation), JSON.stringify(from), keys.announced.lastsS);
}
