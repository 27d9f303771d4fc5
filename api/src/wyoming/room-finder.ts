import { putLatest } from '../latest.ts';

/** Satellites seldom move; whoever carries one to another room waits no longer than this. */
const keptMs = 60_000;
/** A household has fewer. */
const maxKept = 200;

interface RoomFinderOptions {
  /** Asks Home Assistant. Rejects where it cannot say. */
  ask: (places: readonly string[]) => Promise<string | null>;
  nowMs: () => number;
}

/**
 * The room of a caller, as Home Assistant knows it by the ids of its device and satellite. Null: nobody knows, as for a phone, or Home Assistant does not say;
 * then the question is answered without a room.
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
      // Better answered as in the room before than not at all.
      return known?.room ?? null;
    }
  };
}
