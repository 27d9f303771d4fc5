import type { Word } from '../../../language/grammar/words.ts';
import type { PhraseValues } from '../../../language/phrase.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimeInText } from './free-text.ts';
import { createReminderRefusal, createReminderText } from './reminder-text.ts';
import type { OpenTimer, ReminderSubject } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import type { TimerLimits } from './timer-limits.ts';
import type { TimerMaking } from './timer-making.ts';
import type { TimerRooms } from './timer-rooms.ts';
import { type SaidWhen, type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

const { asksBack, does } = timerIntents;

interface TimerRemindingOptions {
  choice: TimerChoice;
  limits: Pick<TimerLimits, 'waits'>;
  making: TimerMaking;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  rooms: Pick<TimerRooms, 'lookUp'>;
  say: TimerTeller;
}

export type TimerReminding = ReturnType<typeof createTimerReminding>;

/** Sets reminders: "remind me to call mum at five". */
export function createTimerReminding(options: TimerRemindingOptions) {
  const { choice, limits, making, read, reply, rooms, say } = options;
  const phraseOf = (what: ReminderSubject): { key: TimerReply; values: PhraseValues } =>
    what
      ? { key: `remind_${what.manner}`, values: { what: say.toYou(what.text) } }
      : { key: 'remind', values: {} };

  /** A reminder with a spoken subject, at a time that may be missing. */
  const remindOf = (
    ask: Ask,
    said: TimerSaid,
    { when, what, left = [] }: { when: SaidWhen | null; what: ReminderSubject; left?: readonly TimeInText[] },
  ) =>
    making.makeAt(ask, said, {
      kind: 'reminder',
      label: what?.text ?? null,
      when,
      purpose: 'reminder',
      open: openFor(said, what, left),
      phrase: phraseOf(what),
    });

  const textIn = createReminderText({ read, rooms, choice });
  const refusalOf = createReminderRefusal(reply);

  const remind = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const found = await textIn(spoken, ask);
    const { said, words, left, what } = found;
    const refusal = refusalOf(ask, found);
    if (refusal !== undefined) return refusal;
    if (read.isCut(words) || read.areNumbers(words)) return null;
    if (said.to !== null && read.startsWithNumber(words) && !read.endsInVerb(words)) return null;
    if (read.isRepeated(inOrder([...words, ...(said.at ?? [])]))) return reply('no_repeats', {}, ask.turn);
    const when = left.length > 0 ? dayAlone(said.when, left) : said.when;
    return remindOf(ask, said, { when, what, left });
  };

  const askWhen = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const found = await textIn(spoken, ask);
    const { said, words, left, what } = found;
    const refusal = refusalOf(ask, found);
    if (refusal !== undefined) return refusal;
    if (limits.waits(words)) return reply('no_condition', {}, ask.turn);
    const open = openFor(said, what, left);
    return making.askBack(ask, open, what ? 'when_remind' : 'what_and_when');
  };

  /** "In ten": minutes or hours. A year or another large number is neither. */
  const askUnit = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const { said, what } = await textIn(spoken, ask);
    const open = { kind: 'timer.remind_when', what, room: said.room } as const;
    const count = read.countAlone(said.minutes ?? []);
    return count === null
      ? making.askBack(ask, open, 'which_day')
      : making.askBack(ask, { ...open, count }, 'which_unit', say.bothLengths(count));
  };

  return {
    intents: {
      remind: does(remind),
      remind_count: asksBack(askUnit),
      remind_open: asksBack(askWhen),
    },
    askWhen,
    remind,
    remindOf,
    /** The subject of several reminders without their times. A text: the answer instead. */
    async subjectOf(
      ask: Ask,
      spoken: TimerSaid,
    ): Promise<{ said: TimerSaid; what: ReminderSubject } | string | null> {
      const found = await textIn(spoken, ask);
      const { said, words, left, what } = found;
      const refusal = refusalOf(ask, found);
      if (refusal !== undefined) return refusal;
      if (read.isCut(words)) return null;
      return left.length > 0 ? remindOf(ask, said, { when: null, what, left }) : { said, what };
    },
    phraseOf,
  };
}

/** If a spoken day was not understood, the answer must contain the day. */
function openFor(said: TimerSaid, what: ReminderSubject, left: readonly TimeInText[]): OpenTimer {
  const open = { kind: 'timer.remind_when', what, room: said.room } as const;
  return left.some(({ isDay }) => isDay) ? { ...open, timeSaid: { time: null, part: null } } : open;
}

/** "Between three and four TOMORROW": keeps the day, and asks for the time. */
function dayAlone(when: SaidWhen | null, left: readonly TimeInText[]): SaidWhen | null {
  const isOpen = left.every(({ moment }) => moment?.isOwnTime);
  return isOpen && when?.moment ? { ...when, moment: { ...when.moment, isOwnTime: true } } : null;
}

function inOrder(words: readonly Word[]): Word[] {
  return words.toSorted((one, other) => one.start - other.start);
}
