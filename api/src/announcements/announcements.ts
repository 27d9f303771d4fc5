import type { Redis } from 'ioredis';
import { createIdempotencyGuard } from '../actions/idempotency-guard.ts';
import { parseJson } from '../json.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { createUnsaved } from '../redis/unsaved.ts';
import type { SatellitesThere } from '../timers/satellites-there.ts';
import { withoutStandIns } from '../timers/timer.ts';
import { type Audience, chooseSatellites, type Spot, spotSchema } from './announcement.ts';
import { createAnnouncementPost } from './announcement-post.ts';

/** A satellite that has not begun by then is busy: somebody talks there, or is answered. */
const maxWaitMs = 3_000;

/** What became of an announcement, by satellite. */
export interface Announced {
  /** Its sound was sent on their open connections. */
  playing: Spot[];
  /** They say it as soon as nobody talks there. */
  waiting: Spot[];
  /** They are there and could not say it: no voice can speak, or too much waits already. */
  failed: Spot[];
  /** Rooms that were asked for and have no satellite. */
  missing: string[];
  /** It was asked for where it was said. */
  isHere: boolean;
}

export interface NewAnnouncement extends Audience {
  text: string;
  /** The turn that announces it; null: it comes from no turn. */
  turn: string | null;
}

interface AnnouncementsOptions {
  redis: Redis;
  /** A connection that only subscribes. */
  subscriber: Redis;
  there: Pick<SatellitesThere, 'all'>;
  /** During quiet hours nobody is told anything unless they insist. */
  isQuiet: () => boolean;
  clock: HouseholdClock;
  onBadEvent: (error: Error) => void;
  maxWaitMs?: number;
}

/** Words of one person for the other rooms. */
export interface Announcements {
  isQuiet(): boolean;
  /** The rooms that have a satellite, each once. */
  rooms(): Promise<string[]>;
  /** Null: this turn has announced it before, and nobody knows what became of it. */
  announce(announcement: NewAnnouncement): Promise<Announced | null>;
  /** Where the last announcement came from that was heard in a conversation; null: none lately. */
  lastHeardFrom(conversation: string): Promise<Spot | null>;
}

export function createAnnouncements(options: AnnouncementsOptions): Announcements {
  const { redis, there, isQuiet, clock } = options;
  const post = createAnnouncementPost({ maxWaitMs, ...options });
  const isFirst = createIdempotencyGuard({ redis });

  return {
    isQuiet,

    async rooms() {
      const connected = await there.all(clock.steady());
      return [...new Set(connected.flatMap(({ room }) => room ?? []))];
    },

    async announce({ text, turn, ...wanted }) {
      const audible = withoutStandIns(await there.all(clock.steady()));
      const { satellites, ...rest } = chooseSatellites(audible, wanted);
      const found: Announced = { playing: [], waiting: [], failed: [], ...rest };
      if (satellites.length === 0) return found;
      if (turn !== null && !(await isFirst(turn))) return null;
      const sessions = satellites.map(({ sessionId }) => sessionId);
      const states = await post.send({ text, sessions, from: wanted.from });
      for (const { sessionId, room, conversation } of satellites) {
        const state = states.get(sessionId);
        if (state) found[state].push({ room, conversation });
        // One that does not answer has left with its process: it counts as not there.
        else if (room !== null && wanted.rooms !== null) found.missing.push(room);
      }
      return found;
    },

    async lastHeardFrom(conversation) {
      const found = await onRedis(redis, () => redis.get(keys.announced.of(conversation)));
      return found === null ? null : (spotSchema.safeParse(parseJson(found)).data ?? null);
    },
  };
}

/** Notes where what was heard in a conversation came from, so that somebody there can answer. */
export function createHeardNotes({ redis }: { redis: Redis }) {
  const notSaved = createUnsaved(redis);
  return (conversation: string, from: Spot): Promise<void> =>
    notSaved.set(keys.announced.of(conversation), JSON.stringify(from), keys.announced.lastsS);
}
