import type { Redis } from 'ioredis';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { RingJobs } from './ring-jobs.ts';
import { createStoredTimers } from './stored-timers.ts';
import { createTimerChanges } from './timer-changes.ts';
import { createTimerMoves } from './timer-moves.ts';
import { defineTimerScripts } from './timer-scripts.ts';

interface TimerStoreOptions {
  redis: Redis;
  jobs: RingJobs;
  /** Whether timers now ring only where they were set (quiet hours). */
  isQuiet?: () => boolean;
  clock?: HouseholdClock;
}

export type TimerStore = ReturnType<typeof createTimerStore>;

/**
 * The household's timers, alarms and reminders: reading them, changes by turns, and transitions without a
 * turn.
 */
export function createTimerStore(options: TimerStoreOptions) {
  const { redis, jobs, isQuiet = () => false, clock = machineClock } = options;
  defineTimerScripts(redis);
  const kept = createStoredTimers({ redis, isQuiet, clock });
  const changes = createTimerChanges({ redis, jobs, ringing: kept.ringing, clock });
  const moves = createTimerMoves({ redis, jobs, read: kept.read, clock });
  return Object.assign({ jobs }, kept, changes, moves);
}
