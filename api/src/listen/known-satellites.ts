import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { type ConnectedSatellite, type SatellitesThere, staleMs } from '../timers/satellites-there.ts';
import { type Place, satellitesFor, type Timer } from '../timers/timer.ts';
import type { ServerEvent, WakeMode } from './listen-events.ts';
import type { Ring } from './ringing.ts';

/** A satellite that is connected to this process. */
export interface RingingSatellite {
  sessionId: string;
  place: Place & { wake?: WakeMode | undefined };
  ring: (rings: readonly Ring[]) => void;
  tell: (event: ServerEvent) => void;
}

interface KnownSatellitesOptions {
  there: Pick<SatellitesThere, 'tell' | 'leave'>;
  clock?: HouseholdClock | undefined;
}

export type KnownSatellites = ReturnType<typeof createKnownSatellites>;

/** The satellites of this process, and those of other processes as far as they were heard of lately. Together they decide where a timer rings. */
export function createKnownSatellites({ there, clock = machineClock }: KnownSatellitesOptions) {
  const own = new Map<string, RingingSatellite>();
  let connected: { satellites: readonly ConnectedSatellite[]; atMs: number } = { satellites: [], atMs: 0 };

  const ownPlaces = (): ConnectedSatellite[] =>
    [...own.values()].map(({ sessionId, place }) => ({ sessionId, ...place }));
  /** Old news of the others does not count: a room that may be gone is no reason to be silent here. */
  const others = (): ConnectedSatellite[] =>
    performance.now() - connected.atMs > staleMs
      ? []
      : connected.satellites.filter(({ sessionId }) => !own.has(sessionId));
  const all = (): ConnectedSatellite[] => [...others(), ...ownPlaces()];

  return {
    get isEmpty(): boolean {
      return own.size === 0;
    },
    own: (): readonly RingingSatellite[] => [...own.values()],
    get: (sessionId: string): RingingSatellite | undefined => own.get(sessionId),
    put(satellite: RingingSatellite): void {
      own.set(satellite.sessionId, satellite);
    },
    leave(sessionId: string): Promise<void> {
      own.delete(sessionId);
      return there.leave(sessionId);
    },
    /** Tells the other processes which satellites are connected here. */
    announce: (): Promise<void> => there.tell(ownPlaces(), clock.steady()),
    /** The satellites of all processes, as they have just been read. */
    note(satellites: readonly ConnectedSatellite[]): void {
      connected = { satellites, atMs: performance.now() };
    },
    /** Whether a timer rings on this satellite rather than on others. */
    isFor: (timer: Timer, { sessionId }: RingingSatellite): boolean =>
      satellitesFor(timer, all()).some((each) => each.sessionId === sessionId),
    /** Whether a timer would ring on a satellite that connects at this place. */
    wouldBeFor(timer: Timer, place: Place): boolean {
      const newcomer = { sessionId: '', ...place };
      return satellitesFor(timer, [...all(), newcomer]).includes(newcomer);
    },
  };
}
