import { z } from 'zod';

/** People do not listen to longer ones. */
export const announcementLimits = { characters: 500, rooms: 20 } as const;

/** A place where something is said or heard. */
export const announcementPlaceSchema = z.object({
  room: z.string().nullable(),
  conversation: z.string().nullable(),
});

export type AnnouncementPlace = z.infer<typeof announcementPlaceSchema>;

export interface Audience {
  /** Names of rooms. Null: every room. */
  rooms: readonly string[] | null;
  /** The speaker's place, which does not play the announcement. Null: none. */
  from: AnnouncementPlace | null;
}

interface Chosen<Satellite> {
  satellites: Satellite[];
  /** Requested rooms without a satellite. */
  missing: string[];
  /** The request included the speaker's own place. */
  isHere: boolean;
}

/** Chooses the connected satellites that play an announcement. */
export function chooseSatellites<Satellite extends AnnouncementPlace>(
  connected: readonly Satellite[],
  { rooms, from }: Audience,
): Chosen<Satellite> {
  const wanted = rooms && new Set(rooms.map(roomKey));
  const addressed = connected.filter(
    ({ room }) => wanted === null || (room !== null && wanted.has(roomKey(room))),
  );
  const satellites = addressed.filter((satellite) => from === null || !isSameSpot(from, satellite));
  const there = new Set(connected.map(({ room }) => (room === null ? '' : roomKey(room))));
  return {
    satellites,
    missing: (rooms ?? []).filter((room) => !there.has(roomKey(room))),
    isHere: satellites.length < addressed.length,
  };
}

/** Normalizes a room name: "Living Room" equals "living-room", "the kids' room" equals "the kids room". */
export function roomKey(room: string): string {
  return room
    .normalize('NFC')
    .replaceAll(/['’]/g, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function isSameSpot(one: AnnouncementPlace, other: AnnouncementPlace): boolean {
  if (one.conversation !== null && one.conversation === other.conversation) return true;
  return one.room !== null && other.room !== null && roomKey(one.room) === roomKey(other.room);
}
