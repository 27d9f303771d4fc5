import type { SaidPeriod } from '../../../language/calendar/period.ts';
import type { Duration } from '../../../language/durations/duration-reader.ts';
import type { Ask } from '../../core/skill.ts';
import type { OpenTimer } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import { countsBy } from './timer-due.ts';
import type { TimerMaking, TimerMakingOptions } from './timer-making.ts';
import type { TimerReminding } from './timer-reminding.ts';
import { type SaidWhen, type TimerSaid, timerIntents } from './timer-slots.ts';
import { wholeWhen } from './whole-when.ts';

const { asksBack, does } = timerIntents;

/** People name no larger number without a unit. */
const maxCount = 1_000;

interface TimerSettingOptions extends Pick<TimerMakingOptions, 'due' | 'read' | 'say'> {
  choice: Pick<TimerChoice, 'active' | 'mentioned'>;
  making: TimerMaking;
  reminding: Pick<TimerReminding, 'remindOf'>;
}

interface Called {
  label: string | null;
  when: SaidWhen | null;
}

export type TimerSetting = ReturnType<typeof createTimerSetting>;

/** Sets timers and alarms, and asks back when the time is missing. */
export function createTimerSetting({ choice, making, reminding, due, read, say }: TimerSettingOptions) {
  const setFor = (ask: Ask, said: TimerSaid, { ms, label }: { ms: number; label: string | null }) => {
    const dueAt = ask.turn.createdAt + ms;
    const wanted = { kind: 'timer', label, dueAt, durationMs: ms, by: 'length' } as const;
    const values = { name: say.newName(wanted), duration: say.duration(ms) };
    return making.make(ask, said, { wanted: [wanted], phrase: { key: 'set', values } });
  };

  const until = async (ask: Ask, said: TimerSaid, { when, label }: Called): Promise<string | null> => {
    const dueAt = due.at(ask, when, { purpose: 'alarm' });
    if (dueAt === null || typeof dueAt !== 'number') return dueAt?.refusal ?? null;
    const now = ask.turn.createdAt;
    const wanted = { kind: 'timer', label, dueAt, durationMs: dueAt - now, by: countsBy(when) } as const;
    const values = { name: say.newName(wanted), when: say.when(dueAt, now) };
    return making.make(ask, said, { wanted: [wanted], phrase: { key: 'set_until', values } });
  };

  /** "5:30" and "one thirty" may be a length or a time of day, so this asks which. */
  const untilOrAsk = (ask: Ask, said: TimerSaid, called: Called): Promise<string | null> => {
    const words = said.at ?? [];
    if (!read.areNumbers(words)) return until(ask, said, called);
    const open = { kind: 'timer.how_long', label: called.label, room: said.room } as const;
    const count = read.countAlone(words);
    if (count === null) return making.askBack(ask, open, 'hours_and_minutes');
    return making.askBack(ask, { ...open, count }, 'which_unit', say.bothLengths(count));
  };

  /** "A timer for 90": minutes or seconds. */
  const askUnit = async (ask: Ask, { name: label, room, minutes }: TimerSaid): Promise<string | null> => {
    const count = read.countAlone(minutes ?? [], maxCount);
    const open = { kind: 'timer.how_long', label, room } as const;
    if (count === null) return making.askBack(ask, open);
    return making.askBack(ask, { ...open, count }, 'which_unit', say.bothLengths(count));
  };

  const alarm = (ask: Ask, said: TimerSaid, at: Called & { purpose: 'wake' | 'alarm' }) => {
    const { label, purpose } = at;
    const open = { kind: 'timer.for_when', label, purpose, room: said.room } as const;
    const name = said.nameWords ?? [];
    const period = read.monthIn(name);
    const when = period || read.namesDay(name) ? withOpenDay(at.when, period) : at.when;
    return making.makeAt(ask, said, { kind: 'alarm', ...at, when, open, phrase: { key: purpose } });
  };

  /** "Another one for ten minutes", "and another at eight": of the kind that was just set or told. */
  const another = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const kinds = new Set((await choice.mentioned(await choice.active(), ask)).map(({ kind }) => kind));
    const [kind = 'timer', ...others] = kinds;
    const ms = said.length?.ms;
    if (others.length === 0 && kind === 'timer' && ms !== undefined)
      return setFor(ask, said, { ms, label: null });
    if (kinds.size !== 1) return null;
    if (kind === 'timer') return untilOrAsk(ask, said, { when: said.when, label: null });
    if (kind !== 'alarm') return null;
    const when = said.when ?? said.answered;
    return alarm(ask, said, { when, label: null, purpose: 'alarm' });
  };

  /** "Ten", in answer to the question for the number of minutes. */
  const numberFor = ({ unit }: OpenTimer, { at }: TimerSaid): Duration | null =>
    unit && at && read.areNumbers(at) ? read.lengthIn(at, unit) : null;

  /** The length in an answer without its own number or unit. */
  const lengthFor = (question: OpenTimer, said: TimerSaid): Duration | null => {
    const length = read.lengthIn(said.minutes ?? [], 'minutes') ?? numberFor(question, said);
    if (length || question.kind === 'timer.for_when') return length;
    return read.lengthOf(question.count, said.unit ?? []);
  };

  return {
    intents: {
      another: does(another),
      set_until: does((ask, said) => until(ask, said, { when: said.when, label: said.name })),
      set_for_time: does((ask, said) => untilOrAsk(ask, said, { when: said.when, label: said.name })),
      set_vague: asksBack((ask, { name: label, room, vague }) => {
        const unit = read.vagueUnit(vague ?? []) ?? 'minutes';
        return making.askBack(ask, { kind: 'timer.how_long', label, room, unit }, `for_${unit}`);
      }),
      set_count: asksBack(askUnit),
      set_open: asksBack((ask, { name: label, room }) =>
        making.askBack(ask, { kind: 'timer.how_long', label, room }),
      ),
      alarm_open: asksBack((ask, { name: label, room }) => {
        const purpose = label === null ? 'wake' : 'alarm';
        return making.askBack(ask, { kind: 'timer.for_when', label, purpose, room });
      }),
    },
    /** Null: no time was said. */
    async set(ask: Ask, said: TimerSaid): Promise<string | null> {
      if (said.untilHour) return until(ask, said, { when: said.untilHour, label: said.name });
      return said.length && setFor(ask, said, { ms: said.length.ms, label: said.name });
    },
    /** "Set the pasta timer to five minutes", if no such timer exists. */
    reset: async (ask: Ask, said: TimerSaid): Promise<string | null> =>
      said.reset && setFor(ask, said, { ms: said.reset.ms, label: said.which?.label ?? null }),
    wake: (ask: Ask, said: TimerSaid) => alarm(ask, said, { when: said.when, label: null, purpose: 'wake' }),
    alarm: (ask: Ask, said: TimerSaid) =>
      alarm(ask, said, { when: said.when, label: said.name, purpose: 'alarm' }),
    /** A time alone, for the timer that was requested before. */
    async answerTo(question: OpenTimer, ask: Ask, answer: TimerSaid): Promise<string | null> {
      const said = { ...answer, room: answer.room ?? question.room ?? null };
      const length = lengthFor(question, said);
      const answered = length ? { moment: null, duration: length, after: length } : said.answered;
      const when = wholeWhen(question, answered, (period, date) => due.dayWithin(ask, period, date));
      if (question.kind === 'timer.remind_when')
        return reminding.remindOf(ask, said, { when, what: question.what });
      const { label } = question;
      if (question.kind === 'timer.for_when')
        return alarm(ask, said, { when, label, purpose: question.purpose });
      const ms = (length ?? said.duration)?.ms;
      return ms === undefined ? untilOrAsk(ask, said, { when, label }) : setFor(ask, said, { ms, label });
    },
  };
}

/** "a Monday gym alarm for six": it must ring on the day in its name. */
function withOpenDay(when: SaidWhen | null, period: SaidPeriod | undefined): SaidWhen | null {
  const moment = when?.moment;
  if (!moment || moment.date || moment.after) return when;
  return { ...when, moment: { ...moment, isVague: true, period } };
}
