import { textOf, type Word } from '../../../language/grammar/words.ts';
import type { Ask } from '../skill.ts';
import type { SayReply } from '../skill-language.ts';
import type { ToRemind } from './timer-asks.ts';
import type { TimerMaking } from './timer-making.ts';
import { aboutIn } from './timer-plan.ts';
import { type SaidWhen, type TimerSaid, timerIntents } from './timer-slots.ts';
import type { TimerTeller } from './timer-telling.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

const { asksBack, does } = timerIntents;

interface TimerRemindingOptions {
  making: TimerMaking;
  read: TimerWords;
  reply: SayReply<TimerReply>;
  say: TimerTeller;
}

export type TimerReminding = ReturnType<typeof createTimerReminding>;

/** Sets reminders: "remind me to call mum at five". */
export function createTimerReminding({ making, read, reply, say }: TimerRemindingOptions) {
  /** Of something that the person has said, at a time that may be missing. */
  const remindOf = (ask: Ask, said: TimerSaid, { when, what }: { when: SaidWhen | null; what: ToRemind }) =>
    making.makeAt(ask, said, {
      kind: 'reminder',
      label: what?.text ?? null,
      when,
      purpose: 'reminder',
      open: { kind: 'timer.remind_when', what },
      told: what
        ? { key: `remind_${what.manner}`, values: { what: say.toYou(what.text) } }
        : { key: 'remind' },
    });

  const whatOf = ({ turn: { text } }: Ask, said: TimerSaid): ToRemind => {
    const about = aboutIn(said);
    if (!about) return null;
    return { manner: about.manner, text: textOf(text, about.words) + ownEnd(text, about.words, said) };
  };

  /** "to say sorry": words that mean something to the assistant elsewhere are only a subject here. */
  const ownEnd = (text: string, words: readonly Word[], { at }: TimerSaid): string => {
    const end = words.at(-1)?.end ?? 0;
    const isLast = (at ?? []).every((word) => word.end <= end);
    return isLast ? read.ownEnd(text.slice(end)) : '';
  };

  /** "On Friday to call mum at five": the time at the end is that of the day before it. */
  const withTime = (said: TimerSaid): TimerSaid => {
    const about = aboutIn(said);
    const moment = said.when?.moment;
    // A time in what they are reminded OF, or THAT is so, is part of it: "that the film begins at eight".
    if (about?.manner !== 'to' || !moment || moment.time !== null || moment.part !== null) return said;
    const end = read.timeAtEnd(about.words);
    if (!said.when || !end) return said;
    const { time, part } = end.moment;
    const when = { ...said.when, moment: { ...moment, time, part } };
    const at = [...(said.at ?? []), ...about.words.slice(end.from)];
    return { ...said, when, at, [about.manner]: about.words.slice(0, end.from) };
  };

  const remind = async (ask: Ask, spoken: TimerSaid): Promise<string | null> => {
    const said = withTime(spoken);
    const words = aboutIn(said)?.words ?? [];
    if (read.isCut(words)) return null;
    if (read.isRepeated(inOrder([...words, ...(said.at ?? [])]))) return reply('no_repeats', {}, ask.turn);
    const when = isLeftOver(words, said) ? null : said.when;
    return remindOf(ask, said, { when, what: whatOf(ask, said) });
  };

  /**
   * "I must be up at five on some mornings", "next Saturday go to the library at five": a time or a day that was said before the moment, and that the
   * moment lacks, is the one that counts, and was not understood.
   */
  const isLeftOver = (words: readonly Word[], { when, at }: TimerSaid): boolean => {
    const isBehind = (words[0]?.start ?? 0) < (at?.[0]?.start ?? 0);
    const moment = when?.moment;
    if (!isBehind || !moment || moment.after !== null) return false;
    const hasNoDay = moment.date === null && !moment.isToday;
    return (moment.time === null && read.hasTime(words)) || (hasNoDay && read.hasDay(words));
  };

  const askWhen = async (ask: Ask, said: TimerSaid): Promise<string> => {
    if (read.isRepeated(aboutIn(said)?.words ?? [])) return reply('no_repeats', {}, ask.turn);
    return making.askBack(ask, { kind: 'timer.remind_when', what: whatOf(ask, said) });
  };

  return {
    intents: {
      remind: does(remind),
      remind_open: asksBack(askWhen),
    },
    askWhen,
    remind,
    remindOf,
  };
}

function inOrder(words: readonly Word[]): Word[] {
  return words.toSorted((one, other) => one.start - other.start);
}
