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
  const put = async ({ action, conversation }: TimerChange, before: Timer | null, after: Timer) => {
    const keys = [timersKey, actedKey(action.turn), actionsKey(conversation)];
    const args = [
      JSON.stringify(action),
      channelOn(redis, timerChannel),
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
    const args = [JSON.stringify(action), channelOn(redis, timerChannel), action.turn, how, ...ids];
    const result = await onRedis(redis, () => redis.takeTimers(...keys, ...args));
    const taken = recordsSchema.parse(JSON.parse(result));
    await arrange(taken.filter(({ state }) => state === 'running').map(jobs.remove));
    return taken;
  };

  return {
    /** Sets a timer. "full": there are as many as there may be. Look at `timerFault` before. */
    async set(change: TimerChange, timer: NewTimer): Promise<Timer | 'full'> {
      const result = await put(change, null, firstRecord(randomUUID(), timer, clock));
      return result === 'changed' ? 'full' : result;
    },

    /** Gives a timer another time or name. A ringing one with a new time runs again. Null: it is not any more as it was read. */
    async change(change: TimerChange, timer: Timer, to: NewTime): Promise<Timer | null> {
      const result = await put(change, timer, changedTimer(timer, to, clock));
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
      await arrange(again.flatMap(({ becomes }) => (becomes ? [jobs.add(becomes)] : [])));
      return undone;
    },
  };
}

const recordsSchema = z.array(timerSchema);
