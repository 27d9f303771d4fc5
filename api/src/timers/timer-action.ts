import { z } from 'zod';
import { actionSchema, type NewAction } from '../actions/action-store.ts';
import { timerSchema } from './timer.ts';

/** A change of timers, with each as it was before and after; null: there was none. */
export const timerActionSchema = actionSchema.extend({
  kind: z.enum(['timer.set', 'timer.change', 'timer.pause', 'timer.resume', 'timer.cancel']),
  timers: z.array(
    z.object({ id: z.string(), before: timerSchema.nullable(), after: timerSchema.nullable() }),
  ),
});

export type TimerAction = z.infer<typeof timerActionSchema>;

/** An action on timers before it is done; its changes are known only afterwards. Silence cannot be taken back. */
export type NewTimerAction = Omit<NewAction<TimerAction>, 'timers' | 'kind'> & {
  kind: TimerAction['kind'] | 'timer.quiet';
};
