import { type HouseholdClock, machineClock } from '../../redis/household-clock.ts';
import { type ConnectedSatellite, type SatellitesThere, staleMs } from '../../timers/satellites-there.ts';
import { type Place, satellitesFor, type Timer } from '../../timers/timer.ts';
import type { ServerEvent, WakeMode } from '../events/listen-events.ts';
import type { Ring } from './ringing.ts';

/** A satellite connected to this process. */
export interface RingingSatellite {
  sessionId: string;
  place: Place & { wake?: WakeMode | undefined };
  /** A program, which may connect while no person is there. */
  isProgram?: boolean;
  ring: (rings: readonly Ring[]) => void;
  tell: (event: ServerEvent) => void;
}

interface KnownSatellitesOptions {
  there: Pick<SatellitesThere, 'tell' | 'leave'>;
  clock?: HouseholdClock | undefined;
}

export type KnownSatellites = ReturnType<typeof createKnownSatellites>;

/**
 * The satellites of this process, and recent reports about those of other processes. They decide where a
 * timer rings.
 */
export function createKnownSatellites({ there, clock = machineClock }: KnownSatellitesOptions) {
  const own = new Map<string, RingingSatellite>();
  let connected: { satellites: readonly ConnectedSatellite[]; atMs: number } = { satellites: [], atMs: 0 };

  const ownPlaces = (): ConnectedSatellite[] =>
    [...own.values()].map(({ sessionId, place }) => ({ sessionId, ...place }));
  /** Ignore stale reports of other processes: a satellite that may be gone is no reason to be silent here. */
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
    /** Records the satellites of all processes, as just read. */
    note(satellites: readonly ConnectedSatellite[]): void {
      connected = { satellites, atMs: performance.now() };
    },
    /** Whether this satellite is among those on which the timer rings. */
    isFor: (timer: Timer, { sessionId }: RingingSatellite): boolean =>
      satellitesFor(timer, all()).some((each) => each.sessionId === sessionId),
    /** Whether a timer would ring on a satellite that connects at this place. */
    wouldBeFor(timer: Timer, place: Place): boolean {
      const newcomer = { sessionId: '', ...place };
      return satellitesFor(timer, [...all(), newcomer]).includes(newcomer);
    },
  };
}
