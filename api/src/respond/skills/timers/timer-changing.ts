import type { Timer } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { Ask } from '../../core/skill.ts';
import { placeOf } from './timer-actions.ts';
import type { TimerStep } from './timer-asks.ts';
import { stepIn } from './timer-plan.ts';
import type { TimerSetting } from './timer-setting.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerSteps, TimerStepsOptions } from './timer-steps.ts';
import type { TimerWords } from './timer-words.ts';

const { asksBack, does } = timerIntents;

interface TimerChangingOptions extends Pick<TimerStepsOptions, 'choice' | 'reply' | 'say'> {
  steps: TimerSteps;
  setting: Pick<TimerSetting, 'reset'>;
  timers: Pick<TimerStore, 'ringing'>;
  read: Pick<TimerWords, 'countAlone'>;
  /** Null: no matching timer is paused. */
  resume: (ask: Ask, slots: TimerSaid) => Promise<string | null>;
}

export type TimerChanging = ReturnType<typeof createTimerChanging>;

/** Changes existing timers. */
export function createTimerChanging(options: TimerChangingOptions) {
  const { choice, steps, setting, timers, reply, say, resume } = options;
  const { missing, changeOpen, moveTo, onItsDay } = createMoving(options);

  /** The timers that a change may mean: those with the name, those ringing here, or all of a kind. */
  const changeable = async (ask: Ask, slots: TimerSaid, step: TimerStep): Promise<readonly Timer[]> => {
    const all = await choice.active();
    const said = choice.saidAmong(all, slots, ask);
    if (said) return choice.meant(all, said, ask);
    const ringing = await timers.ringing(placeOf(ask));
    if (ringing.length > 0) return ringing.slice(0, 1);
    // "Make it half an hour earlier", of the alarm that was just set.
    const changed = step.how === 'more' ? await choice.justChanged(all, ask) : [];
    if (changed.length > 0) return changed;
    return all.filter(({ kind }) => (kind === 'timer') === (step.how !== 'at'));
  };

  /** "Can you change timers?" is a question about abilities. "An alarm" does not mean an existing one. */
  const isAboutAny = (slots: TimerSaid): boolean => {
    const said = choice.saidIn(slots);
    return said?.several === 'any' || said?.isIndefinite === true;
  };

  /** "Set it to 21" may mean the heating, unless timers were just changed or read out. */
  const mayBeOfOthers = async (ask: Ask, slots: TimerSaid): Promise<boolean> => {
    const moment = slots.newTime?.moment;
    const isNumber = moment?.time?.isPlain === false && !moment.date && !moment.part;
    if (!isNumber || choice.saidIn(slots) !== null) return false;
    return (await choice.mentioned(await choice.active(), ask)).every(({ kind }) => kind === 'timer');
  };

  const change = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    if (isAboutAny(slots) || (await mayBeOfOthers(ask, slots))) return null;
    const step = stepOf(ask, slots);
    if (slots.reset && (await isNew(slots))) return setting.reset(ask, slots);
    if (step === null) return null;
    if ('refusal' in step) return step.refusal;
    const there = await onItsDay(ask, slots, step);
    if (there.length > 0) return steps.takeOne(ask, there, { how: 'ask', ms: 0 });
    const found = await changeable(ask, slots, step);
    if (found.length > 0) return steps.takeOne(ask, found, step);
    return slots.which && missing(ask, slots);
  };

  /** "Set the timer to five minutes" makes a new one, unless a timer of that name exists. */
  const isNew = async (slots: TimerSaid): Promise<boolean> => {
    const said = choice.saidIn(slots);
    return (
      said?.label === null || (said !== null && choice.matching(await choice.active(), said).length === 0)
    );
  };

  const stepOf = (ask: Ask, said: TimerSaid): TimerStep | { refusal: string } | null =>
    stepIn(said) ?? steps.moveTo(ask, said.newTime);

  /** "Make the timer ten minutes" means the existing timer. Null: there is none. */
  const remake = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const { made, madeLength, newTime } = slots;
    if (made === null) return null;
    const ms = madeLength?.ms;
    const said = choice.saidOf(slots, ms === undefined ? 'alarm' : 'timer');
    const found = choice.matching(await choice.active(), said);
    const step = ms === undefined ? steps.moveTo(ask, newTime) : ({ how: 'to', ms } as const);
    if (found.length === 0 || step === null) return null;
    return 'refusal' in step ? step.refusal : steps.takeOne(ask, found, step);
  };

  /** "Rename the pasta timer to spaghetti", "call it eggs". A reminder's subject is its name. */
  const rename = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const label = slots.name;
    const named = slots.which;
    const all = (await choice.active()).filter(({ state }) => state !== 'ringing');
    const found = named ? choice.meant(all, named, ask) : all.filter(({ kind }) => kind === 'timer');
    if (label === null || named?.kind === 'reminder' || isAboutAny({ ...slots, name: null })) return null;
    if (found.length > 0) return steps.takeOne(ask, found, { how: 'name', ms: 0, label });
    return named && choice.none(named, ask, all);
  };

  const restart = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    if (isAboutAny(slots)) return null;
    const said = choice.saidOf(slots, choice.saidIn(slots)?.kind ?? 'timer');
    const all = await choice.active();
    const meant = choice.meant(all, said, ask);
    if (meant.length === 0) return choice.none(said, ask, all);
    const found = meant.filter(({ durationMs }) => durationMs !== null);
    if (found.length === 0)
      return reply('no_restart', { timers: say.allStanding(meant, ask.turn.createdAt) }, ask.turn);
    return steps.takeOne(ask, found, { how: 'restart', ms: 0 });
  };

  return {
    intents: {
      change: does(change),
      change_open: asksBack(changeOpen),
      change_wake: does(createWakeChange(options)),
      correct: does(createCorrecting(options, stepOf)),
      rename: does(rename),
      restart: does(restart),
      start_again: does(async (ask, slots) => (await resume(ask, slots)) ?? restart(ask, slots)),
    },
    remake,
    moveTo,
  };
}

/** Numbers below this one may be a length without its unit. */
const maxCount = 100;
const minuteMs = 60_000;

/** The unit that a length was said in. Null: a whole hour may have been said in minutes too. */
function unitOf(ms: number): number | null {
  if (ms === 0 || ms % (60 * minuteMs) === 0) return null;
  if (ms % minuteMs === 0) return minuteMs;
  return ms < minuteMs ? 1_000 : null;
}

/** Moves a timer, and asks for the new time. */
function createMoving({ choice, steps }: Pick<TimerChangingOptions, 'choice' | 'steps'>) {
  /** "There is no alarm FROM 5 PM." */
  const missing = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const said = choice.saidIn(slots);
    const behind = slots.timeWords ? choice.withLead(slots.timeWords, ask) : (said?.behind ?? []);
    return said && choice.none({ ...said, behind }, ask, await choice.active());
  };

  /** "Change my alarm": asks to what time. A timer has no time of day. */
  const changeOpen = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const said = choice.saidAmong(all, slots, ask);
    if (!said || said.kind === 'timer' || said.isIndefinite) return null;
    const found = choice.meant(all, said, ask);
    return found.length > 0 ? steps.takeOne(ask, found, { how: 'ask', ms: 0 }) : missing(ask, slots);
  };

  /** The answer to that question. Null: it is not a time. */
  const moveTo = async (ask: Ask, id: string, when: TimerSaid['answered']): Promise<string | null> => {
    const timer = (await choice.active()).find((each) => each.id === id);
    const step = timer ? steps.moveTo(ask, when) : null;
    if (!timer || step === null) return null;
    return 'refusal' in step ? step.refusal : steps.take(ask, timer, step);
  };

  /** "Change my alarm for tomorrow": means an alarm that rings tomorrow; its new time is open. */
  const onItsDay = async (ask: Ask, slots: TimerSaid, { clock }: TimerStep): Promise<readonly Timer[]> => {
    const said = choice.saidIn(slots);
    const day = clock?.time === null ? clock.day : null;
    return said && day ? choice.meant(await choice.active(), { ...said, date: () => day }, ask) : [];
  };

  return { missing, changeOpen, moveTo, onItsDay };
}

/** Corrects what was just set: "make that seven". */
function createCorrecting(
  { choice, steps, read }: Pick<TimerChangingOptions, 'choice' | 'steps' | 'read'>,
  stepOf: (ask: Ask, said: TimerSaid) => TimerStep | { refusal: string } | null,
) {
  /** "Make that 8" corrects the length of a timer, in its unit. Null: the unit is not certain. */
  const correctLength = async (ask: Ask, slots: TimerSaid, timer: Timer): Promise<string | null> => {
    const count = read.countAlone(slots.minutes ?? slots.newTimeWords ?? [], maxCount);
    const unitMs = unitOf(timer.durationMs ?? 0);
    if (count === null || unitMs === null) return null;
    return steps.take(ask, timer, { how: 'to', ms: count * unitMs });
  };

  /** "Make that seven" corrects the alarm or reminder just set in this conversation. Null: there is none. */
  const correct = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const changed = await choice.justChanged(await choice.active(), ask);
    const found = changed.filter(({ kind }) => kind !== 'timer');
    const [only] = changed;
    if (only?.kind === 'timer' && changed.length === 1) return correctLength(ask, slots, only);
    const step = found.length === 0 ? null : stepOf(ask, slots);
    if (step === null) return null;
    return 'refusal' in step ? step.refusal : steps.takeOne(ask, found, step);
  };

  return correct;
}

/** "Wake me half an hour earlier" changes the existing alarm. */
function createWakeChange({ choice, steps }: Pick<TimerChangingOptions, 'choice' | 'steps'>) {
  return async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const step = stepIn(slots);
    const all = await choice.active();
    const alarms = all.filter(({ kind }) => kind === 'alarm');
    if (step === null) return null;
    if (alarms.length === 0) return choice.none({ kind: 'alarm', label: null }, ask, all);
    return steps.takeOne(ask, alarms, step);
  };
}
