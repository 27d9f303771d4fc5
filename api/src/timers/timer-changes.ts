import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { actedKey, actionsKey, type Recorded } from '../actions/action-store.ts';
import { channelOn } from '../redis/channel.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import type { KeptTimers } from './kept-timers.ts';
import { arrange, type RingJobs } from './ring-jobs.ts';
import { type NewTimer, type Place, type Timer, timerLimits, timerSchema } from './timer.ts';
import type { NewTimerAction, TimerAction } from './timer-action.ts';
import { timerChannel } from './timer-news.ts';
import { argsOf, changedTimer, firstRecord, type NewTime, undoing } from './timer-records.ts';

const timersKey = keys.timers.of();

/** A change that a turn makes to timers. The kind of its action says how it is told of and taken back. */
export interface TimerChange {
  action: NewTimerAction;
  /** Where it can be undone; null: by nobody. */
  conversation: string | null;
}

/** A timer and what becomes of it. */
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
  ringing: KeptTimers['ringing'];
  clock: HouseholdClock;
}

/**
 * The changes that turns make. Each is one script that also notes how to take it back, and a turn makes it once however often its job runs.
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
    /** Sets timers, all or none. "full": there are as many as there may be. Look at `timerFault` before. */
    setAll,
    async set(change: TimerChange, timer: NewTimer): Promise<Timer | 'full'> {
      const made = await setAll(change, [timer]);
      return made === 'full' ? made : (made[0] ?? 'full');
    },

    /** Gives timers another time or name, and sets others with them: all or none. A ringing one with a new time runs again. Null: one is not any more as it was read. */
    changeAll,
    async change(change: TimerChange, timer: Timer, to: NewTime): Promise<Timer | null> {
      return (await changeAll(change, [{ timer, to }]))?.[0] ?? null;
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

    /**
     * Takes back what was set, changed or cancelled. Returns the ids of those timers that are as they were: none when that was done meanwhile, or
     * when their time is over. `now` is Unix time in ms.
     */
    async undo(
      found: Recorded<TimerAction>,
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
