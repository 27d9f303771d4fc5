import type { z } from 'zod';
import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, type Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import type { loadClock } from '../clock/clock-language.ts';
import { typeOf } from '../slot.ts';
import { createRepeatReader } from './repeat-words.ts';
import { createSeveralReader } from './several-words.ts';
import { createTimerNames } from './timer-names.ts';
import { createSpanReader } from './timer-span.ts';
import type { timersShape } from './timers-shape.ts';

interface TimerWordsOptions {
  words: z.infer<(typeof timersShape)['words']>;
  clockWords: ReturnType<typeof loadClock>['words'];
  numbers: NumberReader;
  rules: LanguageRules;
}

export type TimerWords = ReturnType<typeof createTimerWords>;

/** Reads the words about timers: durations, moments, names. */
export function createTimerWords({ words, clockWords, numbers, rules }: TimerWordsOptions) {
  const durations = rules.createDurationReader(words.durations, numbers);
  const times = rules.createTimeReader(words.times, numbers);
  const dates = rules.createDateReader(clockWords, numbers);
  const moments = rules.createMomentReader({ words: words.moments, durations, dates, times });
  const names = createTimerNames({ words, numbers, durations, moments });

  const several = createSeveralReader({ words: words.several, moments, durations, numbers });
  const repeats = createRepeatReader({ words, durations, numbers });
  const readRepeat = repeats.read;

  /** A few words of any kind. */
  const few: SlotType = {
    isLoose: true,
    costPerWord: 3,
    ends: (said, from) => [1, 2, 3].map((count) => from + count).filter((end) => end <= said.length),
  };

  const readSpan = createSpanReader({ words, times, moments });

  /** A time ends before days that follow it: "at seven, MONDAY TO FRIDAY" is none on Monday. */
  const beforeRange =
    (read: typeof moments.read) =>
    (said: readonly Word[], from: number): Read<SaidMoment> | null => {
      const found = read(said, from);
      if (!found) return null;
      for (let at = from + 1; at < found.end; at += 1)
        if (repeats.range(said, at)) return read(said.slice(0, at), from);
      return found;
    };

  const durationIf = (isMore: boolean) => (said: readonly Word[], from: number) => {
    const found = durations.read(said, from);
    return found && found.value.isMore === isMore ? found : null;
  };

  return {
    durations,
    dates,
    times,
    moments,
    names,
    readSpan,
    readRepeat,
    readExcept: repeats.except,
    /** The rule that is said before a noun: "my WEEKDAY alarm". */
    ruleNamed: (said: string): string | undefined =>
      (words.every_what[said] ?? words.regularly[said])?.split(' ')[0],
    several,
    /** Whether words end where more must come: "call Bob at five and". */
    isCut: (said: readonly Word[]) => words.joining.includes(said.at(-1)?.word ?? ''),
    /** Of the words right behind a reminder, the part that belongs to it too: "sorry", "again". */
    ownEnd(behind: string): string {
      const said = /^(?:\s+[\p{L}\p{M}'’]+)*/u.exec(behind)?.[0] ?? '';
      const parts = said.match(/\s+\S+/g) ?? [];
      const polite = parts.findIndex((part) => words.polite.includes(part.trim().toLowerCase()));
      return (polite < 0 ? parts : parts.slice(0, polite)).join('');
    },
    /** Whether a time of day stands among words: "be there at five". */
    hasTime: (said: readonly Word[]) => said.some((_, at) => moments.read(said, at)?.value.time != null),
    /** Whether a day stands among words: "next Saturday go to the library". A feast is more than its day, and so is what belongs to a day. */
    hasDay: (said: readonly Word[]) =>
      said.some((_, at) => {
        const end = longestPhraseEnd(words.vague_days, said, at) ?? dates.read(said, at)?.end;
        if (end === undefined) return false;
        const text = joinedWords(said.slice(at, end));
        return !text.endsWith(clockWords.whose) && !Object.hasOwn(clockWords.feasts, text);
      }),
    /** The time of day at the end of words, and where it begins: "call mum AT FIVE". */
    timeAtEnd: (said: readonly Word[]): { moment: SaidMoment; from: number } | null => {
      const isDeadline = (at: number) => words.deadlines.includes(said[at]?.word ?? '');
      for (let from = 1; from < said.length; from += 1) {
        const found = isDeadline(from) ? null : moments.read(said, from);
        if (found?.end !== said.length) continue;
        return isTimeOfDay(found.value) && !isDeadline(from - 1) ? { moment: found.value, from } : null;
      }
      return null;
    },
    /** Whether something is to happen again and again. */
    isRepeated: (said: readonly Word[]) => said.some((_, at) => readRepeat(said, at) !== null),
    slotTypes: {
      duration: { ...typeOf(durationIf(false)), mayGrow: durations.mayGrow },
      more: { ...typeOf(durationIf(true)), mayGrow: durations.mayGrow },
      moment: typeOf(beforeRange(moments.read)),
      time: typeOf(beforeRange(moments.readBare)),
      span: typeOf(readSpan),
      day: typeOf((said, from) => {
        const found = readSpan(said, from);
        return found?.value.time === null && !found.value.window ? found : null;
      }),
      which: { ...typeOf(names.readTimer), costPerWord: 1 },
      /** "alarms", "my next alarm": asked for as they are. One alone may be an answer. */
      several: typeOf((said, from) => {
        const found = names.readTimer(said, from);
        return found && (found.value.several || found.value.isSoonest) ? found : null;
      }),
      label: names.nameSlot,
      few,
      room: names.roomSlot,
      every: typeOf(readRepeat),
      except: typeOf(repeats.except),
      times: typeOf(several.times),
      lengths: typeOf(several.lengths),
      apart: typeOf(several.lengthsApart),
    } satisfies Record<string, SlotType>,
  };
}

/** A time or a part of the day, on no day. */
function isTimeOfDay({ date, after, isToday, time, part }: SaidMoment): boolean {
  const hasDay = date !== null || after !== null || isToday;
  return !hasDay && (time !== null || part !== null);
}
