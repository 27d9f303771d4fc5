import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import { numberOf } from '../../../language/calendar/day.ts';
import { noMoment } from '../../../language/calendar/moment-reader.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import type { Timer } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { Ask } from '../../core/skill.ts';
import { placeOf } from './timer-actions.ts';
import type { TimerStep } from './timer-asks.ts';
import { stepIn } from './timer-plan.ts';
import type { TimerSetting } from './timer-setting.ts';
import { type SaidWhen, type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerSteps, TimerStepsOptions } from './timer-steps.ts';
import type { TimerWords } from './timer-words.ts';

const { asksBack, does } = timerIntents;

interface TimerChangingOptions
  extends Pick<TimerStepsOptions, 'choice' | 'due' | 'reply' | 'say' | 'skipping'> {
  steps: TimerSteps;
  setting: Pick<TimerSetting, 'reset'>;
  timers: Pick<TimerStore, 'ringing'>;
  read: Pick<TimerWords, 'correctedIn' | 'countAlone' | 'countIn' | 'lengthOf' | 'namesDay'>;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
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

  /** "Make it in the evening" keeps the time of what was just set. */
  const change = (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const half = choice.saidIn(slots) === null ? halfIn(slots.newTime) : null;
    return half === null ? changeTo(ask, slots) : correcting.correctHalf(ask, half);
  };

  const changeTo = async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
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

  const correcting = createCorrecting(options, stepOf);
  const { correctUnit, correctSaid, moreOfIt } = correcting;
  return {
    ...{ correctUnit, correctSaid, moreOfIt },
    intents: {
      change: does(change),
      change_open: asksBack(changeOpen),
      change_wake: does(createWakeChange(options)),
      ...correcting.intents,
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
    const day = clock?.time === null && !said?.date ? clock.day : null;
    return said && day ? choice.meant(await choice.active(), { ...said, date: () => day }, ask) : [];
  };

  return { missing, changeOpen, moveTo, onItsDay };
}

/** Corrects what was just set: "make that seven". */
function createCorrecting(
  options: Pick<TimerChangingOptions, 'choice' | 'due' | 'steps' | 'read' | 'clock' | 'timeZone'>,
  stepOf: (ask: Ask, said: TimerSaid) => TimerStep | { refusal: string } | null,
) {
  const { choice, steps, read } = options;
  const correctHalf = createHalfCorrection(options);

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
    const half = halfIn(slots.newTime);
    if (half !== null) return correctHalf(ask, half);
    const step = found.length === 0 ? null : stepOf(ask, slots);
    if (step === null) return null;
    return 'refusal' in step ? step.refusal : steps.takeOne(ask, found, step);
  };

  /** The only timer that was just set or changed. */
  const lastTimer = async (ask: Ask): Promise<Timer | null> => {
    const [only, ...others] = await choice.justChanged(await choice.active(), ask);
    return only?.kind === 'timer' && others.length === 0 ? only : null;
  };

  /** "I meant SECONDS", after a timer with another unit. */
  const correctUnit = async (ask: Ask, { unit }: TimerSaid): Promise<string | null> => {
    const timer = await lastTimer(ask);
    const length = timer && read.lengthOf(read.countIn(choice.lastWords(ask)) ?? undefined, unit ?? []);
    return timer && length ? steps.take(ask, timer, { how: 'to', ms: length.ms }) : null;
  };

  /** "Ten, I mean fifteen", without a question: corrects what was just set. */
  const correctSaid = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const minutes = read.correctedIn(said.at ?? said.durationWords ?? []);
    if (minutes === null) return null;
    const timer = await lastTimer(ask);
    if (timer && said.duration) return steps.take(ask, timer, { how: 'to', ms: said.duration.ms });
    return correct(ask, { ...said, minutes, newTime: said.answered });
  };

  /** "Add five" or "minus five", after a timer: in the unit of its length. */
  const addCount = async (ask: Ask, { minutes }: TimerSaid, sign: 1 | -1): Promise<string | null> => {
    const timer = (await choice.hasActedLast(ask)) ? await lastTimer(ask) : null;
    const count = read.countAlone(minutes ?? [], maxCount);
    const unitMs = spokenUnit(timer?.durationMs ?? 0, read.countIn(choice.lastWords(ask)));
    if (!timer || count === null || unitMs === null) return null;
    return steps.take(ask, timer, { how: 'more', ms: sign * count * unitMs });
  };

  /** "Double it", "halve it": the length of the timer just set. */
  const scaled =
    (factor: number) =>
    async (ask: Ask): Promise<string | null> => {
      const timer = await lastTimer(ask);
      if (!timer?.durationMs) return null;
      return steps.take(ask, timer, { how: 'to', ms: Math.round(timer.durationMs * factor) });
    };

  /** "Start it again", "give me one more minute": timers just set or told. Null: there are none. */
  const stepMentioned = async (ask: Ask, step: TimerStep | null): Promise<string | null> => {
    const mentioned = step ? await choice.mentioned(await choice.active(), ask) : [];
    const found = mentioned.filter(({ durationMs }) => durationMs !== null);
    return step && found.length > 0 ? steps.takeOne(ask, found, step) : null;
  };

  return {
    correctHalf,
    correctSaid,
    correctUnit,
    moreOfIt: (ask: Ask, slots: TimerSaid) => stepMentioned(ask, stepIn(slots)),
    intents: {
      double_it: does(scaled(2)),
      halve_it: does(scaled(0.5)),
      restart_it: does((ask: Ask) => stepMentioned(ask, { how: 'restart', ms: 0 })),
      correct: does(correct),
      correct_half: does(async (ask: Ask, { half }: TimerSaid) => half && correctHalf(ask, half)),
      add_count: does((ask, said) => addCount(ask, said, 1)),
      take_count: does((ask, said) => addCount(ask, said, -1)),
    },
  };
}

/** "In the evening" alone names only a half of the day. */
function halfIn(when: SaidWhen | null): 'am' | 'pm' | null {
  const moment = when?.moment;
  if (!moment?.part || moment.time || moment.date || moment.isToday || moment.after) return null;
  return moment.part === 'morning' ? 'am' : 'pm';
}

/** The unit of a length with this count: 90 seconds are not minutes. Null: hours, or it is not certain. */
function spokenUnit(ms: number, count: number | null): number | null {
  const unitMs = count ? ms / count : null;
  return unitMs === 1_000 || unitMs === minuteMs ? unitMs : unitOf(ms);
}

/** "I meant in the evening", "change it to p.m.": the same time in the other half of the day. */
function createHalfCorrection({
  choice,
  due,
  steps,
  read,
  clock,
  timeZone,
}: Pick<TimerChangingOptions, 'choice' | 'due' | 'steps' | 'read' | 'clock' | 'timeZone'>) {
  return async (ask: Ask, half: 'am' | 'pm'): Promise<string | null> => {
    const [timer, ...others] = await choice.justChanged(await choice.active(), ask);
    if (!timer || timer.kind === 'timer' || others.length > 0) return null;
    const there = clock(timer.dueAt, timeZone);
    const time = { hour: there.hour % 12 || 12, minute: there.minute, half, isPlain: true };
    // A day that was said stays. Otherwise it is the next such time.
    const date = read.namesDay(choice.lastWords(ask)) || timer.repeats ? () => there : null;
    const when = { moment: { ...noMoment, time, date }, duration: null, after: null };
    const at = due.at(ask, when, { purpose: 'alarm' });
    if (at === null) return null;
    return typeof at === 'number' ? steps.takeOne(ask, [timer], { how: 'at', ms: at }) : at.refusal;
  };
}

/** "Wake me half an hour earlier" changes the existing alarm. */
function createWakeChange({
  choice,
  steps,
  skipping,
  clock,
  timeZone,
}: Pick<TimerChangingOptions, 'choice' | 'steps' | 'skipping' | 'clock' | 'timeZone'>) {
  /** The next time of a repeating alarm, if the person named its day. */
  const isNextOn = ({ repeats, dueAt }: Timer, date: SaidDate, { turn }: Ask): boolean => {
    const day = date(clock(turn.createdAt, timeZone));
    return repeats !== undefined && day !== null && numberOf(day) === numberOf(clock(dueAt, timeZone));
  };

  return async (ask: Ask, slots: TimerSaid): Promise<string | null> => {
    const step = stepIn(slots);
    const date = slots.when?.moment?.date ?? null;
    const all = await choice.active();
    const said = choice.saidOf({ ...slots, name: null, span: null, which: null }, 'alarm');
    const alarms = choice.meant(all, { ...said, ...(date && { date }) }, ask);
    if (step === null) return null;
    const behind = slots.dayWords ?? [];
    if (alarms.length === 0) return choice.none({ kind: 'alarm', label: null, behind }, ask, all);
    const [only, ...others] = alarms;
    if (only && others.length === 0 && date && isNextOn(only, date, ask))
      return skipping.moveOnce(ask, only, only.dueAt + step.ms);
    return steps.takeOne(ask, alarms, step);
  };
}
