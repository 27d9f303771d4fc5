import type { Purpose } from '../../../language/calendar/moment.ts';
import type { PhraseValues } from '../../../language/phrase.ts';
import type { Timer } from '../../../timers/timer.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimerActions } from './timer-actions.ts';
import type { OpenTimer } from './timer-asks.ts';
import { countsBy, type TimerDue } from './timer-due.ts';
import type { Hearable } from './timer-hearable.ts';
import { newTimer, type Wanted } from './timer-plan.ts';
import type { SaidWhen, TimerSaid } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

export interface TimerMakingOptions {
  actions: TimerActions;
  asked: HouseholdQuestions;
  due: TimerDue;
  hearable: Hearable;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

/** Something for a time that may be missing. */
interface At {
  kind: 'alarm' | 'reminder';
  label: string | null;
  when: SaidWhen | null;
  purpose: Purpose;
  /** The question when the time is missing, and the reply when it is set. */
  open: OpenTimer;
  told: { key: TimerReply; values?: PhraseValues };
}

const questions = {
  'timer.how_long': 'how_long',
  'timer.for_when': 'for_when',
  'timer.remind_when': 'when_remind',
} as const;

export type TimerMaking = ReturnType<typeof createTimerMaking>;

/** Makes the timer that was asked for, or asks for the missing time. */
export function createTimerMaking(options: TimerMakingOptions) {
  const { actions, asked, due, hearable, read, reply, say } = options;
  const make = async (
    ask: Ask,
    { said: { room }, ...wanted }: Wanted & { said: TimerSaid },
    told: (made: Timer) => string,
  ): Promise<string> => {
    const { isRoom } = read.names;
    const made = await actions.set(ask, newTimer(wanted, { turn: ask.turn, room, isRoom }));
    return 'refusal' in made ? made.refusal : await hearable(ask, told(made));
  };

  /** Asks for the time; where nobody can come back with it, everything must be said at once. */
  const askBack = async (
    { turn }: Ask,
    question: OpenTimer,
    asks: TimerReply = questions[question.kind],
    values: PhraseValues = {},
  ): Promise<string> => {
    if (turn.conversation === null) return reply('all_at_once', {}, turn);
    await asked.note(turn, question);
    return reply(asks, values, turn);
  };
  /** The time of day that was said is kept for the answer. */
  const askDay = (ask: Ask, open: OpenTimer, when: SaidWhen | null): Promise<string> => {
    const { time = null, part = null } = when?.moment ?? {};
    const question = open.kind === 'timer.how_long' ? open : { ...open, timeSaid: { time, part } };
    return askBack(ask, question, 'which_day');
  };

  return {
    make,
    askBack,
    async makeAt(ask: Ask, said: TimerSaid, { kind, label, when, purpose, open, told }: At): Promise<string> {
      const dueAt = due.at(ask, when, { purpose });
      if (dueAt === null) return askBack(ask, open);
      if (typeof dueAt !== 'number') return dueAt.lacksDay ? askDay(ask, open, when) : dueAt.refusal;
      return make(ask, { said, kind, label, dueAt, durationMs: null, by: countsBy(when) }, (made) => {
        const values = { ...told.values, name: say.newName(made), when: due.told(ask, when, dueAt) };
        return reply(told.key, values, ask.turn);
      });
    },
  };
}
