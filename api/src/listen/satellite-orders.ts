import type { SatelliteOrder, SatelliteOutcome } from '../satellites/satellite-post.ts';
import type { Level } from './microphone-level.ts';

/** A satellite of this process. */
export interface OrderedSatellite {
  /** Null: it has no name. */
  client: () => string | null;
  /** How loud it is at its microphone; null: not known yet. */
  level: () => Level | null;
  /** Plays a short sound; false: it is muted, or somebody speaks there or is being answered. */
  sound: () => boolean;
}

export type SatelliteOrders = ReturnType<typeof createSatelliteOrders>;

/** Does what the household wants of the satellites of this process. */
export function createSatelliteOrders() {
  const satellites = new Map<string, OrderedSatellite>();
  return {
    put: (session: string, satellite: OrderedSatellite): void => void satellites.set(session, satellite),
    leave: (session: string): void => void satellites.delete(session),
    /** Null: it is not here. */
    onOrder({ client, want }: SatelliteOrder): SatelliteOutcome | null {
      const satellite = [...satellites.values()].find((each) => each.client() === client);
      if (satellite === undefined) return null;
      return want === 'level'
        ? { level: satellite.level(), isPlaying: false }
        : { level: null, isPlaying: satellite.sound() };
    },
  };
}
