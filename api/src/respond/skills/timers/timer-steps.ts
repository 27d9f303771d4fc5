import { withCapital } from '../../../language/capitals.ts';
import type { Timer } from '../../../timers/timer.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerActions } from './timer-actions.ts';
import type { TimerStep } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { TimerDue } from './timer-due.ts';
import { changedTime } from './timer-plan.ts';
import type { TimerSkipping } from './timer-skipping.ts';
import type { TimerSaid } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

export interface TimerStepsOptions {
  actions: TimerActions;
  choice: TimerChoice;
  due: TimerDue;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  skipping: TimerSkipping;
}

/** A change to a timer and its spoken time. The moment depends on the timer. */
interface Meant {
  step: TimerStep;
  newTime: TimerSaid['newTime'];
}

/** Changes that never default to the timer just set when several match. */
const neverGuessed: ReadonlySet<TimerStep['how']> = new Set(['cancel', 'pause', 'resume']);

export type TimerSteps = ReturnType<typeof createTimerSteps>;

/** Carries out a change to a timer. */
export function createTimerSteps({ actions, choice, due, reply, say, skipping }: TimerStepsOptions) {
  const confirm = (timer: Timer, { turn }: Ask): string => {
    const now = turn.createdAt;
    const values = { name: say.newName(timer), left: say.left(timer, now), when: say.due(timer, now) };
    if (timer.state === 'paused') return reply('changed_paused', values, turn);
    return reply(timer.kind === 'timer' ? 'changed' : 'changed_at', values, turn);
  };

  const take = async (ask: Ask, timer: Timer, { step, newTime }: Meant): Promise<string> => {
    const { repeats } = timer;
    if (step.how === 'name') return rename(ask, timer, step.label ?? null);
    if (step.how === 'pause' || step.how === 'resume') return actions[step.how](ask, [timer]);
    if (step.how === 'cancel') return repeats ? skipping.ask(ask, timer) : actions.cancel(ask, [timer]);
    if (repeats) return changeRepeating(ask, { timer, repeats }, { step, newTime });
    return changeTime(ask, timer, { step, newTime });
  };

  const rename = async (ask: Ask, timer: Timer, label: string | null): Promise<string> => {
    const changed = await actions.change(ask, timer, { label });
    if ('refusal' in changed) return changed.refusal;
    const values = { timer: withCapital(say.called(timer)), name: say.called(changed) };
    return reply('renamed', values, ask.turn);
  };

  /** The person did not say whether one time or all of them change. */
  const changeRepeating = async (
    ask: Ask,
    { timer, repeats }: { timer: Timer; repeats: NonNullable<Timer['repeats']> },
    meant: Meant,
  ): Promise<string> => {
    const { step } = meant;
    if (step.how !== 'at' && step.how !== 'more') {
      const values = { timer: withCapital(say.called(timer)), often: say.repeat(repeats) };
      return reply('change_repeats', values, ask.turn);
    }
    const at = timeOf(ask, timer, meant) ?? step.ms;
    if (typeof at !== 'number') return at.refusal;
    return skipping.ask(ask, timer, step.how === 'more' ? timer.dueAt + at : at);
  };

  /** The spoken time of day nearest to the timer's own. */
  const timeOf = (ask: Ask, timer: Timer, { step, newTime }: Meant) =>
    step.how === 'at' ? due.at(ask, newTime, { purpose: 'alarm', near: timer.dueAt }) : step.ms;

  const changeTime = async (ask: Ask, timer: Timer, { step, newTime }: Meant): Promise<string> => {
    const near = timeOf(ask, timer, { step, newTime });
    const meant = typeof near === 'number' ? { ...step, ms: near } : step;
    const changed = await actions.change(ask, timer, changedTime(timer, meant, ask.turn.createdAt));
    return 'refusal' in changed ? changed.refusal : confirm(changed, ask);
  };

  /** Runs the change on the only matching timer; if several match, asks which. */
  const takeOne = async (ask: Ask, found: readonly Timer[], meant: Meant): Promise<string> => {
    const { step } = meant;
    const timer = neverGuessed.has(step.how) && found.length > 1 ? null : await choice.only(found, ask);
    return timer ? take(ask, timer, meant) : choice.askWhich(ask, found, step);
  };

  return {
    take,
    takeOne,
    cancelOne: (ask: Ask, found: readonly Timer[]): Promise<string> =>
      takeOne(ask, found, { step: { how: 'cancel', ms: 0 }, newTime: null }),
  };
}
