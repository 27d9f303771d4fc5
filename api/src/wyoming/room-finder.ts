import { putLatest } from '../latest.ts';

/** How long a room is cached, and the maximum delay after a satellite has moved. */
const keptMs = 60_000;
/** More than any household has. */
const maxKept = 200;

interface RoomFinderOptions {
  /** Asks Home Assistant. Rejects if it does not answer. */
  ask: (places: readonly string[]) => Promise<string | null>;
  nowMs: () => number;
}

/**
 * Finds the room of a client by Home Assistant's ids of its device and satellite. Null: unknown, as for a
 * phone, or Home Assistant does not answer. The question is then answered without a room.
 */
export function createRoomFinder({ ask, nowMs }: RoomFinderOptions) {
  const kept = new Map<string, { room: string | null; untilMs: number }>();

  return async (places: readonly string[]): Promise<string | null> => {
    if (places.length === 0) return null;
    const key = JSON.stringify(places);
    const known = kept.get(key);
    if (known && known.untilMs > nowMs()) return known.room;
    try {
      const room = await ask(places);
      putLatest(kept, [key, { room, untilMs: nowMs() + keptMs }], maxKept);
      return room;
    } catch {
      // A stale room is better than none.
      return known?.room ?? null;
    }
  };
}
