import type { StoredAction } from '../../../actions/action-store.ts';
import { withCapital } from '../../../language/capitals.ts';
import {
  type NewTimer,
  type Place,
  remainingMs,
  type Timer,
  timerFault,
  timerLimits,
} from '../../../timers/timer.ts';
import type { NewTimerAction, TimerAction } from '../../../timers/timer-action.ts';
import type { NewTime } from '../../../timers/timer-records.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { ActionKind } from '../../core/household-actions.ts';
import type { TextTurn } from '../../core/responder.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

/** For a longer time, people name a date. */
const maxTimerDays = 100;
const maxTimerMs = maxTimerDays * 24 * 3_600_000;

interface TimerActionsOptions {
  timers: TimerStore;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

export type TimerActions = ReturnType<typeof createTimerActions>;

type ActionValues = ReturnType<typeof valuesOf>;

interface Hold {
  kind: 'timer.pause' | 'timer.resume';
  from: Timer['state'];
  to: (timer: Timer, now: number) => NewTime;
  replies: Record<'one' | 'all', TimerReply>;
}

const pausing: Hold = {
  kind: 'timer.pause',
  from: 'running',
  to: (timer, now) => ({ leftMs: Math.max(timerLimits.leastMs, remainingMs(timer, now)) }),
  replies: { one: 'paused', all: 'paused_all' },
};
const resuming: Hold = {
  kind: 'timer.resume',
  from: 'paused',
  to: (timer, now) => ({ dueAt: now + remainingMs(timer, now), by: 'length' }),
  replies: { one: 'resumed', all: 'resumed_all' },
};

/** Only the names changed, so the report names the old and the new ones. */
function isRenamed(before: readonly Timer[], after: readonly Timer[]): boolean {
  return after.some(({ id, label }) => before.some((timer) => timer.id === id && timer.label !== label));
}

/** The timers of an action in words, optionally limited to these ids: before and after it. */
function valuesOf(
  say: TimerTeller,
  action: TimerAction,
  { createdAt: now }: TextTurn,
  ids?: readonly string[],
) {
  const found = action.timers.filter(({ id }) => ids?.includes(id) ?? true);
  const before = found.flatMap((each) => each.before ?? []);
  const after = found.flatMap((each) => each.after ?? []);
  return {
    before: say.all(before),
    after: say.allStanding(after, now),
    due: isRenamed(before, after) ? say.all(after) : say.allDue(after, now),
    was: say.allStanding(before, now),
    names: say.all(found.flatMap((each) => each.before ?? each.after ?? [])),
  };
}

/** Waits until the turn is confirmed. Returns the part of the action that is known before the change. */
export async function beginTimerAction({ turn, beginActing }: Ask, kind: NewTimerAction['kind']) {
  await beginActing();
  const { id, createdAt, conversation } = turn;
  return { conversation, action: { turn: id, at: createdAt, kind } };
}

/**
 * Changes timers. Each change waits until the turn is confirmed, is reported from Redis' reply, and can be
 * undone.
 */
export function createTimerActions({ timers, reply, say }: TimerActionsOptions) {
  /** Why it cannot be set, as a sentence. */
  const refusal = (timer: Pick<Timer, 'dueAt' | 'label' | 'kind'>, { turn }: Ask): string | null => {
    const now = turn.createdAt;
    if (timer.kind === 'timer' && timer.dueAt - now > maxTimerMs)
      return reply('too_long', { most: maxTimerDays }, turn);
    const fault = timerFault(timer, now);
    return fault && reply(fault, {}, turn);
  };

  const change = async (ask: Ask, timer: Timer, to: NewTime): Promise<Timer | { refusal: string }> => {
    const refused = refusal({ ...timer, ...to }, ask);
    if (refused !== null) return { refusal: refused };
    const doing = await beginTimerAction(ask, 'timer.change');
    // A concurrent change, such as the first ring, fails the update; the timer still exists.
    for (let found: Timer | null = timer; found !== null; found = await timers.read(timer.id)) {
      const changed = await timers.change(doing, found, to);
      if (changed) return changed;
    }
    return { refusal: reply('gone', { timer: withCapital(say.called(timer)) }, ask.turn) };
  };

  /** Pauses or resumes timers. Some may have rung meanwhile, so only those in the expected state change. */
  const hold = async (ask: Ask, meant: readonly Timer[], hold: Hold): Promise<string> => {
    const { turn } = ask;
    const doing = await beginTimerAction(ask, hold.kind);
    const ids = new Set(meant.map(({ id }) => id));
    for (let found = [...meant]; found.length > 0; ) {
      const steps = found.map((timer) => ({ timer, to: hold.to(timer, turn.createdAt) }));
      const changed = await timers.changeAll(doing, steps);
      const [first] = changed ?? [];
      if (changed && changed.length > 1) return reply(hold.replies.all, { timers: say.all(changed) }, turn);
      const values = first && {
        timer: withCapital(say.called(first)),
        left: say.left(first, turn.createdAt),
      };
      if (values) return reply(hold.replies.one, values, turn);
      found = (await timers.all()).filter(({ id, state }) => ids.has(id) && state === hold.from);
    }
    return reply('gone', { timer: meant[0] ? withCapital(say.called(meant[0])) : '' }, turn);
  };

  return {
    change,
    refusal,

    /** Sets a timer. A refusal gives the reason. */
    async set(ask: Ask, timer: NewTimer): Promise<Timer | { refusal: string }> {
      const refused = refusal(timer, ask);
      if (refused !== null) return { refusal: refused };
      const result = await timers.set(await beginTimerAction(ask, 'timer.set'), timer);
      if (result !== 'full') return result;
      return { refusal: reply('full', { most: timerLimits.timers }, ask.turn) };
    },

    pause: (ask: Ask, meant: readonly Timer[]) => hold(ask, meant, pausing),
    resume: (ask: Ask, meant: readonly Timer[]) => hold(ask, meant, resuming),

    /** Changes a repeating one, and sets a single occurrence separately. */
    async split(
      ask: Ask,
      changed: { timer: Timer; to: NewTime },
      once: NewTimer,
    ): Promise<Timer | { refusal: string }> {
      const refused = refusal(once, ask);
      if (refused !== null) return { refusal: refused };
      const made = await timers.changeAll(await beginTimerAction(ask, 'timer.change'), [changed], [once]);
      const gone = reply('gone', { timer: withCapital(say.called(changed.timer)) }, ask.turn);
      return made?.[1] ?? { refusal: gone };
    },

    /** Sets all timers or none. */
    async setAll(ask: Ask, wanted: readonly NewTimer[]): Promise<readonly Timer[] | { refusal: string }> {
      const [refused] = wanted.flatMap((timer) => refusal(timer, ask) ?? []);
      if (refused !== undefined) return { refusal: refused };
      const result = await timers.setAll(await beginTimerAction(ask, 'timer.set'), wanted);
      return result === 'full' ? { refusal: reply('full', { most: timerLimits.timers }, ask.turn) } : result;
    },

    async cancel(ask: Ask, meant: readonly Timer[]): Promise<string> {
      const ids = meant.map(({ id }) => id);
      const cancelled = await timers.cancel(await beginTimerAction(ask, 'timer.cancel'), ids);
      const [first] = meant;
      if (cancelled.length > 0) return reply('cancelled', { timers: say.all(cancelled) }, ask.turn);
      return reply('gone', { timer: first ? withCapital(say.called(first)) : '' }, ask.turn);
    },

    /** Silences ringing timers in the speaker's room. False: none rang there. */
    async acknowledge(ask: Ask): Promise<boolean> {
      const speaker = placeOf(ask);
      if ((await timers.ringing(speaker)).length === 0) return false;
      return (await timers.acknowledge(await beginTimerAction(ask, 'timer.quiet'), speaker)).length > 0;
    },

    kinds: createTimerActionKinds({ timers, reply, say }),
  };
}

/** Reports and undoes actions of timers. */
function createTimerActionKinds({ timers, reply, say }: TimerActionsOptions) {
  const kind = (
    did: TimerReply,
    undid: TimerReply,
    replies: Record<'did' | 'undid', keyof ActionValues>,
  ): ActionKind<TimerAction> => ({
    tell: (action, turn) => {
      const values = valuesOf(say, action, turn);
      return reply(did, { ...values, after: values.due, timers: values[replies.did] }, turn);
    },
    async undo(found: StoredAction<TimerAction>, { turn, beginActing }: Ask) {
      await beginActing();
      const { conversation, createdAt: now } = turn;
      const undone = await timers.undo(found, { conversation, now });
      if (undone.length === 0) return null;
      const values = valuesOf(say, found.action, turn, undone);
      return reply(undid, { timers: values[replies.undid] }, turn);
    },
  });

  return {
    'timer.set': kind('did_set', 'undid_set', { did: 'after', undid: 'names' }),
    'timer.change': kind('did_change', 'undid_change', { did: 'after', undid: 'was' }),
    'timer.pause': kind('did_pause', 'undid_pause', { did: 'names', undid: 'names' }),
    'timer.resume': kind('did_resume', 'undid_resume', { did: 'names', undid: 'names' }),
    'timer.cancel': kind('did_cancel', 'undid_cancel', { did: 'names', undid: 'was' }),
  };
}

export function placeOf({ turn: { room, conversation } }: Ask): Place {
  return { room, conversation };
}
