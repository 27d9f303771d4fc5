import { type Purpose, resolveMoment } from '../../../language/calendar/moment.ts';
import type { createClock } from '../../../language/calendar/time-zones.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { PhraseValues } from '../../../language/phrase.ts';
import type { NewTimer, Timer } from '../../../timers/timer.ts';
import type { AskedBack } from '../../asked-back.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import type { TimerActions } from './timer-actions.ts';
import { manners, type OpenTimer, type ToRemind } from './timer-asks.ts';
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

type Manner = (typeof manners)[number];

export type TimerSetting = ReturnType<typeof createTimerSetting>;

/** Sets timers, alarms and reminders, and asks back when the time is missing. */
export function createTimerSetting(options: TimerSettingOptions) {
  const { actions, asked, read, reply, say, clock, timeZone } = options;

  /** A timer for this turn, where it was asked for or where it was asked to ring. */
  const newTimer = ({ turn, said }: Ask, rest: Pick<NewTimer, 'kind' | 'label' | 'dueAt' | 'durationMs'>) => {
    const label = rest.label;
    // "the kitchen timer" is the one in the kitchen.
    const isRoom = label !== null && read.names.isRoom(label);
    const room = (said('room') || (isRoom ? label : null))?.toLowerCase() ?? turn.room;
    const from = { client: turn.conversation, setAt: turn.createdAt };
    return { ...rest, ...from, label: isRoom ? null : label, room };
  };

  const set = async (ask: Ask, timer: NewTimer, told: (timer: Timer) => string): Promise<string> => {
    const result = await actions.set(ask, timer);
    return 'refusal' in result ? result.refusal : told(result);
  };

  const labelOf = (ask: Ask): string | null => read.names.labelIn(ask.turn.text, ask.words('name'));

  const setFor = (ask: Ask, ms: number, label: string | null): Promise<string> => {
    const { turn } = ask;
    const timer = newTimer(ask, { kind: 'timer', label, dueAt: turn.createdAt + ms, durationMs: ms });
    return set(ask, timer, (made) => {
      const values = { name: say.newName(made), duration: say.duration(ms), room: made.room ?? '' };
      return reply(ask.words('room').length > 0 ? 'set_in' : 'set', values, turn);
    });
  };

  /** When it is to be, or why it cannot be, in a sentence; null when no time was said. */
  const dueAt = (
    ask: Ask,
    words: readonly Word[],
    { purpose, near }: { purpose: Purpose; near?: number },
  ): number | { refusal: string } | null => {
    const found = read.moments.readBare(words, 0);
    const said = found?.end === words.length ? found : null;
    // "Ten minutes", to the question for when.
    const duration = said ? null : read.durations.read(words, 0);
    if (duration) return ask.turn.createdAt + duration.value.ms;
    if (!said) return null;
    const moment = resolveMoment(said.value, { clock, timeZone, purpose, near, now: ask.turn.createdAt });
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
    words: readonly Word[];
    purpose: Purpose;
    /** What is asked when the time is missing, and what is said when it is set. */
    open: OpenTimer;
    told: { key: TimerReply; values?: PhraseValues };
  }
  const setAt = async (ask: Ask, { kind, label, words, purpose, open, told }: At): Promise<string> => {
    const due = dueAt(ask, words, { purpose });
    if (due === null) return askBack(ask, open);
    if (typeof due !== 'number') return due.refusal;
    const timer = newTimer(ask, { kind, label, dueAt: due, durationMs: null });
    return set(ask, timer, (made) => {
      const values = { ...told.values, name: say.newName(made), when: whenOf(ask, words, due) };
      return reply(told.key, values, ask.turn);
    });
  };

  /** What was asked for in minutes is told in minutes. */
  const whenOf = ({ turn }: Ask, words: readonly Word[], due: number): string => {
    const after = read.moments.readBare(words, 0)?.value.after;
    return after && after.days === null ? say.after(after.ms) : say.when(due, turn.createdAt);
  };

  const alarm = (ask: Ask, words: readonly Word[], label: string | null, purpose: 'wake' | 'alarm') =>
    setAt(ask, {
      kind: 'alarm',
      label,
      words,
      purpose,
      open: { kind: 'timer.for_when', label, purpose },
      told: { key: purpose },
    });

  const remindOf = (ask: Ask, words: readonly Word[], what: ToRemind) =>
    setAt(ask, {
      kind: 'reminder',
      label: what?.text ?? null,
      words,
      purpose: 'reminder',
      open: { kind: 'timer.remind_when', what },
      told: what
        ? { key: `remind_${what.manner}`, values: { what: say.toYou(what.text) } }
        : { key: 'remind' },
    });

  const whatOf = (ask: Ask) => {
    const manner = manners.find((each) => ask.words(each).length > 0);
    return manner ? { manner, text: `${ask.said(manner)}${ownEnd(ask, manner)}` } : null;
  };

  /** "to say sorry": what may be said to the assistant elsewhere is none of its business here. */
  const ownEnd = (ask: Ask, manner: Manner): string => {
    const end = ask.words(manner).at(-1)?.end ?? 0;
    const isLast = ask.words('at').every((word) => word.end <= end);
    return isLast ? read.ownEnd(ask.turn.text.slice(end)) : '';
  };

  const until = async (ask: Ask, words: readonly Word[], label: string | null): Promise<string | null> => {
    const due = dueAt(ask, words, { purpose: 'alarm' });
    if (due === null || typeof due !== 'number') return due?.refusal ?? null;
    const durationMs = due - ask.turn.createdAt;
    const timer = newTimer(ask, { kind: 'timer', label, dueAt: due, durationMs });
    return set(ask, timer, (made) =>
      reply('set_until', { name: say.newName(made), when: say.when(due, ask.turn.createdAt) }, ask.turn),
    );
  };

  /** A time alone, for what was asked to be set before. */
  const answerTo = async (question: OpenTimer, ask: Ask): Promise<string | null> => {
    const duration = read.durations.read(ask.words('duration'), 0)?.value;
    const words = [...ask.words('at'), ...ask.words('duration')];
    if (question.kind === 'timer.remind_when') return remindOf(ask, words, question.what);
    const { label } = question;
    if (question.kind === 'timer.for_when') return alarm(ask, words, label, question.purpose);
    return duration ? setFor(ask, duration.ms, label) : until(ask, words, label);
  };

  return {
    set(ask: Ask): string | null | Promise<string> {
      const duration = read.durations.read(
        [...ask.words('duration'), ...ask.words('more'), ...ask.words('made')],
        0,
      )?.value;
      return duration ? setFor(ask, duration.ms, labelOf(ask)) : null;
    },
    /** "Set the pasta timer to five minutes", where there is none. */
    reset(ask: Ask): string | null | Promise<string> {
      const duration = read.durations.read(ask.words('reset'), 0)?.value;
      const label = read.names.readTimer(ask.words('which'), 0)?.value.label ?? null;
      return duration ? setFor(ask, duration.ms, label) : null;
    },
    set_until: (ask: Ask) => until(ask, ask.words('at'), labelOf(ask)),
    set_open: (ask: Ask) => askBack(ask, { kind: 'timer.how_long', label: labelOf(ask) }),
    wake: (ask: Ask) =>
      alarm(
        ask,
        [...ask.words('day'), ...ask.words('at'), ...ask.words('wake'), ...ask.words('made')],
        null,
        'wake',
      ),
    alarm: (ask: Ask) => alarm(ask, [...ask.words('at'), ...ask.words('made')], labelOf(ask), 'alarm'),
    alarm_open: (ask: Ask) => askBack(ask, { kind: 'timer.for_when', label: null, purpose: 'wake' }),
    remind(ask: Ask): string | null | Promise<string> {
      const what = whatOf(ask);
      const said = what ? ask.words(what.manner) : [];
      if (read.isCut(said)) return null;
      return read.isRepeated(said)
        ? reply('no_repeats', {}, ask.turn)
        : remindOf(ask, [...ask.words('day'), ...ask.words('at'), ...ask.words('again')], what);
    },
    remind_open(ask: Ask): string | Promise<string> {
      const what = whatOf(ask);
      if (what && read.isRepeated(ask.words(what.manner))) return reply('no_repeats', {}, ask.turn);
      return askBack(ask, { kind: 'timer.remind_when', what });
    },
    answerTo,
    dueAt,
  };
}
