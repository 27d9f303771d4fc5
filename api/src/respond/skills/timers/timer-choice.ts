import { numberOf } from '../../../language/calendar/day.ts';
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

/** A mention of an existing timer. */
type Naming = Pick<TimerSaid, 'which' | 'time' | 'name'>;

export type TimerChoice = ReturnType<typeof createTimerChoice>;

/** Which timers are meant. */
export function createTimerChoice(options: TimerChoiceOptions) {
  const { timers, asked, read, reply, say, nouns, formOf, clock, timeZone } = options;

  const active = async (): Promise<Timer[]> => (await timers.all()).filter(({ state }) => state !== 'missed');

  /** The mention with its name behind it: "the timer for the pasta". */
  const saidIn = ({ which: named, time, name: label }: Naming): SaidTimer | null => {
    const which = named && { ...named, time: time ?? named.time };
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

  /** Of these, the ones that are due on a day; all where none was said. */
  const onDay = (found: readonly Timer[], date: SaidTimer['date'], { turn }: Ask): readonly Timer[] => {
    const day = date?.(clock(turn.createdAt, timeZone));
    return day ? found.filter(({ dueAt }) => numberOf(clock(dueAt, timeZone)) === numberOf(day)) : found;
  };

  const noun = (kind: TimerKind, count = 1): string => nouns[kind][formOf(count) === 'one' ? 0 : 1] ?? kind;

  /** "egg timer", as it was said. */
  const described = ({ kind, label }: Pick<SaidTimer, 'kind' | 'label'>): string =>
    label === null ? noun(kind) : say.none(label, noun(kind));

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

    none: (said: Pick<SaidTimer, 'kind' | 'label'>, { turn }: Ask): string =>
      reply('none', { noun: described(said) }, turn),

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
