import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import { type Timer, timerStates } from './timer.ts';
import type { TimerNews } from './timer-news.ts';
import type { TimerStore } from './timer-store.ts';
import { isSameDue, nowOf, ringingFrom, steppedMs } from './timer-time.ts';
import { whatNow } from './what-now.ts';

/** So long a worker's word is waited for: it rings in every process alike. Without one it is still heard within the second. */
const graceMs = 400;

interface TimersHereOptions {
  timers: Pick<TimerStore, 'ring' | 'noteHeard' | 'miss' | 'silence'>;
  /** How long a timer rings. */
  ringMs: () => number;
  onError: (error: unknown) => void;
  clock?: HouseholdClock;
}

/** After these its record is gone. */
const overBy: ReadonlySet<TimerNews['change']> = new Set(['cancelled', 'acknowledged', 'told', 'done']);

/** A timer's state here, while its record does not say so yet. */
interface Step {
  /** As it was before: with another due time it is another matter. */
  of: Timer;
  /** Null: somebody has stopped it. */
  becomes: Timer | null;
}

export type TimersHere = ReturnType<typeof createTimersHere>;

/**
 * The timers as one process knows them: their records, and what has happened here since. Nothing waits for Redis: what it cannot take now is
 * tried again, until the records say the same or something else has been done to the timer.
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
    /** These are all records there are. */
    read(found: readonly Timer[]): void {
      records = new Map(found.map((timer) => [timer.id, timer]));
      compare();
    },
    /** A record has changed. */
    onNews({ change, timer }: TimerNews): void {
      if (overBy.has(change)) records.delete(timer.id);
      else records.set(timer.id, timer);
      compare();
    },
    /** The moves that were due up to now and that nobody has told of. */
    tend(): Pick<TimerNews, 'change' | 'timer'>[] {
      return all().flatMap((timer) => {
        const limits = { ringMs: ringMs(), steppedMs: steppedMs(timer, clock) };
        const what = whatNow(timer, nowOf(timer, clock) - graceMs, limits);
        if (what !== 'ring' && what !== 'miss') return [];
        const [change, becomes] =
          what === 'ring'
            ? (['ringing', ringingFrom(timer, clock)] as const)
            : (['missed', { ...timer, state: 'missed' }] as const);
        take(timer, becomes);
        return [{ change, timer: becomes }];
      });
    },
    /** How long until the next one rings by itself, in ms; null: none runs. */
    nextInMs(): number | null {
      const running = all().filter(({ state, kind }) => state === 'running' && kind !== 'command');
      const waits = running.map((timer) => timer.dueAt + graceMs - nowOf(timer, clock));
      return waits.length === 0 ? null : Math.max(0, Math.min(...waits));
    },
    /** It is heard on a satellite. */
    noteHeard(id: string): void {
      const timer = get(id);
      if (timer?.state !== 'ringing' || timer.heardAt !== null) return;
      take(timer, { ...timer, heardAt: nowOf(timer, clock) });
    },
    /** Somebody has stopped it, without a word. */
    silence(id: string): void {
      const timer = get(id);
      if (timer !== undefined) take(timer, null);
    },
    /** Tries again what Redis has not taken. */
    async write(): Promise<void> {
      for (const id of steps.keys()) await write(id).catch(onError);
    },
  };
}

/** Whether the record says the same as happened here, or more, or something that makes it void. */
function hasFollowed(record: Timer | undefined, { of, becomes }: Step): boolean {
  if (record === undefined || record.state === 'paused' || !isSameDue(record, of)) return true;
  if (becomes === null) return false;
  const ahead = timerStates.indexOf(record.state) - timerStates.indexOf(becomes.state);
  return ahead > 0 || (ahead === 0 && (record.heardAt !== null || becomes.heardAt === null));
}
