import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { nextTransition } from './next-transition.ts';
import { type Timer, timerStates } from './timer.ts';
import type { TimerNews } from './timer-news.ts';
import type { TimerStore } from './timer-store.ts';
import { isSameDue, nowOf, ringingFrom, steppedMs } from './timer-time.ts';

/**
 * How long to wait for a worker to ring a timer, so that all processes agree. Without a worker, it still
 * rings within a second.
 */
const graceMs = 400;

interface TimersHereOptions {
  timers: Pick<TimerStore, 'ring' | 'noteHeard' | 'miss' | 'silence'>;
  /** How long a timer rings. */
  ringMs: () => number;
  onError: (error: unknown) => void;
  clock?: HouseholdClock;
}

/** Changes after which the record is gone. */
const overBy: ReadonlySet<TimerNews['change']> = new Set(['cancelled', 'acknowledged', 'told', 'done']);

/** A local change of a timer that its record does not contain yet. */
interface Step {
  /** The timer before the change. If the due time differs, the change is void. */
  of: Timer;
  /** Null: someone has stopped it. */
  becomes: Timer | null;
}

export type TimersHere = ReturnType<typeof createTimersHere>;

/**
 * The timers known to this process: records plus local changes. Callers never wait for Redis. A rejected
 * write is retried until the record matches, or another change replaces it.
 */
export function createTimersHere({ timers, ringMs, onError, clock = machineClock }: TimersHereOptions) {
  let records = new Map<string, Timer>();
  const steps = new Map<string, Step>();

  const get = (id: string): Timer | undefined => {
    const record = records.get(id);
    const step = steps.get(id);
    if (record === undefined || step === undefined) return record;
    return step.becomes === null ? undefined : { ...step.becomes, revision: record.revision };
  };
  const all = (): Timer[] => [...records.keys()].flatMap((id) => get(id) ?? []);

  const write = async (id: string): Promise<void> => {
    const [record, step] = [records.get(id), steps.get(id)];
    if (record === undefined || step === undefined) return;
    if (step.becomes === null) return void (await timers.silence(id));
    const { state, heardAt } = step.becomes;
    const here = { ...step.becomes, state: record.state, revision: record.revision };
    if (state === 'missed') await timers.miss(here);
    else if (record.state === 'running') await timers.ring(here, here.ringingAt ?? here.dueAt);
    else if (heardAt !== null) await timers.noteHeard({ ...here, heardAt: null }, heardAt);
  };
  const take = (timer: Timer, becomes: Timer | null): void => {
    steps.set(timer.id, { of: timer, becomes });
    write(timer.id).catch(onError);
  };
  const compare = (): void => {
    for (const [id, step] of steps) if (hasFollowed(records.get(id), step)) steps.delete(id);
  };

  return {
    all,
    get,
    /** Replaces all records. Returns the ended timers whose end no message has reported. */
    read(found: readonly Timer[]): Timer[] {
      const before = all();
      records = new Map(found.map((timer) => [timer.id, timer]));
      compare();
      return before.filter(({ id }) => !records.has(id));
    },
    /** A record has changed. */
    onNews({ change, timer }: TimerNews): void {
      if (overBy.has(change)) records.delete(timer.id);
      else records.set(timer.id, timer);
      compare();
    },
    /** Makes the due transitions that no worker has reported, and returns them. */
    tend(): Pick<TimerNews, 'change' | 'timer'>[] {
      return all().flatMap((timer) => {
        const limits = { ringMs: ringMs(), steppedMs: steppedMs(timer, clock) };
        const what = nextTransition(timer, nowOf(timer, clock) - graceMs, limits);
        if (what !== 'ring' && what !== 'miss') return [];
        const [change, becomes] =
          what === 'ring'
            ? (['ringing', ringingFrom(timer, clock)] as const)
            : (['missed', { ...timer, state: 'missed' }] as const);
        take(timer, becomes);
        return [{ change, timer: becomes }];
      });
    },
    /** Time until the next timer rings here, in ms. Null: none is running. */
    nextInMs(): number | null {
      const running = all().filter(({ state, kind }) => state === 'running' && kind !== 'command');
      const waits = running.map((timer) => timer.dueAt + graceMs - nowOf(timer, clock));
      return waits.length === 0 ? null : Math.max(0, Math.min(...waits));
    },
    /** A satellite has rung it. */
    noteHeard(id: string): void {
      const timer = get(id);
      if (timer?.state !== 'ringing' || timer.heardAt !== null) return;
      take(timer, { ...timer, heardAt: nowOf(timer, clock) });
    },
    /** Someone has stopped it by button. */
    silence(id: string): void {
      const timer = get(id);
      if (timer !== undefined) take(timer, null);
    },
    /** Retries writes that Redis has rejected. */
    async write(): Promise<void> {
      for (const id of steps.keys()) await write(id).catch(onError);
    },
  };
}

/** Whether the record contains the local change, goes beyond it, or makes it void. */
function hasFollowed(record: Timer | undefined, { of, becomes }: Step): boolean {
  if (record === undefined || record.state === 'paused' || !isSameDue(record, of)) return true;
  if (becomes === null) return false;
  const ahead = timerStates.indexOf(record.state) - timerStates.indexOf(becomes.state);
  return ahead > 0 || (ahead === 0 && (record.heardAt !== null || becomes.heardAt === null));
}
