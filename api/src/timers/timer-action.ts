import { z } from 'zod';
import { actionSchema, type NewAction } from '../actions/action-store.ts';
import { timerSchema } from './timer.ts';

/** A change of timers, each with its record before and after. Null: there was none. */
export const timerActionSchema = actionSchema.extend({
  kind: z.enum(['timer.set', 'timer.change', 'timer.pause', 'timer.resume', 'timer.cancel']),
  timers: z.array(
    z.object({ id: z.string(), before: timerSchema.nullable(), after: timerSchema.nullable() }),
  ),
});

export type TimerAction = z.infer<typeof timerActionSchema>;

/**
 * A timer action before it runs. Its changes are known only afterwards. Stopping a ringing timer cannot be
 * undone.
 */
export type NewTimerAction = Omit<NewAction<TimerAction>, 'timers' | 'kind'> & {
  kind: TimerAction['kind'] | 'timer.quiet';
};
