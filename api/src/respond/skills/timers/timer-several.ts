import type { MomentPurpose } from '../../../language/calendar/moment.ts';
import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { withCapital } from '../../../language/capitals.ts';
import { joined } from '../../../language/phrase.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { maxAtOnce } from './several-words.ts';
import type { OpenTimer, ReminderSubject } from './timer-asks.ts';
import { countsBy, type TimerDue } from './timer-due.ts';
import type { TimerMaking } from './timer-making.ts';
import type { RequestedTimer } from './timer-plan.ts';
import type { TimerReminding } from './timer-reminding.ts';
import { type SaidWhen, type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerReply } from './timers-shape.ts';

const { does } = timerIntents;

interface TimerSeveralOptions {
  making: Pick<TimerMaking, 'make'>;
  due: Pick<TimerDue, 'at' | 'whenWords'>;
  reminding: Pick<TimerReminding, 'subjectOf' | 'phraseOf'>;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  words: { between: string; last: string };
}

export type TimerSeveral = ReturnType<typeof createTimerSeveral>;

/** Sets several alarms or timers as one action: all or none. */
export function createTimerSeveral(options: TimerSeveralOptions) {
  const { making, due, reminding, reply, say, words } = options;
  const noneSet = (ask: Ask, text: string) => reply('none_of_them', { text }, ask.turn);

  const setAll = createSetAll({ making, say, words });

  /** The due times. A time without a day follows the one before it. */
  const dueOf = (ask: Ask, moments: readonly SaidMoment[], purpose: MomentPurpose) => {
    const found: number[] = [];
    for (const moment of moments) {
      const isFree = moment.date === null && !moment.isToday && moment.after === null;
      const after = isFree ? Math.max(ask.turn.createdAt, found.at(-1) ?? 0) : ask.turn.createdAt;
      const when = whenOf(moment);
      const at = due.at({ ...ask, turn: { ...ask.turn, createdAt: after } }, when, { purpose });
      if (typeof at !== 'number') return at;
      found.push(at);
    }
    return found;
  };

  const alarms =
    (purpose: 'wake' | 'alarm') =>
    async (ask: Ask, said: TimerSaid): Promise<string | null> => {
      const found = said.times && dueOf(ask, said.times, purpose);
      if (!Array.isArray(found)) return found ? noneSet(ask, found.refusal) : null;
      const wanted = [...new Set(found)].map((dueAt): RequestedTimer => {
        return { kind: 'alarm', label: null, dueAt, durationMs: null, by: 'clock' };
      });
      return setAll(ask, wanted, { said, whenOf: ({ dueAt }) => say.when(dueAt, ask.turn.createdAt) });
    };

  /** "Remind me on the 30th and the 31st to pay rent": one subject at several times. */
  const reminders = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const { moments } = spoken;
    const subject = moments && (await reminding.subjectOf(ask, spoken));
    if (!subject || typeof subject === 'string') return subject;
    const { said, what } = subject;
    const all = moments.map((moment) => withTimeOf(moment, said.when?.moment ?? null));
    return remindAll(ask, said, { all, what });
  };

  const remindAll = async (
    ask: Ask,
    said: TimerSaid,
    { all, what }: { all: readonly SaidMoment[]; what: ReminderSubject },
  ): Promise<string | null> => {
    const found = dueOf(ask, all, 'reminder');
    if (!Array.isArray(found)) return found && noneSet(ask, found.refusal);
    const whens = found.map((dueAt, at) => due.whenWords(ask, whenOf(all[at]), dueAt));
    const wanted = found.map((dueAt, at): RequestedTimer => {
      const by = countsBy(whenOf(all[at]));
      return { kind: 'reminder', label: what?.text ?? null, dueAt, durationMs: null, by };
    });
    const { key, values } = reminding.phraseOf(what);
    return making.make(ask, said, {
      wanted,
      phrase: { key, values: { ...values, when: joined(whens, words) } },
    });
  };

  /**
   * "Monday and Tuesday", in answer to the question for a reminder's time. Null: the question was another
   * one.
   */
  const answerTo = async (question: OpenTimer, ask: Ask, answer: TimerSaid): Promise<string | null> => {
    if (question.kind !== 'timer.remind_when' || !answer.moments) return null;
    const { timeSaid, what } = question;
    const all = answer.moments.map((moment) =>
      timeSaid ? withTimeOf(moment, { ...moment, ...timeSaid }) : moment,
    );
    const said = { ...answer, room: answer.room ?? question.room ?? null };
    return remindAll(ask, said, { all, what });
  };

  const timers = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const { lengths, count, duration } = said;
    const meant = lengths ?? (count && duration ? Array.from({ length: count }, () => duration) : null);
    if (meant === null) return null;
    const wanted = meant.map(({ ms }): RequestedTimer => {
      return { kind: 'timer', label: null, dueAt: ask.turn.createdAt + ms, durationMs: ms, by: 'length' };
    });
    return setAll(ask, wanted, { said, whenOf: ({ durationMs }) => say.duration(durationMs ?? 0) });
  };

  /** "20 minutes for the cake and ten for the icing" */
  const namedTimers = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const wanted = said.named?.map(({ ms, label }): RequestedTimer => {
      return { kind: 'timer', label, dueAt: ask.turn.createdAt + ms, durationMs: ms, by: 'length' };
    });
    if (!wanted) return null;
    const phrase = wanted.map((timer) => {
      const values = { name: say.newName(timer), duration: say.duration(timer.durationMs ?? 0) };
      return { key: 'set', values } as const;
    });
    return making.make(ask, said, { wanted, phrase });
  };

  const intents = {
    named_timers: does(namedTimers),
    several_wake: does(alarms('wake')),
    several_alarms: does(alarms('alarm')),
    several_timers: does(timers),
    ...createTimersApart(options),
    several_reminders: does(reminders),
  };
  return { intents, answerTo };
}

/** Sets alarms or timers as one action, and reports their times. */
function createSetAll({ making, say, words }: Pick<TimerSeveralOptions, 'making' | 'say' | 'words'>) {
  return (
    ask: Ask,
    wanted: readonly RequestedTimer[],
    { said, whenOf }: { said: TimerSaid; whenOf: (wanted: RequestedTimer) => string },
  ): Promise<string> => {
    const [first] = wanted;
    if (first?.kind === 'alarm' && wanted.length === 1)
      return making.make(ask, said, {
        wanted,
        phrase: { key: 'alarm', values: { name: say.newName(first), when: whenOf(first) } },
      });
    const key = first?.kind === 'timer' ? 'several_timers' : 'several_alarms';
    const whens = wanted.map(whenOf);
    const isOne = new Set(whens).size === 1;
    const values = {
      count: withCapital(say.number(wanted.length)),
      // "Two timers: five minutes."
      whens: joined(isOne ? whens.slice(0, 1) : whens, words),
    };
    return making.make(ask, said, { wanted, phrase: { key, values } });
  };
}

/** Alarms and reminders at equal intervals: "every 15 minutes for an hour". */
function createTimersApart(options: TimerSeveralOptions) {
  const { making, due, reminding, reply, say, words } = options;
  const setAll = createSetAll(options);

  /** The times, or a refusal if there are too many. */
  const timesApart = (ask: Ask, { apart, within, newTime }: TimerSaid) => {
    const until = due.at(ask, newTime, { purpose: 'alarm' });
    if (until !== null && typeof until !== 'number') return until;
    const lengthMs = until === null ? (within?.ms ?? 0) : until - ask.turn.createdAt;
    const count = apart && apart.ms > 0 ? Math.floor(lengthMs / apart.ms) : 0;
    if (!apart || count < 1 || count > maxAtOnce) return { refusal: reply('no_repeats', {}, ask.turn) };
    return Array.from({ length: count }, (_, at) => ask.turn.createdAt + (at + 1) * apart.ms);
  };

  const alarmsApart = async (ask: Ask, said: TimerSaid): Promise<string> => {
    const times = timesApart(ask, said);
    if (!Array.isArray(times)) return times.refusal;
    const wanted = times.map((dueAt): RequestedTimer => {
      return { kind: 'alarm', label: said.name, dueAt, durationMs: null, by: 'length' };
    });
    return setAll(ask, wanted, { said, whenOf: ({ dueAt }) => say.when(dueAt, ask.turn.createdAt) });
  };

  const remindersApart = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const times = timesApart(ask, spoken);
    if (!Array.isArray(times)) return times.refusal;
    const subject = await reminding.subjectOf(ask, spoken);
    if (!subject || typeof subject === 'string') return subject;
    const label = subject.what?.text ?? null;
    const wanted = times.map((dueAt): RequestedTimer => {
      return { kind: 'reminder', label, dueAt, durationMs: null, by: 'length' };
    });
    const { key, values } = reminding.phraseOf(subject.what);
    const when = joined(
      times.map((dueAt) => say.when(dueAt, ask.turn.createdAt)),
      words,
    );
    return making.make(ask, subject.said, { wanted, phrase: { key, values: { ...values, when } } });
  };

  return { alarms_apart: does(alarmsApart), reminders_apart: does(remindersApart) };
}

function whenOf(moment: SaidMoment | undefined): SaidWhen {
  return { moment: moment ?? null, duration: null, after: moment?.after ?? null };
}

/** "Remind me on Monday and Friday to call AT SIX": the text ends with the time. */
function withTimeOf(moment: SaidMoment, other: SaidMoment | null): SaidMoment {
  const isOpen = moment.time === null && moment.part === null && moment.after === null;
  return other && isOpen ? { ...moment, time: other.time, part: other.part } : moment;
}
