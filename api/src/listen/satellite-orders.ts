import type { SatelliteOrder, SatelliteOutcome } from '../satellites/satellite-requests.ts';
import type { Level } from './microphone-level.ts';

/** A satellite connected to this process. */
interface OrderedSatellite {
  /** Null: it has no name. */
  client: () => string | null;
  /** The level at its microphone. Null: not known yet. */
  level: () => Level | null;
  /** Plays a short sound. False: the satellite is muted or busy. */
  sound: () => boolean;
}

export type SatelliteOrders = ReturnType<typeof createSatelliteOrders>;

/** Runs the household's commands for the satellites of this process. */
export function createSatelliteOrders() {
  const satellites = new Map<string, OrderedSatellite>();
  return {
    put: (session: string, satellite: OrderedSatellite): void => void satellites.set(session, satellite),
    leave: (session: string): void => void satellites.delete(session),
    /** Null: that satellite is not connected to this process. */
    onOrder({ client, want }: SatelliteOrder): SatelliteOutcome | null {
      const satellite = [...satellites.values()].find((each) => each.client() === client);
      if (satellite === undefined) return null;
      return want === 'level'
        ? { level: satellite.level(), isPlaying: false }
        : { level: null, isPlaying: satellite.sound() };
    },
  };
}
