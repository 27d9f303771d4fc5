import { z } from 'zod';

/** Nobody listens to more. */
export const announcementLimits = { characters: 500, rooms: 20 } as const;

/** Where something is said or heard. */
export const spotSchema = z.object({ room: z.string().nullable(), conversation: z.string().nullable() });

export type Spot = z.infer<typeof spotSchema>;

export interface Audience {
  /** By their names; null: every room. */
  rooms: readonly string[] | null;
  /** Where it is said: it is not announced there. Null: nowhere. */
  from: Spot | null;
}

export interface Chosen<Satellite> {
  satellites: Satellite[];
  /** Rooms that were asked for and have no satellite. */
  missing: string[];
  /** Among what was asked for is the place where it is said. */
  isHere: boolean;
}

/** The satellites, of those that are connected, on which something is announced. */
export function chooseSatellites<Satellite extends Spot>(
  connected: readonly Satellite[],
  { rooms, from }: Audience,
): Chosen<Satellite> {
  const wanted = rooms && new Set(rooms.map(roomKey));
  const asked = connected.filter(
    ({ room }) => wanted === null || (room !== null && wanted.has(roomKey(room))),
  );
  const satellites = asked.filter((satellite) => from === null || !isSameSpot(from, satellite));
  const there = new Set(connected.map(({ room }) => (room === null ? '' : roomKey(room))));
  return {
    satellites,
    missing: (rooms ?? []).filter((room) => !there.has(roomKey(room))),
    isHere: satellites.length < asked.length,
  };
}

/** A room by its name, however that is written: "Living Room", "living-room"; "the kids' room", "kids room". */
export function roomKey(room: string): string {
  return room
    .normalize('NFC')
    .replaceAll(/['’]/g, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function isSameSpot(one: Spot, other: Spot): boolean {
  if (one.conversation !== null && one.conversation === other.conversation) return true;
  return one.room !== null && other.room !== null && roomKey(one.room) === roomKey(other.room);
}
