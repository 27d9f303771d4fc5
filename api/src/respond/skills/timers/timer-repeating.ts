import { type Day, dayFrom, numberOf } from '../../../language/calendar/day.ts';
import { resolveMoment } from '../../../language/calendar/moment.ts';
import { noMoment, type SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import { withCapital } from '../../../language/capitals.ts';
import type { WordReader } from '../../../language/grammar/words.ts';
import { joined } from '../../../language/phrase.ts';
import { endingOn, nextTime, type Repetition, repetitionFrom } from '../../../timers/repetition.ts';
import type { Timer } from '../../../timers/timer.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { createReminderRefusal, createReminderText, type ReminderText } from './reminder-text.ts';
import { dayAfter, exceptDays, onDate, onDayOf, type SaidEnd, type SaidRepeat } from './repeat-words.ts';
import type { TimerActions } from './timer-actions.ts';
import type { OpenTimer, ReminderSubject } from './timer-asks.ts';
import type { TimerMaking } from './timer-making.ts';
import type { RequestedTimer } from './timer-plan.ts';
import type { TimerRooms } from './timer-rooms.ts';
import { type SaidWhen, type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerStepsOptions } from './timer-steps.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

const { asksBack, does } = timerIntents;

const dayMs = 24 * 3_600_000;

interface TimerRepeatingOptions extends Pick<TimerStepsOptions, 'choice'> {
  actions: Pick<TimerActions, 'change'>;
  making: Pick<TimerMaking, 'make' | 'askBack'>;
  words: { between: string; last: string };
  read: TimerWords;
  readWords: WordReader;
  reply: SayReply<TimerReply>;
  rooms: Pick<TimerRooms, 'lookUp'>;
  say: TimerTeller;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

type SaidPlan = Pick<TimerSaid, 'every' | 'except' | 'when' | 'starts' | 'ends'>;

/** The stored repetition, and the reply. */
interface Kept {
  kind: 'alarm' | 'reminder';
  label: string | null;
  key: TimerReply;
}

interface Planned {
  repeats: Repetition;
  dueAt: number;
  /** The repetition in words. */
  when: string;
}

/** The last day of a repetition with a known first time: local time, encoded as if it were UTC. */
function lastDay(ends: SaidEnd, { today, from }: { today: Day; from: number }): Day | null {
  if ('on' in ends) return ends.on(today);
  const after = ends.after(dayFrom(Math.floor(from / dayMs)));
  return after && dayFrom(numberOf(after) - 1);
}

export type TimerRepeating = ReturnType<typeof createTimerRepeating>;

/** Sets repeating alarms and reminders. It refuses a rule or time that it does not fully understand. */
export function createTimerRepeating(options: TimerRepeatingOptions) {
  const { actions, choice, making, read, reply, rooms, say, clock, timeZone, words, readWords } = options;
  const planOf = createRepeatPlanning(options);
  const askOften = createOftenQuestion(options);

  /** Several times that repeat, as one action: all or none. */
  const setAll = async (ask: Ask, said: TimerSaid, { kind, label, key }: Kept): Promise<string | null> => {
    const { starts, ends } = said;
    const wanted: RequestedTimer[] = [];
    const whens: string[] = [];
    for (const { every, moment } of said.plans ?? []) {
      const when = { moment, duration: null, after: null };
      const planned = planOf(ask, { every, except: null, when, starts, ends }, kind);
      if (typeof planned === 'string') return reply(planned, {}, ask.turn);
      const { dueAt, repeats } = planned;
      wanted.push({ kind, label, dueAt, repeats, durationMs: null, by: 'clock' });
      whens.push(planned.when);
    }
    const when = joined(whens, { ...words, last: `${words.between.trimEnd()}${words.last}` });
    const times = key === 'several_alarms' ? { whens: when } : { when };
    const values = { ...times, count: withCapital(say.number(wanted.length)), what: say.toYou(label ?? '') };
    return making.make(ask, said, { wanted, phrase: { key, values } });
  };

  const namesSun = (text: string) => readWords(text).some((_, at, said) => read.readSun(said, at));

  const set = async (ask: Ask, said: TimerSaid, { kind, label, key }: Kept): Promise<string> => {
    const planned = planOf(ask, said, kind);
    if (planned === 'repeat_when' && namesSun(ask.turn.text)) return reply('no_sun_repeats', {}, ask.turn);
    if (typeof planned === 'string') return reply(planned, {}, ask.turn);
    const { dueAt, repeats, when } = planned;
    const wanted: RequestedTimer = { kind, label, dueAt, repeats, durationMs: null, by: 'clock' };
    const values = { name: say.newName(wanted), when, what: say.toYou(label ?? '') };
    return making.make(ask, said, { wanted: [wanted], phrase: { key, values } });
  };

  /**
   * "And every weekday": repeats the alarm or reminder just set or read out. It keeps its time of day. In
   * "repeat my alarm every weekday", the person names it.
   */
  const repeatIt = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const all = await choice.active();
    const named = choice.saidIn(said);
    const mentioned = named ? choice.meant(all, named, ask) : await choice.mentioned(all, ask);
    if (named && mentioned.length === 0) return choice.none(named, ask, all);
    const [timer, ...others] = mentioned.filter(({ kind }) => kind !== 'timer');
    if (!timer || others.length > 0) return null;
    const { hour, minute } = clock(timer.dueAt, timeZone);
    const time = { hour: hour % 12 || 12, minute, half: hour < 12 ? 'am' : 'pm', isPlain: true } as const;
    const sameTime = { moment: { ...noMoment, time }, duration: null, after: null };
    const planned = planOf(ask, { ...said, when: sameTime }, timer.kind);
    if (typeof planned === 'string') return reply(planned, {}, ask.turn);
    const { dueAt, repeats, when } = planned;
    const changed = await actions.change(ask, timer, { dueAt, repeats, by: 'clock' });
    if ('refusal' in changed) return changed.refusal;
    return reply('changed_at', { name: say.newName(changed), when }, ask.turn);
  };

  /** "Every Monday at nine", in answer to the question for a time. Null: a timer does not repeat. */
  const answerTo = async (question: OpenTimer, ask: Ask, answer: TimerSaid): Promise<string | null> => {
    if (question.kind === 'timer.how_long') return null;
    const { timeSaid, isRecurring } = question;
    const givenTime = timeSaid && { moment: { ...noMoment, ...timeSaid }, duration: null, after: null };
    const days = isRecurring ? read.daysIn(answer.at ?? answer.momentWords ?? []) : null;
    const said = {
      ...answer,
      every: answer.every ?? days,
      when: (days ? null : answer.when) ?? givenTime ?? null,
      room: answer.room ?? question.room ?? null,
    };
    if (question.kind === 'timer.for_when')
      return set(ask, said, { kind: 'alarm', label: question.label, key: question.purpose });
    return set(ask, said, keptReminder(question.what));
  };

  const textIn = createReminderText({ read, rooms, choice });
  const refusalOf = createReminderRefusal(reply);

  const intents = {
    wake_again: does((ask, said) => set(ask, said, { kind: 'alarm', label: null, key: 'wake' })),
    alarm_again: does((ask, said) => set(ask, said, { kind: 'alarm', label: said.name, key: 'alarm' })),
    wake_plans: does((ask, said) => setAll(ask, said, { kind: 'alarm', label: null, key: 'wake' })),
    alarm_plans: does((ask, said) =>
      setAll(ask, said, { kind: 'alarm', label: null, key: 'several_alarms' }),
    ),
    ...createUntilIntents(set),
    remind_plans: does(async (ask, spoken) => {
      const found = await textIn(spoken, ask);
      const { said, words, left, what } = found;
      const refusal = refusalOf(ask, found);
      if (refusal !== undefined) return refusal;
      if (read.isCut(words)) return null;
      if (left.length > 0 || said.when !== null) return reply('no_repeats', {}, ask.turn);
      return setAll(ask, said, keptReminder(what));
    }),
    remind_again: does(async (ask, spoken) => {
      const found = await textIn(spoken, ask);
      const { said, left, what } = found;
      const refusal = refusalOf(ask, found);
      if (refusal !== undefined) return refusal;
      const when = said.when ?? whenBehind(found);
      if (left.length > 0 && !when) return reply('no_repeats', {}, ask.turn);
      return set(ask, { ...said, when }, keptReminder(what));
    }),
    recurring_alarm: asksBack((ask, said) => askOften(ask, said)),
    recurring_reminder: asksBack(async (ask, spoken) => {
      const found = await textIn(spoken, ask);
      const refusal = refusalOf(ask, found);
      return refusal === undefined ? askOften(ask, found.said, found) : refusal;
    }),
  };
  return { intents, answerTo, repeatIt };
}

/** "Every week to mow the lawn ON FRIDAY AT 8": a time at the end of the text. */
function whenBehind({ said, words, left }: ReminderText): SaidWhen | null {
  const [time, ...others] = left;
  const isLast = time?.to === words.length && others.length === 0;
  if (!isLast || !time.moment || time.moment.isOwnTime || said.every?.rule?.includes('BY')) return null;
  return { moment: time.moment, duration: null, after: null };
}

/** "At seven until Friday": every day until then. A day next to the time is the first one. */
function createUntilIntents(set: (ask: Ask, said: TimerSaid, kept: Kept) => Promise<string>) {
  const setUntil = (key: 'wake' | 'alarm') =>
    does((ask: Ask, said: TimerSaid) => {
      const { date = null, ...rest } = said.when?.moment ?? noMoment;
      const when = said.when && { ...said.when, moment: { ...rest, date: null } };
      const every = { rule: 'FREQ=DAILY', part: null };
      const daily = { ...said, every, when, starts: date, ends: said.last };
      return set(ask, daily, { kind: 'alarm', label: null, key });
    });
  return { wake_until: setUntil('wake'), alarm_until: setUntil('alarm') };
}

/** "A recurring alarm for 6:30": asks on which days. */
function createOftenQuestion({ making, reply }: Pick<TimerRepeatingOptions, 'making' | 'reply'>) {
  return (
    ask: Ask,
    { when, name, room }: TimerSaid,
    reminder?: { what: ReminderSubject },
  ): Promise<string> => {
    const { time = null, part = null, date, after, isToday, isVague } = when?.moment ?? noMoment;
    // A single day is no repetition.
    if (date || after || isToday || isVague) return Promise.resolve(reply('no_repeats', {}, ask.turn));
    const kept = { room, isRecurring: true, timeSaid: { time, part } };
    const open: OpenTimer = reminder
      ? { kind: 'timer.remind_when', what: reminder.what, ...kept }
      : { kind: 'timer.for_when', label: name, purpose: 'alarm', ...kept };
    return making.askBack(ask, open, 'how_often');
  };
}

function keptReminder(what: ReminderSubject): Kept {
  return { kind: 'reminder', label: what?.text ?? null, key: what ? `remind_${what.manner}` : 'remind' };
}

/** Plans the repetition that a sentence describes, or gives the reason why it cannot. */
function createRepeatPlanning({
  say,
  clock,
  timeZone,
}: Pick<TimerRepeatingOptions, 'say' | 'clock' | 'timeZone'>) {
  /** The time of day, computed for tomorrow. */
  const timeOf = (moment: SaidMoment, { now, kind }: { now: number; kind: Timer['kind'] }) => {
    const purpose = kind === 'reminder' ? 'reminder' : 'wake';
    const tomorrow = dayFrom(numberOf(clock(now, timeZone)) + 1);
    const whole = { ...moment, date: () => tomorrow, isToday: false };
    const at = resolveMoment(whole, { clock, timeZone, purpose, now });
    return typeof at === 'number' ? clock(at, timeZone) : null;
  };

  /** The rule, starting on the named day or else on its first day. Null: it is not fully understood. */
  const ruleOf = ({ every, except }: SaidPlan, { moment, first }: { moment: SaidMoment; first: Day }) => {
    const rule = spokenRule({ every, except });
    if (moment.after !== null || moment.isToday || rule === null) return null;
    const whole = moment.date === null ? onDayOf(rule, first) : onDate(rule, moment.date, first);
    // A spoken day that contradicts the rule's day.
    if (whole === null || (moment.date !== null && whole === rule)) return null;
    const shifted = isMidnight(moment) ? dayAfter(whole) : whole;
    // "Every three months" counts from its first day, "every other Monday" from the first Monday.
    return shifted === null ? null : { rule: shifted, isCounted: moment.date === null && whole !== rule };
  };

  const planOf = (ask: Ask, spoken: SaidPlan, kind: Timer['kind']): Planned | TimerReply => {
    const now = ask.turn.createdAt;
    const today = clock(now, timeZone);
    const said = withinPeriod(spoken, today);
    if (said === null) return 'no_repeats';
    const { every, when, starts } = said;
    const moment = when?.moment ?? noMoment;
    const first = starts ? starts(today) : today;
    if (first === null) return 'no_day';
    const found = ruleOf(said, { moment, first });
    if (!every || !found || (when !== null && when.moment === null)) return 'no_repeats';
    const time = timeOf(withPart(moment, every), { now, kind });
    if (time === null) return 'repeat_when';
    const { isCounted } = found;
    const start = { ...time, timeZone, after: now, day: spokenAs(moment, first), isCounted };
    return within(said, repetitionFrom(found.rule, start), { moment, now, isCounted });
  };

  /** The repetition within its bounds. */
  const within = (
    { starts, ends }: SaidPlan,
    endless: Repetition,
    { moment, now, isCounted }: { moment: SaidMoment; now: number; isCounted: boolean },
  ): Planned | TimerReply => {
    const last = ends && lastDay(ends, { today: clock(now, timeZone), from: endless.from });
    const repeats = last ? endingOn(endless, spokenAs(moment, last)) : endless;
    const dueAt = nextTime(repeats, now);
    if (dueAt === null) return ends ? 'no_time_left' : 'no_repeats';
    const isLater = starts !== null || (isCounted && repeats.rule.includes('INTERVAL'));
    if (!isLater) return { repeats, dueAt, when: say.repeat(repeats) };
    return { repeats, dueAt, when: say.repeatFrom(repeats, { dueAt, now, isCounted: starts === null }) };
  };

  return planOf;
}

/** "Every day THIS WEEK": only the days of this period. Null: it is unclear which days. */
function withinPeriod(said: SaidPlan, today: Day): SaidPlan | null {
  const { every, when, starts, ends } = said;
  const moment = when?.moment;
  const period = moment?.period ?? every?.period;
  if (!period) return moment?.isVague ? null : said;
  const { from, to } = period(today);
  const isAhead = numberOf(from) > numberOf(today);
  const { isVague: _, period: __, ...rest } = moment ?? noMoment;
  return {
    ...said,
    when: when && { ...when, moment: rest },
    starts: starts ?? (isAhead ? () => from : null),
    ends: ends ?? { on: () => to },
  };
}

function spokenRule({ every, except }: Pick<SaidPlan, 'every' | 'except'>): string | null {
  return every?.rule && except ? exceptDays(every.rule, except) : (every?.rule ?? null);
}

/** Midnight ends the spoken day, as for an alarm that rings once. */
function isMidnight({ time }: SaidMoment): boolean {
  return (time?.hour ?? 0) >= 24;
}

/** The calendar day of a time on a spoken day. */
function spokenAs(moment: SaidMoment, day: Day): Day {
  return isMidnight(moment) ? dayFrom(numberOf(day) + 1) : day;
}

/** "every MORNING at seven" */
function withPart(moment: SaidMoment, { part }: SaidRepeat): SaidMoment {
  return { ...moment, part: moment.part ?? part };
}
