import type { Redis } from 'ioredis';
import { channelOn } from '../redis/channel.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { keys } from '../redis/keys.ts';
import { onRedis } from '../redis/redis.ts';
import { arrange, type RingJobs } from './ring-jobs.ts';
import type { StoredTimers } from './stored-timers.ts';
import { mayMove, type Timer } from './timer.ts';
import { timerChannel } from './timer-news.ts';
import { nextOf, onceOf } from './timer-records.ts';
import { nowOf, ringingFrom } from './timer-time.ts';

const timersKey = keys.timers.of();

interface TimerMovesOptions {
  redis: Redis;
  jobs: RingJobs;
  read: StoredTimers['read'];
  clock: HouseholdClock;
}

interface TimerMoves {
  /** Cancels a timer without a turn. Null: it does not exist. */
  remove(id: string): Promise<Timer | null>;
  /**
   * Rings a due timer, now or since a time on the timer's clock. False: it rings already, was changed, or is
   * gone.
   */
  ring(timer: Timer, since?: number): Promise<boolean>;
  /** Begins a scheduled command. Null: another process runs it, or it was changed or is gone. */
  begin(timer: Timer): Promise<Timer | null>;
  /** Ends a command that succeeded. */
  end(timer: Timer): Promise<boolean>;
  /** Turns a command that failed, or may have, into a ringing reminder about it. */
  fail(timer: Timer, label: string): Promise<boolean>;
  /** Records that a satellite rings it for the first time, at a time on the timer's clock. */
  noteHeard(timer: Timer, now: number): Promise<void>;
  /** Marks an unanswered timer as missed. */
  miss(timer: Timer): Promise<boolean>;
  /** Stops a ringing timer by button. */
  silence(id: string): Promise<Timer | null>;
  /** Whether this process may report a missed timer now. Only one process gets the claim. */
  claim(timer: Timer): Promise<boolean>;
  /** Deletes a missed timer that was reported or is too old. */
  forget(timer: Timer): Promise<boolean>;
}

/** Transitions without a turn: a timer rings, is heard, is missed, or is cancelled by hand. */
export function createTimerMoves({ redis, jobs, read, clock }: TimerMovesOptions): TimerMoves {
  /** False: another change came first. */
  const move = async (before: Timer, step: { change: string; after: Timer | null }): Promise<boolean> => {
    const { change, after } = step;
    if (!mayMove(before.state, after?.state ?? 'over')) return false;
    // Cancelling a repeating timer ends the repetition. Any other transition affects one occurrence.
    const next = before.state === 'running' && change !== 'cancelled' ? nextOf(before, clock) : null;
    const record = after ? JSON.stringify({ ...onceOf(after), revision: before.revision + 1 }) : '';
    const planned = next ? [next.id, JSON.stringify(next)] : [];
    const args = [channelOn(redis, timerChannel), change, before.id, before.revision, record, ...planned];
    const isMoved = (await onRedis(redis, () => redis.moveTimer(timersKey, ...args))) === 1;
    if (isMoved && next) await arrange([jobs.add(next)]);
    return isMoved;
  };

  const takeAway = async (id: string, change: 'cancelled' | 'acknowledged'): Promise<Timer | null> => {
    const timer = await read(id);
    if (timer === null) return null;
    // Another change came first, so this one applies to its result.
    if (!(await move(timer, { change, after: null }))) return takeAway(id, change);
    await arrange([jobs.remove(timer)]);
    return timer;
  };

  return {
    remove: (id) => takeAway(id, 'cancelled'),
    silence: (id) => takeAway(id, 'acknowledged'),
    async ring(timer, since) {
      if (timer.state !== 'running') return false;
      const after = ringingFrom(timer, clock);
      return move(timer, { change: 'ringing', after: { ...after, ringingAt: since ?? after.ringingAt } });
    },
    async begin(timer) {
      if (timer.state !== 'running') return null;
      const after: Timer = { ...ringingFrom(timer, clock), state: 'doing' };
      const isFirst = await move(timer, { change: 'doing', after });
      return isFirst ? { ...after, revision: timer.revision + 1 } : null;
    },
    end: (timer) => move(timer, { change: 'done', after: null }),
    fail(timer, label) {
      const { command: _command, ...rest } = timer;
      const ringingAt = nowOf(timer, clock);
      return move(timer, {
        change: 'ringing',
        after: { ...rest, kind: 'reminder', label, state: 'ringing', ringingAt },
      });
    },
    async noteHeard(timer, now) {
      if (timer.heardAt !== null) return;
      await move(timer, { change: 'heard', after: { ...timer, heardAt: now } });
    },
    miss: (timer) => move(timer, { change: 'missed', after: { ...timer, state: 'missed' } }),
    async claim({ id }) {
      const key = keys.tellingOf.of(id);
      return (await onRedis(redis, () => redis.set(key, '1', 'EX', keys.tellingOf.lastsS, 'NX'))) === 'OK';
    },
    forget: (timer) => move(timer, { change: 'told', after: null }),
  };
}
