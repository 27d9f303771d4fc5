import type { ConnectedSatellite, SatellitesThere } from '../timers/satellites-there.ts';
import { staleMs, tellConnectedEveryMs } from '../timers/satellites-there.ts';
import { type Place, remainingMs, ringsInQuiet, satellitesFor, type Timer } from '../timers/timer.ts';
import type { TimerNews } from '../timers/timer-news.ts';
import type { TimerStore } from '../timers/timer-store.ts';
import { createTimersHere } from '../timers/timers-here.ts';
import type { RunningTimer, ServerEvent } from './listen-events.ts';
import type { Ring } from './ringing.ts';

/** A satellite that is connected to this process. */
export interface RingingSatellite {
  sessionId: string;
  place: Place;
  ring: (rings: readonly Ring[]) => void;
  tell: (event: ServerEvent) => void;
}

interface RingerOptions {
  timers: Pick<TimerStore, 'all' | 'ring' | 'noteHeard' | 'miss' | 'silence' | 'claim' | 'forget'>;
  there: SatellitesThere;
  /** What is said of a timer, that rings or was missed, at a time. */
  wordsFor: (timer: Timer, now: number) => string;
  /** Whether nothing is to be heard now but where it was asked for. */
  isQuiet: () => boolean;
  /** How long a timer rings. */
  ringMs: () => number;
  /** A timer rings, or is missed, that no worker has told of. */
  onAlone: (news: Pick<TimerNews, 'change' | 'timer'>) => void;
  onError: (error: unknown) => void;
}

export type Ringer = ReturnType<typeof createRinger>;

/** What a satellite is told of at once; that one has finished, when it rings there. */
const events: Partial<Record<TimerNews['change'], 'timer.started' | 'timer.changed' | 'timer.stopped'>> = {
  set: 'timer.started',
  changed: 'timer.changed',
  cancelled: 'timer.stopped',
  acknowledged: 'timer.stopped',
  missed: 'timer.stopped',
};

/**
 * Which timers ring on which satellites of this process. It follows the news of timers and of satellites, and looks at both anew every few
 * seconds, so that no message that was lost keeps a timer silent, or ringing. What is due rings here also when nobody says so: Redis may be full
 * or away, and workers too.
 */
export function createRinger(options: RingerOptions) {
  const { timers, there, wordsFor, isQuiet, ringMs, onAlone, onError } = options;
  const here = createTimersHere({ timers, ringMs, onError });
  const own = new Map<string, RingingSatellite>();
  /** Missed timers that are being told, and on which satellite. */
  const telling = new Map<string, string>();
  let connected: { satellites: ConnectedSatellite[]; atMs: number } = { satellites: [], atMs: 0 };
  let newsCount = 0;
  let next: NodeJS.Timeout | undefined;
  let due: NodeJS.Timeout | undefined;

  const placed = ({ sessionId, place }: RingingSatellite): ConnectedSatellite => ({ sessionId, ...place });
  /** Of the others only what was told lately counts: a room that may be away is no reason to be silent here. */
  const others = (): ConnectedSatellite[] =>
    performance.now() - connected.atMs > staleMs
      ? []
      : connected.satellites.filter(({ sessionId }) => !own.has(sessionId));
  const all = (): ConnectedSatellite[] => [...others(), ...[...own.values()].map(placed)];
  const isFor = (timer: Timer, { sessionId }: { sessionId: string }): boolean =>
    satellitesFor(timer, all()).some((each) => each.sessionId === sessionId);

  const mayRingOn = (timer: Timer, satellite: RingingSatellite): boolean =>
    isFor(timer, satellite) && (!isQuiet() || ringsInQuiet(timer, satellite.place));

  const ringOf = (timer: Timer): Ring => ({
    id: timer.id,
    words: () => wordsFor(timer, Date.now()),
    isRinging: timer.state === 'ringing',
    timer: told(timer),
    onRing: () => {
      here.noteHeard(timer.id, Date.now());
    },
    onTold: () => {
      telling.delete(timer.id);
      if (timer.state === 'missed') timers.forget(timer).catch(onError);
    },
  });
  const ringsOn = (satellite: RingingSatellite): Ring[] =>
    here
      .all()
      .filter(({ id, state }) => state === 'ringing' || telling.get(id) === satellite.sessionId)
      .filter((timer) => timer.state !== 'running' && mayRingOn(timer, satellite))
      .map(ringOf);
  const assign = (): void => {
    for (const satellite of own.values()) satellite.ring(ringsOn(satellite));
  };

  const show = ({ place, tell }: RingingSatellite, { change, timer, turn }: TimerNews): void => {
    const type = events[change];
    if (type === 'timer.started') {
      const isOwn = turn !== '' && timer.client === place.conversation;
      tell({ type, turn_id: isOwn ? spokenTurn(turn) : null, timer: told(timer) });
    } else if (type !== undefined) {
      tell({ type, turn_id: null, timer: told(timer) });
    }
  };

  const showAll = (news: TimerNews): void => {
    for (const satellite of own.values()) if (isFor(news.timer, satellite)) show(satellite, news);
  };
  /** Now, and again when the next one is due: what is due is heard whether or not anybody can be told. */
  const tend = (): void => {
    clearTimeout(due);
    if (own.size === 0) return;
    for (const news of here.tend(Date.now())) {
      showAll({ ...news, turn: '' });
      onAlone(news);
    }
    assign();
    const nextAt = here.nextAt();
    // No later than the clock may have been set meanwhile.
    if (nextAt !== null)
      due = setTimeout(tend, Math.min(Math.max(0, nextAt - Date.now()), tellConnectedEveryMs));
  };

  const read = async (): Promise<void> => {
    const newsBefore = newsCount;
    // A Redis that is full takes nothing, and still gives what it has.
    await there.tell([...own.values()].map(placed), Date.now()).catch(onError);
    const satellites = await there.all(Date.now());
    const records = await timers.all();
    // What was told meanwhile may be newer than what was read.
    if (newsCount !== newsBefore) return read();
    connected = { satellites, atMs: performance.now() };
    here.read(records);
    void here.write();
  };
  const refresh = (): Promise<void> => read().finally(tend);
  const lookAgain = (): void => {
    clearTimeout(next);
    if (own.size > 0) next = setTimeout(look, tellConnectedEveryMs);
  };
  const look = (): void => void refresh().catch(onError).finally(lookAgain);

  /** Somebody is at a satellite: what was missed is told there. */
  const tellMissed = async (satellite: RingingSatellite, isDue: (timer: Timer) => boolean): Promise<void> => {
    for (const timer of here.all()) {
      if (timer.state !== 'missed' || !isDue(timer) || !mayRingOn(timer, satellite)) continue;
      if (await timers.claim(timer)) telling.set(timer.id, satellite.sessionId);
    }
    if (telling.size > 0) assign();
  };

  return {
    join(satellite: RingingSatellite): void {
      own.set(satellite.sessionId, satellite);
      // Of what rang here already nobody is told by a connection alone: there may be nobody.
      const hasNeverRung = ({ heardAt }: Timer) => heardAt === null;
      refresh()
        .then(() => tellMissed(satellite, hasNeverRung))
        .catch(onError)
        .finally(lookAgain);
    },
    /** It tells another room or name. */
    move(sessionId: string, place: Place): void {
      const satellite = own.get(sessionId);
      if (satellite === undefined) return;
      own.set(sessionId, { ...satellite, place });
      look();
    },
    leave(sessionId: string): void {
      own.delete(sessionId);
      if (own.size === 0) for (const timer of [next, due]) clearTimeout(timer);
      for (const [id, teller] of telling) if (teller === sessionId) telling.delete(id);
      there.leave(sessionId).catch(onError);
    },
    /** Somebody has spoken with the assistant. */
    spokenWith(sessionId: string): void {
      const satellite = own.get(sessionId);
      if (satellite) tellMissed(satellite, () => true).catch(onError);
    },
    /** The stop button of a satellite: what rings there is over. */
    stopped(sessionId: string): void {
      const satellite = own.get(sessionId);
      if (satellite === undefined) return;
      for (const { id, isRinging } of ringsOn(satellite)) {
        const timer = here.get(id);
        if (!isRinging || timer === undefined) continue;
        here.silence(id);
        showAll({ change: 'acknowledged', timer, turn: '' });
      }
      assign();
    },
    /** Something has happened to a timer. */
    onNews(news: TimerNews): void {
      const { change, timer } = news;
      newsCount += 1;
      const before = here.get(timer.id)?.state;
      here.onNews(news);
      // Of one that was stopped here, or missed, the satellites have been told.
      if (events[change] !== 'timer.stopped' || before === 'running' || before === 'ringing') showAll(news);
      // Whether another process has a satellite nearer to it may have changed a moment ago.
      if (change === 'ringing' && before !== 'ringing' && own.size > 0) look();
      else tend();
    },
    /** News may have been missed. */
    look,
    /** The timers that run for a place, as a satellite is told of them when it connects. */
    running(place: Place): RunningTimer[] {
      const newcomer = { sessionId: '', ...place };
      return here
        .all()
        .filter(({ state }) => state === 'running')
        .filter((timer) => satellitesFor(timer, [...all(), newcomer]).includes(newcomer))
        .map(told);
    },
  };
}

function told(timer: Timer): RunningTimer {
  const { id, kind, label, setAt, dueAt, durationMs } = timer;
  return {
    id,
    kind,
    name: label,
    duration_ms: Math.round(durationMs ?? Math.max(0, dueAt - setAt)),
    remaining_ms: Math.round(remainingMs(timer, Date.now())),
    ends_at: new Date(dueAt).toISOString(),
  };
}

/** The turn as the satellite knows it: each attempt at an utterance is a turn of its own. */
function spokenTurn(turn: string): string {
  return turn.split('.')[0] ?? turn;
}
