import type { Timer } from '../../../timers/timer.ts';
import type { NewTime, TimerStore } from '../../../timers/timer-store.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import { placeOf, type TimerActions } from './timer-actions.ts';
import type { Step, WhichTimer } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { TimerSetting } from './timer-setting.ts';
import { does, type TimerSaid, tells } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

/** How long it is quiet after a "snooze" that says no time. */
const snoozeMs = 5 * 60_000;

/** What is to become of a timer, and the time that was said for it: which one it means depends on the timer. */
interface Meant {
  step: Step;
  newTime: TimerSaid['newTime'];
}

/** Which of the timers that were told is meant, by its id: they are there still, or only their ids are known. */
export type Picking = (told: { all: readonly Timer[]; ids: readonly string[] }) => string | undefined;

interface TimerChangingOptions {
  actions: TimerActions;
  choice: TimerChoice;
  setting: TimerSetting;
  timers: TimerStore;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

export type TimerChanging = ReturnType<typeof createTimerChanging>;

/** Changes, silences and puts off timers that there are. */
export function createTimerChanging(options: TimerChangingOptions) {
  const { actions, choice, setting, timers, reply, say } = options;

  const toldChange = (timer: Timer, { turn }: Ask): string => {
    const now = turn.createdAt;
    const values = { name: say.newName(timer), left: say.left(timer, now), when: say.when(timer.dueAt, now) };
    return reply(timer.kind === 'timer' ? 'changed' : 'changed_at', values, turn);
  };

  const take = async (ask: Ask, timer: Timer, { step, newTime: said }: Meant): Promise<string> => {
    if (step.how === 'cancel') return actions.cancel(ask, [timer]);
    const near = step.how === 'at' ? setting.dueAt(ask, said, nearTo(timer)) : step.ms;
    const meant = typeof near === 'number' ? { ...step, ms: near } : step;
    const changed = await actions.change(ask, timer, newTime(timer, meant, ask.turn.createdAt));
    return 'refusal' in changed ? changed.refusal : toldChange(changed, ask);
  };

  /** With the only timer that is meant; where several may be, asks which. */
  const takeOne = async (ask: Ask, found: readonly Timer[], meant: Meant): Promise<string> => {
    const { step } = meant;
    const timer = step.how === 'cancel' && found.length > 1 ? null : choice.only(found, ask);
    if (timer) return take(ask, timer, meant);
    return choice.askWhich(ask, found, step);
  };

  const cancelOne = (ask: Ask, found: readonly Timer[]): Promise<string> =>
    takeOne(ask, found, { step: { how: 'cancel', ms: 0 }, newTime: null });

  const ringingHere = (ask: Ask) => timers.ringing(placeOf(ask));

  /** The timers that a change may be meant for: by their name, what rings here, or all of a kind. */
  const changeable = async (ask: Ask, slots: TimerSaid, step: Step): Promise<readonly Timer[]> => {
    const said = choice.saidIn(slots);
    const all = await choice.active();
    if (said) return choice.matching(all, said);
    const ringing = await ringingHere(ask);
    if (ringing.length > 0) return ringing.slice(0, 1);
    const ofTime = all.filter(({ kind }) => (kind === 'timer') === (step.how !== 'at'));
    return ofTime;
  };

  /** "Can you change timers?" asks, and wants none changed. */
  const isAboutAny = (slots: TimerSaid): boolean => choice.saidIn(slots)?.several === 'any';

  const change = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    if (isAboutAny(slots)) return null;
    const step = stepOf(ask, slots);
    if (slots.reset && (await isNew(slots))) return setting.reset(ask, slots);
    if (step === null) return null;
    if ('refusal' in step) return step.refusal;
    const found = await changeable(ask, slots, step);
    if (found.length > 0) return takeOne(ask, found, { step, newTime: slots.newTime });
    const said = slots.which ? choice.saidIn(slots) : null;
    return said && choice.none(said, ask);
  };

  /** "Set the timer to five minutes" is a new one, unless it has the name of one that there is. */
  const isNew = async (slots: TimerSaid): Promise<boolean> => {
    const said = choice.saidIn(slots);
    return (
      said?.label === null || (said !== null && choice.matching(await choice.active(), said).length === 0)
    );
  };

  const stepOf = (ask: Ask, { more, less, newLength, newTime: said }: TimerSaid) => {
    if (more) return { how: 'more', ms: more.ms } as const;
    if (less) return { how: 'more', ms: -less.ms } as const;
    if (newLength) return { how: 'to', ms: newLength.ms } as const;
    const due = setting.dueAt(ask, said, { purpose: 'alarm' });
    return typeof due === 'number' ? ({ how: 'at', ms: due } as const) : due;
  };

  /** "Make the timer ten minutes" is meant for the one that there is. Null: there is none. */
  const remake = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const { made, madeLength, newTime } = slots;
    if (made === null) return null;
    const ms = madeLength?.ms;
    const said = choice.saidOf(slots, ms === undefined ? 'alarm' : 'timer');
    const found = choice.matching(await choice.active(), said);
    if (found.length === 0) return null;
    return takeOne(ask, found, {
      step: ms === undefined ? { how: 'at', ms: 0 } : { how: 'to', ms },
      newTime,
    });
  };

  const restart = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const said = choice.saidIn(slots);
    if (!said || isAboutAny(slots)) return null;
    const found = choice
      .matching(await choice.active(), said)
      .filter(({ durationMs }) => durationMs !== null);
    if (found.length === 0) return choice.none(said, ask);
    return takeOne(ask, found, { step: { how: 'restart', ms: 0 }, newTime: null });
  };

  const quiet = async (ask: Ask): Promise<string | null> =>
    (await actions.acknowledge(ask)) ? reply('quiet', {}, ask.turn) : null;

  const snooze = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const [timer] = await ringingHere(ask);
    // "Remind me again in an hour" may be said when nothing rings.
    if (!timer && slots.again) return setting.remind(ask, slots);
    if (!timer) return slots.wake && setting.wake(ask, slots);
    const now = ask.turn.createdAt;
    const due = setting.dueAt(ask, slots.when, { purpose: 'alarm' }) ?? now + (slots.putOff?.ms ?? snoozeMs);
    if (typeof due !== 'number') return due.refusal;
    const changed = await actions.change(ask, timer, { dueAt: due });
    if ('refusal' in changed) return changed.refusal;
    return reply('snoozed', { left: say.left(changed, now) }, ask.turn);
  };

  /** What was asked for, and the timers that it may be meant for. */
  const offered = async ({ step, ids }: WhichTimer) => {
    const active = await choice.active();
    // In the order in which they were told, whatever has become of their times.
    const all = ids.flatMap((id) => active.find((timer) => timer.id === id) ?? []);
    return all.length > 0 ? { step, all, ids } : null;
  };

  /** The answer to which timer is meant, by its name. */
  const chosen = async (question: WhichTimer, ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const found = await offered(question);
    const kind = found?.all[0]?.kind;
    if (!found || !kind) return null;
    const { duration, time, newTime } = slots;
    const said = { label: null, duration, time, ...choice.saidIn(slots), kind };
    const fitting = choice.matching(found.all, said);
    const meant = { step: found.step, newTime };
    const [timer] = fitting;
    if (fitting.length === 1 && timer) return take(ask, timer, meant);
    return fitting.length > 1 ? takeOne(ask, fitting, meant) : choice.none(said, ask);
  };

  /** The answer to which timer is meant, by its place or its age: the first, the oldest. */
  const chosenBy = async (question: WhichTimer, ask: Ask, pick: Picking): Promise<string | null> => {
    const found = await offered(question);
    if (!found) return null;
    const { step, all } = found;
    const picked = pick(found);
    const timer = all.find(({ id }) => id === picked);
    // It has gone meanwhile, and no other was meant.
    return timer ? take(ask, timer, { step, newTime: null }) : choice.askWhich(ask, all, step);
  };

  const chosenAll = async (question: WhichTimer, ask: Ask): Promise<string | null> => {
    const found = await offered(question);
    return found?.step.how === 'cancel' ? actions.cancel(ask, found.all) : null;
  };

  return {
    intents: {
      change: does(change),
      restart: does(restart),
      pause: tells(async ({ turn }) =>
        (await choice.active()).length > 0 ? reply('no_pause', {}, turn) : null,
      ),
      // What rings here is only made quiet: doubtful words may do that, and nobody has to wait for it.
      quiet: tells(quiet),
      snooze: does(snooze),
    },
    remake,
    cancelOne,
    quiet,
    chosen,
    chosenBy,
    chosenAll,
  };
}

const nearTo = (timer: Timer) => ({ purpose: 'alarm', near: timer.dueAt }) as const;

/** The time that a timer gets. What rings already counts from now. */
function newTime(timer: Timer, step: Step, now: number): NewTime {
  if (step.how === 'at') return { dueAt: step.ms };
  if (step.how === 'to') return { dueAt: now + step.ms, durationMs: step.ms };
  if (step.how === 'restart') return { dueAt: now + (timer.durationMs ?? 0) };
  const durationMs = timer.durationMs === null ? null : timer.durationMs + step.ms;
  if (timer.state === 'ringing') return { dueAt: now + step.ms, durationMs };
  return { dueAt: timer.dueAt + step.ms, durationMs };
}
