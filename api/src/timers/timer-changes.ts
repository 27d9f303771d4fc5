import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { actedKey, actionsKey, type StoredAction } from '../actions/action-store.ts';
import { channelOn } from '../redis/channel.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { arrange, type RingJobs } from './ring-jobs.ts';
import type { StoredTimers } from './stored-timers.ts';
import { type NewTimer, type Place, type Timer, timerLimits, timerSchema } from './timer.ts';
import type { NewTimerAction, TimerAction } from './timer-action.ts';
import { timerChannel } from './timer-news.ts';
import { argsOf, changedTimer, firstRecord, type NewTime, undoing } from './timer-records.ts';

const timersKey = keys.timers.of();

/** A change that a turn makes to timers. The kind of its action decides how it is described and undone. */
interface TimerChange {
  action: NewTimerAction;
  /** The conversation that can undo it. Null: none. */
  conversation: string | null;
}

/** A timer and its changes. */
interface Changed {
  timer: Timer;
  to: NewTime;
}

interface Put {
  before: Timer | null;
  after: Timer;
}

interface TimerChangesOptions {
  redis: Redis;
  jobs: RingJobs;
  ringing: StoredTimers['ringing'];
  clock: HouseholdClock;
}

/**
 * Changes by turns. Each is one script that also records how to undo it. A turn makes it once, however often
 * its job runs.
 */
export function createTimerChanges({ redis, jobs, ringing, clock }: TimerChangesOptions) {
  const put = async ({ action, conversation }: TimerChange, steps: readonly Put[]) => {
    const keys = [timersKey, actedKey(action.turn), actionsKey(conversation)];
    const args = [
      JSON.stringify(action),
      channelOn(redis, timerChannel),
      action.turn,
      timerLimits.timers,
      ...steps.flatMap(({ before, after }) => [after.id, before?.revision ?? '', JSON.stringify(after)]),
    ];
    const result = await onRedis(redis, () => redis.putTimers(...keys, ...args));
    if (result === 'full' || result === 'changed') return result;
    const timers = recordsSchema.parse(JSON.parse(result));
    await arrange(
      timers.flatMap((timer, at) => {
        const before = steps[at]?.before ?? null;
        const isMoved = before !== null && (before.dueAt !== timer.dueAt || timer.state === 'paused');
        return [
          ...(timer.state === 'running' ? [jobs.add(timer)] : []),
          ...(isMoved ? [jobs.remove(before)] : []),
        ];
      }),
    );
    return timers;
  };

  const take = async (change: TimerChange, how: 'cancelled' | 'acknowledged', ids: readonly string[]) => {
    const { action, conversation } = change;
    const actions = how === 'cancelled' ? actionsKey(conversation) : '';
    const keys = [timersKey, actedKey(action.turn), actions];
    const args = [JSON.stringify(action), channelOn(redis, timerChannel), action.turn, how, ...ids];
    const result = await onRedis(redis, () => redis.takeTimers(...keys, ...args));
    const taken = recordsSchema.parse(JSON.parse(result));
    await arrange(taken.filter(({ state }) => state === 'running').map(jobs.remove));
    return taken;
  };

  const setAll = async (change: TimerChange, timers: readonly NewTimer[]): Promise<Timer[] | 'full'> => {
    const steps = timers.map((timer) => ({ before: null, after: firstRecord(randomUUID(), timer, clock) }));
    const result = await put(change, steps);
    return result === 'changed' ? 'full' : result;
  };
  const changeAll = async (
    change: TimerChange,
    timers: readonly Changed[],
    added: readonly NewTimer[] = [],
  ): Promise<Timer[] | null> => {
    const steps = timers.map(({ timer, to }) => ({ before: timer, after: changedTimer(timer, to, clock) }));
    const more = added.map((timer) => ({ before: null, after: firstRecord(randomUUID(), timer, clock) }));
    const result = await put(change, [...steps, ...more]);
    return typeof result === 'string' ? null : result;
  };

  return {
    /** Sets all timers or none. "full": the limit is reached. Check `timerFault` first. */
    setAll,
    async set(change: TimerChange, timer: NewTimer): Promise<Timer | 'full'> {
      const made = await setAll(change, [timer]);
      return made === 'full' ? made : (made[0] ?? 'full');
    },

    /**
     * Changes times or names of timers and sets others with them, all or none. A ringing timer with a new
     * time runs again. Null: one was changed meanwhile.
     */
    changeAll,
    async change(change: TimerChange, timer: Timer, to: NewTime): Promise<Timer | null> {
      return (await changeAll(change, [{ timer, to }]))?.[0] ?? null;
    },

    /** Cancels timers, running or ringing. Returns those that existed. */
    cancel: (change: TimerChange, ids: readonly string[]): Promise<Timer[]> => take(change, 'cancelled', ids),

    /** Stops the timers that ring at the speaker's place, and returns them. It cannot be undone. */
    async acknowledge(change: TimerChange, speaker: Place): Promise<Timer[]> {
      const rung = await ringing(speaker);
      // Called even without ringing timers: if the job runs twice, this returns the first result.
      return take(
        change,
        'acknowledged',
        rung.map(({ id }) => id),
      );
    },

    /**
     * Undoes a change. Returns the ids of the restored timers. Empty if it was undone already or their time
     * has passed. `now` is Unix time in ms.
     */
    async undo(
      found: StoredAction<TimerAction>,
      { conversation, now }: { conversation: string | null; now: number },
    ) {
      const { place, record, marked, action } = found;
      const steps = undoing(action, now, clock);
      const args = [place, record, marked, channelOn(redis, timerChannel), ...steps.flatMap(argsOf)];
      const undone = await onRedis(redis, () =>
        redis.undoTimerAction(timersKey, actionsKey(conversation), ...args),
      );
      const again = steps.filter(({ id }) => undone.includes(id));
      await arrange(
        again.flatMap(({ becomes }) => (becomes && becomes.state !== 'paused' ? [jobs.add(becomes)] : [])),
      );
      return undone;
    },
  };
}

const recordsSchema = z.array(timerSchema);
