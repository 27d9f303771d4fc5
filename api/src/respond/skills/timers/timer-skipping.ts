import { numberOf } from '../../../language/calendar/day.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import { atTimeOfDay, nextTime, ringsOn, without } from '../../../timers/repetition.ts';
import type { Timer } from '../../../timers/timer.ts';
import type { NewTime } from '../../../timers/timer-records.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerActions } from './timer-actions.ts';
import type { SaidTimer } from './timer-names.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

interface TimerSkippingOptions {
  actions: Pick<TimerActions, 'cancel' | 'change' | 'split'>;
  pendingQuestions: HouseholdQuestions;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

export type TimerSkipping = ReturnType<typeof createTimerSkipping>;

/** Skips one occurrence of a repeating alarm or reminder, or asks whether the person means all of them. */
export function createTimerSkipping(options: TimerSkippingOptions) {
  const { actions, pendingQuestions, reply, say, clock, timeZone } = options;

  /** Skips one day, by default the next. Null: it does not repeat, or not on that day. */
  const skip = async (ask: Ask, timer: Timer, said?: SaidTimer): Promise<string | null> => {
    const { repeats } = timer;
    const now = ask.turn.createdAt;
    const meant = said?.date?.(clock(now, timeZone)) ?? clock(timer.dueAt, timeZone);
    const day = numberOf(meant);
    if (!repeats || !ringsOn(repeats, day)) return null;
    const left = without(repeats, day);
    const dueAt = nextTime(left, now);
    if (dueAt === null) return actions.cancel(ask, [timer]);
    const at = timeOn(repeats, { day, now }) ?? timer.dueAt;
    const changed = await actions.change(ask, timer, { dueAt, repeats: left });
    if ('refusal' in changed) return changed.refusal;
    return reply('skipped', { when: say.when(at, now), next: say.when(dueAt, now) }, ask.turn);
  };

  /** The occurrence on a day, found by stepping through the earlier ones. */
  const timeOn = (
    repeats: NonNullable<Timer['repeats']>,
    { day, now }: { day: number; now: number },
  ): number | null => {
    for (let at = nextTime(repeats, now); at !== null; at = nextTime(repeats, at))
      if (numberOf(clock(at, timeZone)) >= day) return at;
    return null;
  };

  const confirm = (timer: Timer, { turn }: Ask): string =>
    reply('changed_at', { name: say.newName(timer), when: say.due(timer, turn.createdAt) }, turn);

  const changeTo = async (ask: Ask, timer: Timer, to: NewTime): Promise<string> => {
    const changed = await actions.change(ask, timer, to);
    return 'refusal' in changed ? changed.refusal : confirm(changed, ask);
  };

  /** Moves only the next occurrence, which becomes a separate timer. */
  const moveOnce = async (ask: Ask, timer: Timer, at: number): Promise<string | null> => {
    const { repeats, kind, label, room, client } = timer;
    const now = ask.turn.createdAt;
    if (!repeats) return null;
    const left = without(repeats, numberOf(clock(timer.dueAt, timeZone)));
    const dueAt = nextTime(left, now);
    if (dueAt === null) return changeTo(ask, timer, { dueAt: at, repeats: left });
    const once = { kind, label, room, client, setAt: now, dueAt: at, durationMs: null, by: 'clock' } as const;
    const moved = await actions.split(ask, { timer, to: { dueAt, repeats: left } }, once);
    return 'refusal' in moved ? moved.refusal : confirm(moved, ask);
  };

  /** Moves all occurrences to another time of day. */
  const moveAll = async (ask: Ask, timer: Timer, at: number): Promise<string | null> => {
    const repeats = timer.repeats && atTimeOfDay(timer.repeats, clock(at, timeZone));
    const dueAt = repeats ? nextTime(repeats, ask.turn.createdAt) : null;
    return repeats && dueAt !== null ? changeTo(ask, timer, { dueAt, repeats }) : null;
  };

  return {
    skip,
    moveOnce,
    moveAll,
    /** Asks whether to cancel or move one occurrence, or all. */
    async ask({ turn }: Ask, timer: Timer, moveTo?: number): Promise<string> {
      const { id, repeats, dueAt } = timer;
      const often = repeats ? say.repeat(repeats) : '';
      if (turn.conversation !== null)
        await pendingQuestions.note(turn, {
          kind: 'timer.series',
          id,
          ...(moveTo !== undefined && { moveTo }),
        });
      return reply('once_or_all', { when: say.when(dueAt, turn.createdAt), often }, turn);
    },
  };
}
