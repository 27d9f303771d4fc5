import { noMoment } from '../../../language/calendar/moment-reader.ts';
import { withCapital } from '../../../language/capitals.ts';
import { isNear, type Timer } from '../../../timers/timer.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { placeOf, type TimerActions } from './timer-actions.ts';
import type { AllTimers, TimerStep } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { TimerDue } from './timer-due.ts';
import { changedTime } from './timer-plan.ts';
import type { TimerSkipping } from './timer-skipping.ts';
import type { SaidWhen } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

export interface TimerStepsOptions {
  actions: TimerActions;
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
  choice: TimerChoice;
  due: TimerDue;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  skipping: TimerSkipping;
}

/** Changes that never default to the timer just set when several match. */
const neverGuessed: ReadonlySet<TimerStep['how']> = new Set(['cancel', 'pause', 'resume']);

export type TimerSteps = ReturnType<typeof createTimerSteps>;

/** Runs a change to a timer. */
export function createTimerSteps(options: TimerStepsOptions) {
  const { actions, pendingQuestions, choice, due, reply, say, skipping } = options;
  const confirm = (timer: Timer, { turn }: Ask): string => {
    const now = turn.createdAt;
    const values = { name: say.newName(timer), left: say.left(timer, now), when: say.due(timer, now) };
    if (timer.state === 'paused') return reply('changed_paused', values, turn);
    return reply(timer.kind === 'timer' ? 'changed' : 'changed_at', values, turn);
  };

  const take = async (ask: Ask, timer: Timer, step: TimerStep): Promise<string> => {
    const { repeats } = timer;
    if (step.how === 'ask') return askWhen(ask, timer);
    if (step.how === 'name') return rename(ask, timer, step.label ?? null);
    if (step.how === 'pause' || step.how === 'resume') return actions[step.how](ask, [timer]);
    if (step.how === 'cancel') return repeats ? skipping.ask(ask, timer) : actions.cancel(ask, [timer]);
    if (repeats) return changeRepeating(ask, { timer, repeats }, step);
    return changeTime(ask, timer, step);
  };

  /** "Change my alarm": to what time? */
  const askWhen = async ({ turn }: Ask, timer: Timer): Promise<string> => {
    if (turn.conversation === null) return reply('all_at_once', {}, turn);
    await pendingQuestions.note(turn, { kind: 'timer.move', id: timer.id });
    return reply('move_to', {}, turn);
  };

  const rename = async (ask: Ask, timer: Timer, label: string | null): Promise<string> => {
    const changed = await actions.change(ask, timer, { label });
    if ('refusal' in changed) return changed.refusal;
    const values = { timer: withCapital(say.called(timer)), name: say.called(changed) };
    return reply('renamed', values, ask.turn);
  };

  /** The person did not say whether one occurrence or all should change. */
  const changeRepeating = async (
    ask: Ask,
    { timer, repeats }: { timer: Timer; repeats: NonNullable<Timer['repeats']> },
    step: TimerStep,
  ): Promise<string> => {
    if (step.how !== 'at' && step.how !== 'more') {
      const values = { timer: withCapital(say.called(timer)), often: say.repeat(repeats) };
      return reply('change_repeats', values, ask.turn);
    }
    const at = timeOf(ask, timer, step);
    if (typeof at !== 'number') return at.refusal;
    return skipping.ask(ask, timer, step.how === 'more' ? timer.dueAt + at : at);
  };

  /** The spoken time of day nearest to the timer's own. */
  const timeOf = (ask: Ask, timer: Timer, { clock, ms }: TimerStep) => {
    if (!clock) return ms;
    const { day, ...time } = clock;
    const moment = { ...noMoment, ...time, date: day && (() => day) };
    const when = { moment, duration: null, after: null };
    return due.at(ask, when, { purpose: 'alarm', near: timer.dueAt }) ?? ms;
  };

  const changeTime = async (ask: Ask, timer: Timer, step: TimerStep): Promise<string> => {
    const ms = timeOf(ask, timer, step);
    if (typeof ms !== 'number') return ms.refusal;
    const changed = await actions.change(ask, timer, changedTime(timer, { ...step, ms }, ask.turn.createdAt));
    return 'refusal' in changed ? changed.refusal : confirm(changed, ask);
  };

  /** Runs the change on the only matching timer; if several match, asks which. */
  const takeOne = async (ask: Ask, found: readonly Timer[], step: TimerStep): Promise<string> => {
    const timer = neverGuessed.has(step.how) && found.length > 1 ? null : await choice.only(found, ask);
    return timer ? take(ask, timer, step) : choice.askWhich(ask, found, step);
  };

  /** Changes several at once. People in other rooms may still need theirs, so it asks first. */
  const takeSeveral = async (ask: Ask, found: readonly Timer[], how: AllTimers['how']): Promise<string> => {
    const { turn } = ask;
    const areHere = found.every((timer) => isNear(timer, placeOf(ask)));
    if (areHere || turn.room === null) return actions[how](ask, found);
    if (turn.conversation === null) return choice.askWhich(ask, found, { how, ms: 0 });
    await pendingQuestions.note(turn, { kind: 'timer.all', how, ids: found.map(({ id }) => id) });
    return reply(`${how}_others`, { timers: say.allStanding(found, turn.createdAt) }, turn);
  };

  return {
    take,
    takeOne,
    takeSeveral,
    /** Changes all timers of a question that was answered with yes. */
    async takeAll(ask: Ask, { how, ids }: AllTimers): Promise<string> {
      const all = (await choice.active()).filter(({ id }) => ids.includes(id));
      return actions[how](ask, how === 'pause' ? all.filter(({ state }) => state === 'running') : all);
    },
    /** The change to a spoken time. Null: it names neither a time nor a day. */
    moveTo(ask: Ask, when: SaidWhen | null): TimerStep | { refusal: string } | null {
      const ms = due.at(ask, when, { purpose: 'alarm' });
      if (ms !== null && typeof ms !== 'number') return ms;
      const moment = when?.moment;
      const day = due.dayIn(ask, when);
      if (!moment || moment.after?.days === null) return ms === null ? null : { how: 'at', ms };
      if (ms === null && (day === null || moment.part)) return null;
      return { how: 'at', ms: ms ?? 0, clock: { time: moment.time, part: moment.part, day } };
    },
    cancelOne: (ask: Ask, found: readonly Timer[]): Promise<string> =>
      takeOne(ask, found, { how: 'cancel', ms: 0 }),
  };
}
