import { type Day, numberOf } from '../../../language/calendar/day.ts';
import type { DayPart, SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { SaidTime } from '../../../language/calendar/time-reader.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import { isNear, type Timer, type TimerKind } from '../../../timers/timer.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { HouseholdQuestions } from '../../household-questions.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import type { TimerStep } from './timer-asks.ts';
import type { SaidTimer } from './timer-names.ts';
import type { TimerSaid } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

/** "It" means the timer that was just set, for so long. */
const justSetMs = 2 * 60_000;

interface TimerChoiceOptions {
  timers: TimerStore;
  asked: HouseholdQuestions;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  nouns: Readonly<Record<TimerKind, readonly string[]>>;
  formOf: LanguageRules['formOf'];
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

/** So many others are told. */
const mostTold = 4;

type Described = Pick<SaidTimer, 'kind' | 'label'> & Partial<Pick<SaidTimer, 'time'>>;

/** A mention of an existing timer. */
type Naming = Pick<TimerSaid, 'which' | 'time' | 'name'> & Partial<Pick<TimerSaid, 'moment'>>;

export type TimerChoice = ReturnType<typeof createTimerChoice>;

/** Which timers are meant. */
export function createTimerChoice(options: TimerChoiceOptions) {
  const { timers, asked, read, reply, say, nouns, formOf, clock, timeZone } = options;

  const active = async (): Promise<Timer[]> => (await timers.all()).filter(({ state }) => state !== 'missed');

  /** The mention with its name behind it: "the timer for the pasta". */
  const saidIn = ({ which: named, time, name: label, moment }: Naming): SaidTimer | null => {
    const which = named && { ...named, time: time ?? named.time, ...dayIn(moment) };
    if (label === null) return which;
    const nothing = { kind: 'timer', duration: null, time: null } as const;
    return { ...(which ?? nothing), label };
  };

  const isAt = (timer: Timer, time: SaidTime): boolean => {
    const there = clock(timer.dueAt, timeZone);
    const isHalf = time.half === null || (time.half === 'pm') === there.hour >= 12;
    return there.minute === time.minute && there.hour % 12 === time.hour % 12 && isHalf;
  };

  const matching = (all: readonly Timer[], said: SaidTimer): Timer[] => {
    const { kind, label, duration, time } = said;
    const fitting = all
      .filter((timer) => timer.kind === kind)
      .filter((timer) => duration === null || timer.durationMs === duration.ms)
      .filter((timer) => time === null || isAt(timer, time));
    if (label === null) return fitting;
    const named = read.names.withLabel(fitting, label);
    return named.length > 0 ? named : fitting.filter(({ room }) => room === label);
  };

  /** Of these, the ones that are due on a day and in a part of it; all where none was said. */
  const onDay = (
    found: readonly Timer[],
    { date, part }: Pick<SaidTimer, 'date' | 'part'>,
    { turn }: Ask,
  ): readonly Timer[] => {
    const day = date?.(clock(turn.createdAt, timeZone));
    return found.filter(({ dueAt }) => {
      const due = clock(dueAt, timeZone);
      return (!day || numberOf(due) === numberOf(day)) && (part === undefined || isIn(part, due.hour));
    });
  };

  const noun = (kind: TimerKind, count = 1): string => nouns[kind][formOf(count) === 'one' ? 0 : 1] ?? kind;

  /** "egg timer", as it was said. */
  const described = ({ kind, label, time }: Described): string => {
    const name = label ?? (time ? say.clockTime(time) : null);
    return name === null ? noun(kind) : say.none(name, noun(kind));
  };

  return {
    active,
    matching,
    onDay,
    saidIn,
    /** The same with this kind, for a sentence that is about timers of one kind. */
    saidOf: (said: Naming, kind: TimerKind): SaidTimer => ({
      label: null,
      duration: null,
      time: null,
      ...saidIn(said),
      kind,
    }),
    noun,
    described,

    /** There is no such timer: what was looked for, and what there is instead. */
    async none(said: Described, { turn }: Ask): Promise<string> {
      const others = (await active()).filter(({ kind }) => kind === said.kind).slice(0, mostTold);
      if (others.length === 0) return reply('none', { noun: described(said) }, turn);
      const isNamed = said.label !== null || Boolean(said.time);
      const values = { noun: described(said), timers: say.allStanding(others, turn.createdAt) };
      return reply(isNamed ? 'none_but' : 'none_such', values, turn);
    },

    /** The only one, or the one that was just set here: a timer that was just set in another room is not meant. */
    only(all: readonly Timer[], { turn }: Ask): Timer | null {
      if (all.length === 1) return all[0] ?? null;
      const { room, conversation } = turn;
      const setHere = all.filter(
        (timer) =>
          (conversation !== null && timer.client === conversation) || isNear(timer, { room, conversation }),
      );
      const [newest] = setHere.toSorted((one, other) => other.setAt - one.setAt);
      return newest && turn.createdAt - newest.setAt <= justSetMs ? newest : null;
    },

    /** Asks which of them is meant. If the next sentence tells, the change is made then. */
    async askWhich({ turn }: Ask, all: readonly Timer[], step: TimerStep): Promise<string> {
      const kind = all[0]?.kind ?? 'timer';
      const ids = all.map(({ id }) => id);
      if (turn.conversation !== null) await asked.note(turn, { kind: 'timer.which', step, ids });
      return reply('which', { noun: noun(kind), timers: say.choice(all, turn.createdAt) }, turn);
    },
  };
}

function dayIn(moment: SaidMoment | null | undefined): Pick<SaidTimer, 'date' | 'part'> {
  if (!moment) return {};
  const date = moment.date ?? (moment.isToday ? (today: Day) => today : null);
  return { ...(date && { date }), ...(moment.part && { part: moment.part }) };
}

/** The parts of a day overlap: six o'clock is in the afternoon and in the evening. */
function isIn(part: DayPart, hour: number): boolean {
  if (part === 'morning') return hour < 12;
  if (part === 'afternoon') return hour >= 12 && hour < 19;
  return part === 'evening' ? hour >= 17 : hour >= 18 || hour < 6;
}
