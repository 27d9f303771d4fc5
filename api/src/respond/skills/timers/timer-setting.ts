import { type Purpose, resolveMoment } from '../../../language/calendar/moment.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import { textOf, type Word } from '../../../language/grammar/words.ts';
import type { PhraseValues } from '../../../language/phrase.ts';
import type { NewTimer, Timer } from '../../../timers/timer.ts';
import type { AskedBack } from '../../asked-back.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import type { TimerActions } from './timer-actions.ts';
import { manners, type OpenTimer, type ToRemind } from './timer-asks.ts';
import { asksBack, does, type SaidWhen, type TimerSaid } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

interface TimerSettingOptions {
  actions: TimerActions;
  asked: AskedBack;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
}

const questions = {
  'timer.how_long': 'how_long',
  'timer.for_when': 'for_when',
  'timer.remind_when': 'when_remind',
} as const;

/** What is asked for; the rest is where and when that was. */
type Wanted = Pick<NewTimer, 'kind' | 'label' | 'dueAt' | 'durationMs'>;

export type TimerSetting = ReturnType<typeof createTimerSetting>;

/** Sets timers, alarms and reminders, and asks back when the time is missing. */
export function createTimerSetting(options: TimerSettingOptions) {
  const { actions, asked, read, reply, say, clock, timeZone } = options;

  /** A timer for this turn, where it was asked for or where it was asked to ring. */
  const newTimer = ({ turn }: Ask, { room: where }: TimerSaid, rest: Wanted): NewTimer => {
    const { label } = rest;
    // "the kitchen timer" is the one in the kitchen.
    const isRoom = label !== null && read.names.isRoom(label);
    const room = (where ?? (isRoom ? label : null))?.toLowerCase() ?? turn.room;
    const from = { client: turn.conversation, setAt: turn.createdAt };
    return { ...rest, ...from, label: isRoom ? null : label, room };
  };

  const set = async (ask: Ask, timer: NewTimer, told: (timer: Timer) => string): Promise<string> => {
    const result = await actions.set(ask, timer);
    return 'refusal' in result ? result.refusal : told(result);
  };

  const setFor = (ask: Ask, said: TimerSaid, { ms, label }: { ms: number; label: string | null }) => {
    const { turn } = ask;
    const timer = newTimer(ask, said, { kind: 'timer', label, dueAt: turn.createdAt + ms, durationMs: ms });
    return set(ask, timer, (made) => {
      const values = { name: say.newName(made), duration: say.duration(ms), room: made.room ?? '' };
      return reply(said.room === null ? 'set' : 'set_in', values, turn);
    });
  };

  /** When it is to be, or why it cannot be, in a sentence; null when no time was said. */
  const dueAt = (
    ask: Ask,
    said: SaidWhen | null,
    { purpose, near }: { purpose: Purpose; near?: number },
  ): number | { refusal: string } | null => {
    if (said?.duration) return ask.turn.createdAt + said.duration.ms;
    if (!said?.moment) return null;
    const moment = resolveMoment(said.moment, { clock, timeZone, purpose, near, now: ask.turn.createdAt });
    if (typeof moment === 'number') return moment;
    return moment === 'no_time' ? null : { refusal: reply(moment, {}, ask.turn) };
  };

  /** Asks for the time; where nobody can come back with it, everything must be said at once. */
  const askBack = async ({ turn }: Ask, question: OpenTimer): Promise<string> => {
    if (turn.conversation === null) return reply('all_at_once', {}, turn);
    await asked.note(turn, question);
    return reply(questions[question.kind], {}, turn);
  };

  interface At {
    kind: 'alarm' | 'reminder';
    label: string | null;
    when: SaidWhen | null;
    purpose: Purpose;
    /** What is asked when the time is missing, and what is said when it is set. */
    open: OpenTimer;
    told: { key: TimerReply; values?: PhraseValues };
  }
  const setAt = async (ask: Ask, said: TimerSaid, at: At): Promise<string> => {
    const { kind, label, when, purpose, open, told } = at;
    const due = dueAt(ask, when, { purpose });
    if (due === null) return askBack(ask, open);
    if (typeof due !== 'number') return due.refusal;
    const timer = newTimer(ask, said, { kind, label, dueAt: due, durationMs: null });
    return set(ask, timer, (made) => {
      const values = { ...told.values, name: say.newName(made), when: whenOf(ask, when, due) };
      return reply(told.key, values, ask.turn);
    });
  };

  /** What was asked for in minutes is told in minutes. */
  const whenOf = ({ turn }: Ask, said: SaidWhen | null, due: number): string => {
    const after = said?.after;
    return after && after.days === null ? say.after(after.ms) : say.when(due, turn.createdAt);
  };

  const alarm = (
    ask: Ask,
    said: TimerSaid,
    { when, label, purpose }: Pick<At, 'when' | 'label'> & { purpose: 'wake' | 'alarm' },
  ) =>
    setAt(ask, said, {
      kind: 'alarm',
      label,
      when,
      purpose,
      open: { kind: 'timer.for_when', label, purpose },
      told: { key: purpose },
    });

  const remindOf = (ask: Ask, said: TimerSaid, { when, what }: { when: SaidWhen | null; what: ToRemind }) =>
    setAt(ask, said, {
      kind: 'reminder',
      label: what?.text ?? null,
      when,
      purpose: 'reminder',
      open: { kind: 'timer.remind_when', what },
      told: what
        ? { key: `remind_${what.manner}`, values: { what: say.toYou(what.text) } }
        : { key: 'remind' },
    });

  /** The words of what a reminder is about, and how they are said. */
  const aboutIn = (said: TimerSaid) => {
    const manner = manners.find((each) => said[each] !== null);
    return manner ? { manner, words: said[manner] ?? [] } : null;
  };
  const whatOf = ({ turn: { text } }: Ask, said: TimerSaid): ToRemind => {
    const about = aboutIn(said);
    return (
      about && {
        manner: about.manner,
        text: `${textOf(text, about.words)}${ownEnd(text, about.words, said)}`,
      }
    );
  };

  /** "to say sorry": what may be said to the assistant elsewhere is none of its business here. */
  const ownEnd = (text: string, words: readonly Word[], { at }: TimerSaid): string => {
    const end = words.at(-1)?.end ?? 0;
    const isLast = (at ?? []).every((word) => word.end <= end);
    return isLast ? read.ownEnd(text.slice(end)) : '';
  };

  const until = async (
    ask: Ask,
    said: TimerSaid,
    { when, label }: Pick<At, 'when' | 'label'>,
  ): Promise<string | null> => {
    const due = dueAt(ask, when, { purpose: 'alarm' });
    if (due === null || typeof due !== 'number') return due?.refusal ?? null;
    const durationMs = due - ask.turn.createdAt;
    const timer = newTimer(ask, said, { kind: 'timer', label, dueAt: due, durationMs });
    return set(ask, timer, (made) =>
      reply('set_until', { name: say.newName(made), when: say.when(due, ask.turn.createdAt) }, ask.turn),
    );
  };

  /** A time alone, for what was asked to be set before. */
  const answerTo = async (question: OpenTimer, ask: Ask, said: TimerSaid): Promise<string | null> => {
    const when = said.answered;
    if (question.kind === 'timer.remind_when') return remindOf(ask, said, { when, what: question.what });
    const { label } = question;
    if (question.kind === 'timer.for_when')
      return alarm(ask, said, { when, label, purpose: question.purpose });
    const ms = said.duration?.ms;
    return ms === undefined ? until(ask, said, { when, label }) : setFor(ask, said, { ms, label });
  };

  const remind = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const words = aboutIn(said)?.words ?? [];
    if (read.isCut(words)) return null;
    if (read.isRepeated(words)) return reply('no_repeats', {}, ask.turn);
    return remindOf(ask, said, { when: said.when, what: whatOf(ask, said) });
  };
  const remindOpen = async (ask: Ask, said: TimerSaid): Promise<string> => {
    if (read.isRepeated(aboutIn(said)?.words ?? [])) return reply('no_repeats', {}, ask.turn);
    return askBack(ask, { kind: 'timer.remind_when', what: whatOf(ask, said) });
  };

  return {
    intents: {
      set_until: does((ask, said) => until(ask, said, { when: said.when, label: said.name })),
      set_open: asksBack((ask, said) => askBack(ask, { kind: 'timer.how_long', label: said.name })),
      alarm_open: asksBack((ask) => askBack(ask, { kind: 'timer.for_when', label: null, purpose: 'wake' })),
      remind: does(remind),
      remind_open: asksBack(remindOpen),
    },
    /** Null: no time was said. */
    set: async (ask: Ask, said: TimerSaid): Promise<string | null> =>
      said.length && setFor(ask, said, { ms: said.length.ms, label: said.name }),
    /** "Set the pasta timer to five minutes", where there is none. */
    reset: async (ask: Ask, said: TimerSaid): Promise<string | null> =>
      said.reset && setFor(ask, said, { ms: said.reset.ms, label: said.which?.label ?? null }),
    wake: (ask: Ask, said: TimerSaid) => alarm(ask, said, { when: said.when, label: null, purpose: 'wake' }),
    alarm: (ask: Ask, said: TimerSaid) =>
      alarm(ask, said, { when: said.when, label: said.name, purpose: 'alarm' }),
    remind,
    answerTo,
    dueAt,
  };
}
