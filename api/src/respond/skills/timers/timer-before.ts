import type { MomentPurpose } from '../../../language/calendar/moment.ts';
import { withoutCapital } from '../../../language/capitals.ts';
import { textOf, type Word } from '../../../language/grammar/words.ts';
import { fill } from '../../../language/phrase.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { ReminderSubject } from './timer-asks.ts';
import type { TimerDue } from './timer-due.ts';
import type { TimerMaking } from './timer-making.ts';
import type { TimerReminding } from './timer-reminding.ts';
import { type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

const { does } = timerIntents;

interface TimerBeforeOptions {
  due: Pick<TimerDue, 'at'>;
  making: Pick<TimerMaking, 'make'>;
  reminding: Pick<TimerReminding, 'phraseOf'>;
  read: Pick<TimerWords, 'states' | 'timesIn' | 'names'>;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
  words: {
    /** First words of a statement: "MY train leaves". */
    statements: readonly string[];
    /** Articles and owners: "THE film starts". */
    the: readonly string[];
    repeats: { at: Parameters<typeof fill>[0] };
  };
}

/** Sets alarms and reminders ahead of an event: "my train leaves at 6:40, wake me an hour before". */
export function createTimerBefore(options: TimerBeforeOptions) {
  const { due, making, reminding, read, reply, say, words: wordsOf } = options;

  /** "Wake me at 7, remind me ten minutes before" names no event, nor does "an alarm at 7". */
  const isEvent = ({ event, stated }: TimerSaid): boolean => {
    const words: readonly Word[] = event ?? [];
    const [first, last] = [words[0], words.at(-1)];
    const isStated = stated !== null || (first !== undefined && wordsOf.statements.includes(first.word));
    const holdsTimer = words.some((_, at) => read.names.readTimer(words, at) !== null);
    return (isStated || (last !== undefined && read.states(last))) && !holdsTimer;
  };

  /** The times of the event and of the timer. A text: why there is none. Null: no clock time was said. */
  const timesOf = (ask: Ask, said: TimerSaid, purpose: MomentPurpose) => {
    const { when, less } = said;
    const eventAt = when?.moment?.time && less ? due.at(ask, when, { purpose }) : null;
    if (eventAt === null || !less) return null;
    if (typeof eventAt !== 'number') return eventAt.refusal;
    const dueAt = eventAt - less.ms;
    return dueAt > ask.turn.createdAt ? { eventAt, dueAt } : reply('past', {}, ask.turn);
  };

  const wake = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const times = isEvent(said) ? timesOf(ask, said, 'wake') : null;
    if (times === null || typeof times === 'string') return times;
    const { dueAt } = times;
    const wanted = [{ kind: 'alarm', label: null, dueAt, durationMs: null, by: 'clock' } as const];
    const values = { when: say.when(dueAt, ask.turn.createdAt) };
    return making.make(ask, said, { wanted, phrase: { key: 'wake', values } });
  };

  /** "Il mio treno": the capital of a first article belongs to the sentence, not to the event. */
  const nameOf = (text: string, event: readonly Word[]): string => {
    const [first] = event;
    const named = textOf(text, event);
    return first?.start === 0 && wordsOf.the.includes(first.word) ? withoutCapital(named) : named;
  };

  const atTime = (event: string, at: number): string =>
    fill(wordsOf.repeats.at, { often: event, time: say.time(at) });

  /** The task, or else the event with its time: "my train leaves at 6:40 AM". */
  const subjectOf = (
    { turn: { text } }: Ask,
    { said, eventAt, manner }: { said: TimerSaid; eventAt: number; manner: 'that' | 'about' },
  ): ReminderSubject => {
    const { to, event, stated } = said;
    if (to) return { manner: 'to', text: textOf(text, to) };
    // "que salir a las seis": without its subject, an event is no statement.
    return { manner: stated ? 'about' : manner, text: atTime(nameOf(text, event ?? []), eventAt) };
  };

  const remind =
    (manner: 'that' | 'about') =>
    async (ask: Ask, said: TimerSaid): Promise<string | null> => {
      const { to } = said;
      if (manner === 'that' && !isEvent(said)) return null;
      // "To leave at five" has another time.
      if (to && read.timesIn(to).length > 0) return null;
      const times = timesOf(ask, said, 'reminder');
      if (times === null || typeof times === 'string') return times;
      const { dueAt, eventAt } = times;
      const what = subjectOf(ask, { said, eventAt, manner });
      const label = what?.text ?? null;
      const wanted = [{ kind: 'reminder', label, dueAt, durationMs: null, by: 'clock' } as const];
      const { key, values } = reminding.phraseOf(what);
      const when = say.when(dueAt, ask.turn.createdAt);
      return making.make(ask, said, { wanted, phrase: { key, values: { ...values, when } } });
    };

  return {
    wake_before: does(wake),
    remind_before: does(remind('that')),
    remind_ahead: does(remind('about')),
  };
}
