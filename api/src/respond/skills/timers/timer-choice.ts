import { numberOf } from '../../../language/calendar/day.ts';
import type { DayPart } from '../../../language/calendar/moment-reader.ts';
import type { Period } from '../../../language/calendar/period.ts';
import type { SaidTime } from '../../../language/calendar/time-reader.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import { textOf, type Word, type WordReader } from '../../../language/grammar/words.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import { ringsOn } from '../../../timers/repetition.ts';
import { isNear, type Timer, type TimerKind } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { HouseholdActions } from '../../core/household-actions.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerStep } from './timer-asks.ts';
import { type SaidTimer, timerMoment } from './timer-names.ts';
import type { TimerSaid } from './timer-slots.ts';
import { isInWindow } from './timer-span.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

/** How long "it" refers to the timer that was just set or changed. */
const justSetMs = 2 * 60_000;

const activeStates: ReadonlySet<Timer['state']> = new Set(['running', 'ringing', 'paused']);

/** The hours that people call night. */
const nightEnds = 6;
const hoursOf: Readonly<Record<DayPart, (hour: number) => boolean>> = {
  morning: (hour) => hour < 12,
  afternoon: (hour) => hour >= 12 && hour < 18,
  evening: (hour) => hour >= 17,
  night: (hour) => hour >= 18 || hour < nightEnds,
};

interface TimerChoiceOptions {
  timers: TimerStore;
  pendingQuestions: HouseholdQuestions;
  actions: Pick<HouseholdActions, 'latest'>;
  read: TimerWords;
  readWords: WordReader;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  nouns: Readonly<Record<TimerKind, readonly string[]>>;
  formOf: LanguageRules['formOf'];
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

/** A mention of an existing timer. */
type Naming = Pick<
  TimerSaid,
  | 'which'
  | 'any'
  | 'time'
  | 'name'
  | 'nameWords'
  | 'span'
  | 'spanWords'
  | 'spanLength'
  | 'lasting'
  | 'place'
  | 'here'
>;

/** The words after a timer: its time, or its duration. Only a timer has one: "the timer of 2 hours". */
function spanOf({ which, any, span, spanLength, lasting }: Naming): Pick<Naming, 'span' | 'lasting'> {
  const isLength = spanLength !== null && (which ?? any)?.kind === 'timer';
  return isLength ? { span: null, lasting: spanLength } : { span, lasting };
}

/** A missing timer, as the person named it. */
type Missing = Pick<SaidTimer, 'kind' | 'label'> & Partial<SaidTimer>;

const nothing = { kind: 'timer', label: null, duration: null, time: null } as const;

/** The mention plus its suffix: "the timer for the pasta", "the alarm for tomorrow morning". */
function saidIn(naming: Naming): SaidTimer | null {
  const { time, name, spanWords, place } = naming;
  const which = naming.which ?? naming.any;
  const { span, lasting } = spanOf(naming);
  const label = name ?? place;
  if (!which && label === null && !span) return null;
  const moment = span && timerMoment(span);
  return {
    ...nothing,
    ...which,
    ...(label !== null && { label }),
    ...(lasting && { duration: lasting }),
    time: time ?? moment?.time ?? which?.time ?? null,
    part: moment?.part ?? which?.part ?? null,
    date: moment?.date ?? which?.date,
    period: moment?.period ?? which?.period,
    window: span?.window,
    behind: spanWords ?? [],
  };
}

/**
 * "The reminder to go to the bank ON MONDAY": separates the time at the end of a name. Null: there is none.
 */
function partedIn(naming: Naming, text: string, read: TimerWords): SaidTimer | null {
  const words = naming.nameWords ?? [];
  const ends = words.map((_, at) => ({ at, span: at > 0 ? read.readSpan(words, at) : null }));
  const time = naming.span ? undefined : ends.find(({ span }) => span?.end === words.length);
  if (!time?.span) return null;
  const name = read.names.labelIn(text, words.slice(0, time.at));
  return saidIn({ ...naming, name, span: time.span.value, spanWords: words.slice(time.at) });
}

export type TimerChoice = ReturnType<typeof createTimerChoice>;

/** Finds the timers that the person means. */
export function createTimerChoice(options: TimerChoiceOptions) {
  const { timers, pendingQuestions, actions, read, readWords, reply, say } = options;
  const { matching, meant } = createTimerMatching(options);

  /** The mention. Separates the time at the end of its name if only that finds a timer. */
  const saidAmong = (all: readonly Timer[], naming: Naming, ask: Ask): SaidTimer | null => {
    const whole = saidIn(naming.here ? { ...naming, place: ask.turn.room } : naming);
    if (!whole || meant(all, whole, ask).length > 0) return whole;
    const apart = partedIn(naming, ask.turn.text, read);
    return apart && meant(all, apart, ask).length > 0 ? apart : whole;
  };

  const active = async (): Promise<Timer[]> =>
    (await timers.all()).filter(({ state }) => activeStates.has(state));

  /** Those that the last action of this conversation has just changed. */
  const justChanged = async (all: readonly Timer[], { turn }: Ask): Promise<Timer[]> => {
    const [last] = await actions.latest(turn);
    const action = last?.action;
    if (!action || !('timers' in action) || action.undoneAt !== undefined) return [];
    if (turn.createdAt - action.at > justSetMs) return [];
    return all.filter(({ id }) => action.timers.some((changed) => changed.id === id));
  };

  /** Whether the last thing said was that action. After a sum, "plus five" continues the sum. */
  const hasActedLast = async ({ turn, exchanges }: Ask): Promise<boolean> => {
    const [last] = await actions.latest(turn);
    return last !== undefined && (exchanges.at(-1)?.at ?? 0) <= last.action.at;
  };

  const lastWords = ({ exchanges }: Ask): readonly Word[] => wordsAnswered(exchanges.at(-1), readWords);

  /** The only timer that the last sentence named and Hearth answered: "which alarms do I have?" */
  const justMentioned = (all: readonly Timer[], ask: Ask): readonly Timer[] => {
    const words = lastWords(ask);
    const said = words.map((_, at) => read.names.readTimer(words, at)?.value).find(Boolean);
    return said ? meant(all, { ...nothing, ...said }, ask) : [];
  };

  /** "It", right after timers were set, changed or read out. */
  const mentioned = async (all: readonly Timer[], ask: Ask): Promise<readonly Timer[]> => {
    const changed = await justChanged(all, ask);
    return changed.length > 0 ? changed : justMentioned(all, ask);
  };

  const { noun, missing, none } = createMissingTimer(options);

  return {
    active,
    matching,
    meant,
    saidIn,
    saidAmong,
    /** The same for a sentence about timers of this kind. */
    saidOf: (said: Naming, kind: TimerKind): SaidTimer => ({
      ...nothing,
      ...saidIn(said),
      kind,
    }),
    noun,
    missing,
    none,
    /** The words and the one before them: "TO pick up the kids". */
    withLead(words: readonly Word[], { turn }: Ask): readonly Word[] {
      const lead = readWords(turn.text).findLast(({ end }) => end <= (words[0]?.start ?? 0));
      return lead ? [lead, ...words] : words;
    },

    lastWords,
    justChanged,
    hasActedLast,
    justMentioned,
    mentioned,

    /** The only timer, or the one just changed or set here. Timers just set in another room do not count. */
    async only(all: readonly Timer[], ask: Ask): Promise<Timer | null> {
      if (all.length === 1) return all[0] ?? null;
      const { turn } = ask;
      const changed = await justChanged(all, ask);
      if (changed.length === 1) return changed[0] ?? null;
      const { room, conversation } = turn;
      const setHere = all.filter(
        (timer) =>
          (conversation !== null && timer.client === conversation) || isNear(timer, { room, conversation }),
      );
      const [newest] = setHere.toSorted((one, other) => other.setAt - one.setAt);
      return newest && turn.createdAt - newest.setAt <= justSetMs ? newest : null;
    },

    /** Asks which one the person means. The answer then makes the change. */
    async askWhich(ask: Ask, all: readonly Timer[], step: TimerStep): Promise<string> {
      const { turn } = ask;
      const kind = all[0]?.kind ?? 'timer';
      const ids = all.map(({ id }) => id);
      if (turn.conversation !== null) await pendingQuestions.note(turn, { kind: 'timer.which', step, ids });
      return reply('which', { noun: noun(kind), timers: say.choice(all, turn.createdAt) }, turn);
    },
  };
}

/** Names a timer that does not exist. */
function createMissingTimer({
  reply,
  say,
  nouns,
  formOf,
}: Pick<TimerChoiceOptions, 'reply' | 'say' | 'nouns' | 'formOf'>) {
  const noun = (kind: TimerKind, count = 1): string => nouns[kind][formOf(count) === 'one' ? 0 : 1] ?? kind;

  /** "egg timer", "alarm for tomorrow morning", as spoken, in the form for a number of them. */
  const described = (
    { kind, label, before = [], behind = [] }: Missing,
    { turn }: Ask,
    count: number,
  ): string => {
    const words = label === null || before.length > 0 ? textOf(turn.text, before) : label;
    const name = words === '' ? noun(kind, count) : say.none(words, noun(kind, count));
    return behind.length === 0 ? name : say.noneBehind(name, textOf(turn.text, behind));
  };
  /** Some languages say "no" with the singular, others with the plural. */
  const missing = (said: Missing, ask: Ask) => ({
    noun: described(said, ask, 1),
    nouns: described(said, ask, 2),
  });

  /** Says that it does not exist, and which others of its kind do. */
  const none = (said: Missing, ask: Ask, all: readonly Timer[] = []): string => {
    const others = all.filter(({ kind }) => kind === said.kind);
    const { turn } = ask;
    const values = missing(said, ask);
    if (others.length === 0) return reply('none', values, turn);
    return reply('none_but', { ...values, timers: say.allStanding(others, turn.createdAt) }, turn);
  };

  return { noun, missing, none };
}

/** The words of a sentence that Hearth answered. */
function wordsAnswered(last: Ask['exchanges'][number] | undefined, readWords: WordReader): readonly Word[] {
  return last?.isOurs ? readWords(last.user.slice(last.wordsFrom ?? 0)) : [];
}

/** Whether a timer rings on one of these days. */
function isInPeriod(
  { from, to }: Period,
  { day, repeats }: { day: number } & Pick<Timer, 'repeats'>,
): boolean {
  const [first, last] = [numberOf(from), numberOf(to)];
  if (!repeats) return first <= day && day <= last;
  const days = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return days.some((each) => each >= day && ringsOn(repeats, each));
}

/** Compares timers with the words that the person used for them. */
function createTimerMatching({
  read,
  clock,
  timeZone,
}: Pick<TimerChoiceOptions, 'read' | 'clock' | 'timeZone'>) {
  const isAt = (timer: Timer, time: SaidTime): boolean => {
    const there = clock(timer.dueAt, timeZone);
    const isHalf = time.half === null || (time.half === 'pm') === there.hour >= 12;
    return there.minute === time.minute && there.hour % 12 === time.hour % 12 && isHalf;
  };

  const matching = (all: readonly Timer[], said: SaidTimer): Timer[] => {
    const { kind, label, duration, time } = said;
    const fitting = all
      .filter((timer) => timer.kind === kind && (said.state ?? timer.state) === timer.state)
      .filter(({ repeats }) => !said.isRecurring || repeats)
      .filter((timer) => duration === null || timer.durationMs === duration.ms)
      .filter((timer) => time === null || isAt(timer, time));
    if (label === null) return fitting;
    const named = read.names.withLabel(fitting, label);
    if (named.length > 0) return named;
    // "my weekday alarm"
    const rule = read.ruleNamed(label);
    return fitting.filter(({ room, repeats }) => room === label || (rule && repeats?.rule === rule));
  };

  /**
   * Whether it rings in that part of that day. After midnight still belongs to the night of the day before.
   */
  const isWithin = (timer: Timer, { date, part, window, period }: SaidTimer, now: number): boolean => {
    const { dueAt, repeats } = timer;
    const there = clock(dueAt, timeZone);
    const today = clock(now, timeZone);
    if (period && !isInPeriod(period(today), { day: numberOf(there), repeats })) return false;
    const day = date?.(today);
    const isBefore = part === 'night' && there.hour < nightEnds;
    const night = isBefore ? 1 : 0;
    const isOnDay =
      !day ||
      (repeats
        ? numberOf(there) - night <= numberOf(day) && ringsOn(repeats, numberOf(day) + night)
        : numberOf(there) - night === numberOf(day));
    const isInside = !window || isInWindow(window, there.hour * 60 + there.minute, part ?? null);
    return isOnDay && isInside && (!part || hoursOf[part](there.hour));
  };

  /** The mentioned timers, with their day and part of the day. */
  const meant = (all: readonly Timer[], said: SaidTimer, { turn }: Ask): readonly Timer[] => {
    const found = matching(all, said).filter((timer) => isWithin(timer, said, turn.createdAt));
    return said.isSoonest ? found.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, 1) : found;
  };

  return { matching, meant };
}
