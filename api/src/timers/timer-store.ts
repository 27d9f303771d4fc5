import { randomUUID } from 'node:crypto';
import type { Redis, Result } from 'ioredis';
import { z } from 'zod';
import { actedKey, actionsKey, type Recorded } from '../actions/action-store.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { connectedKey, readConnected } from './satellites-there.ts';
import {
  mayMove,
  type NewTimer,
  type Place,
  ringsWhere,
  type Timer,
  timerLimits,
  timerSchema,
} from './timer.ts';
import type { NewTimerAction, TimerAction } from './timer-action.ts';
import { timerChannel } from './timer-news.ts';
import { argsOf, readTimer, undoing } from './timer-records.ts';
import { moveTimerScript, putTimerScript, takeTimersScript, undoTimerScript } from './timer-scripts.ts';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    putTimer(...args: Args): Result<string, Context>;
    takeTimers(...args: Args): Result<string, Context>;
    undoTimerAction(...args: Args): Result<string[], Context>;
    moveTimer(...args: Args): Result<number, Context>;
  }
}

const timersKey = keys.timers.of();

/** What a turn does to timers. The kind of its action says how it is told of and taken back. */
export interface TimerChange {
  action: NewTimerAction;
  /** Where it can be undone; null: by nobody. */
  conversation: string | null;
}

export type NewTime = Partial<Pick<Timer, 'dueAt' | 'durationMs' | 'label'>>;

/** The delayed jobs behind the timers. What they miss is made good by the sweep, so nothing fails for want of one. */
export interface RingJobs {
  /** There is a job for the timer's due time. */
  add(timer: Timer): Promise<void>;
  /** Nobody waits for this due time any more. */
  remove(timer: Timer): Promise<void>;
}

interface TimerStoreOptions {
  redis: Redis;
  jobs: RingJobs;
  /** Whether timers ring only where they were asked for now. */
  isQuiet?: () => boolean;
}

export type TimerStore = ReturnType<typeof createTimerStore>;

/**
 * The household's timers, alarms and reminders. What a turn does is one script that also notes how to take it back, and a turn does it once
 * however often its job runs.
 */
export function createTimerStore({ redis, jobs, isQuiet = () => false }: TimerStoreOptions) {
  redis.defineCommand('putTimer', { numberOfKeys: 3, lua: putTimerScript });
  redis.defineCommand('takeTimers', { numberOfKeys: 3, lua: takeTimersScript });
  redis.defineCommand('undoTimerAction', { numberOfKeys: 2, lua: undoTimerScript });
  redis.defineCommand('moveTimer', { numberOfKeys: 1, lua: moveTimerScript });

  /** The timers are right; a job more or less is not worth an error. */
  const arrange = (work: Promise<void>[]): Promise<unknown> => Promise.allSettled(work);

  const put = async ({ action, conversation }: TimerChange, before: Timer | null, after: Timer) => {
    const keys = [timersKey, actedKey(action.turn), actionsKey(conversation)];
    const args = [
      JSON.stringify(action),
      timerChannel,
      action.turn,
      timerLimits.timers,
      after.id,
      before?.revision ?? '',
      JSON.stringify(after),
    ];
    const result = await onRedis(redis, () => redis.putTimer(...keys, ...args));
    if (result === 'full' || result === 'changed') return result;
    const timer = timerSchema.parse(JSON.parse(result));
    const isMoved = before !== null && before.dueAt !== timer.dueAt;
    await arrange([jobs.add(timer), ...(isMoved ? [jobs.remove(before)] : [])]);
    return timer;
  };

  const take = async (change: TimerChange, how: 'cancelled' | 'acknowledged', ids: readonly string[]) => {
    const { action, conversation } = change;
    const actions = how === 'cancelled' ? actionsKey(conversation) : '';
    const keys = [timersKey, actedKey(action.turn), actions];
    const args = [JSON.stringify(action), timerChannel, action.turn, how, ...ids];
    const result = await onRedis(redis, () => redis.takeTimers(...keys, ...args));
    const taken = recordsSchema.parse(JSON.parse(result));
    await arrange(taken.filter(({ state }) => state === 'running').map(jobs.remove));
    return taken;
  };

  const all = async (): Promise<Timer[]> => {
    const records = await onRedis(redis, () => redis.hvals(timersKey));
    return records.flatMap(readTimer).toSorted((one, other) => one.dueAt - other.dueAt);
  };
  const read = async (id: string): Promise<Timer | null> => {
    const record = await onRedis(redis, () => redis.hget(timersKey, id));
    return record === null ? null : (readTimer(record)[0] ?? null);
  };

  /** A step that no turn makes. False: somebody else was sooner. */
  const move = async (before: Timer, step: { change: string; after: Timer | null }): Promise<boolean> => {
    const { change, after } = step;
    if (!mayMove(before.state, after?.state ?? 'over')) return false;
    const record = after ? JSON.stringify({ ...after, revision: before.revision + 1 }) : '';
    const args = [timerChannel, change, before.id, before.revision, record];
    return (await onRedis(redis, () => redis.moveTimer(timersKey, ...args))) === 1;
  };

  const ringing = async (speaker?: Place): Promise<Timer[]> => {
    const found = (await all()).filter(({ state }) => state === 'ringing');
    if (speaker === undefined || found.length === 0) return found;
    const connected = readConnected(await onRedis(redis, () => redis.hgetall(connectedKey)), Date.now());
    return found.filter((timer) => ringsWhere(timer, speaker, { connected, isQuiet: isQuiet() }));
  };

  const remove = async (id: string, change: 'cancelled' | 'acknowledged'): Promise<Timer | null> => {
    const timer = await read(id);
    if (timer === null) return null;
    // Somebody else may change it in this very moment: then that counts, and this comes after it.
    if (!(await move(timer, { change, after: null }))) return remove(id, change);
    await arrange([jobs.remove(timer)]);
    return timer;
  };

  return {
    /** Sets a timer. "full": there are as many as there may be. Look at `timerFault` before. */
    async set(change: TimerChange, timer: NewTimer): Promise<Timer | 'full'> {
      const fresh = { state: 'running', revision: 1, ringingAt: null, heardAt: null } as const;
      const result = await put(change, null, { id: randomUUID(), ...timer, ...fresh });
      return result === 'changed' ? 'full' : result;
    },

    /** Gives a timer another time or name. A ringing one with a new time runs again. Null: it is not any more as it was read. */
    async change(change: TimerChange, timer: Timer, to: NewTime): Promise<Timer | null> {
      const again =
        to.dueAt === undefined ? {} : ({ state: 'running', ringingAt: null, heardAt: null } as const);
      const result = await put(change, timer, { ...timer, ...to, ...again, revision: timer.revision + 1 });
      return typeof result === 'string' ? null : result;
    },

    /** Takes timers away, running or ringing. Returns those that were there. */
    cancel: (change: TimerChange, ids: readonly string[]): Promise<Timer[]> => take(change, 'cancelled', ids),

    /** Ends the ringing that can be heard where somebody speaks. Returns the timers that rang there; it cannot be undone. */
    async acknowledge(change: TimerChange, speaker: Place): Promise<Timer[]> {
      const rung = await ringing(speaker);
      // Also when none rings: the turn may have acknowledged them already, and its job runs again.
      return take(
        change,
        'acknowledged',
        rung.map(({ id }) => id),
      );
    },

    /** The timers that ring where somebody speaks; without a speaker all that ring. */
    ringing,

    /**
     * Takes back what was set, changed or cancelled. Returns the ids of those timers that are as they were: none when that was done meanwhile, or
     * when their time is over. `now` is Unix time in ms.
     */
    async undo(
      found: Recorded<TimerAction>,
      { conversation, now }: { conversation: string | null; now: number },
    ) {
      const { place, record, marked, action } = found;
      const steps = undoing(action, now);
      const args = [place, record, marked, timerChannel, ...steps.flatMap(argsOf)];
      const undone = await onRedis(redis, () =>
        redis.undoTimerAction(timersKey, actionsKey(conversation), ...args),
      );
      const again = steps.filter(({ id }) => undone.includes(id));
      await arrange(again.flatMap(({ becomes }) => (becomes ? [jobs.add(becomes)] : [])));
      return undone;
    },

    /** Every timer that is not over, the next one first. */
    all,
    read,

    /** Takes a timer away without a turn. Null: there is none. */
    remove: (id: string): Promise<Timer | null> => remove(id, 'cancelled'),

    /** Its time has come. False: it rings already, was changed, or is gone. */
    async ring(timer: Timer, now: number): Promise<boolean> {
      if (timer.state !== 'running') return false;
      return move(timer, { change: 'ringing', after: { ...timer, state: 'ringing', ringingAt: now } });
    },

    /** It is heard on a satellite, for the first time. */
    async noteHeard(timer: Timer, now: number): Promise<void> {
      if (timer.heardAt !== null) return;
      await move(timer, { change: 'heard', after: { ...timer, heardAt: now } });
    },

    /** Nobody has stopped it. */
    miss: (timer: Timer): Promise<boolean> =>
      move(timer, { change: 'missed', after: { ...timer, state: 'missed' } }),

    /** Somebody has stopped it where it rings, without a word. */
    silence: (id: string): Promise<Timer | null> => remove(id, 'acknowledged'),

    /** Whether this process may tell of a missed timer now: no two tell it at once. */
    async claim({ id }: Timer): Promise<boolean> {
      const key = keys.tellingOf.of(id);
      return (await onRedis(redis, () => redis.set(key, '1', 'EX', keys.tellingOf.lastsS, 'NX'))) === 'OK';
    },

    /** A missed one has been told, or is too old to be. */
    forget: (timer: Timer): Promise<boolean> => move(timer, { change: 'told', after: null }),

    jobs,
  };
}

const recordsSchema = z.array(timerSchema);
