import type { z } from 'zod';
import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { comingMonth, type SaidPeriod } from '../../../language/calendar/period.ts';
import type { Duration } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import { createSlotShape, type SlotShape } from '../../../language/grammar/slot-shape.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, type Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import { typeOf } from '../../core/slot.ts';
import type { loadClock } from '../clock/clock-language.ts';
import { createFreeText } from './free-text.ts';
import { createReminderWords } from './reminder-words.ts';
import { createRepeatPlans } from './repeat-plans.ts';
import { createRepeatReader } from './repeat-words.ts';
import { createSeveralReader } from './several-words.ts';
import { createSunReader } from './sun-reader.ts';
import { createTimerNames, signInside } from './timer-names.ts';
import { createSpanReader } from './timer-span.ts';
import type { timersShape } from './timers-shape.ts';

interface TimerWordsOptions {
  words: z.infer<(typeof timersShape)['words']>;
  clockWords: ReturnType<typeof loadClock>['words'];
  numbers: NumberReader;
  rules: LanguageRules;
}

export type TimerWords = ReturnType<typeof createTimerWords>;

/** Maximum number of words between a time and the infinitive that ends the task. */
const maxBeforeVerb = 3;
/** Reads the words about timers: durations, moments, names. */
export function createTimerWords({ words, clockWords, numbers, rules }: TimerWordsOptions) {
  const durations = rules.createDurationReader(words.durations, numbers);
  const times = rules.createTimeReader(words.times, numbers);
  const dates = rules.createDateReader(clockWords, numbers);
  const moments = rules.createMomentReader({ words: words.moments, durations, dates, times });

  const several = createSeveralReader({
    words: words.several,
    nouns: words.nouns,
    moments,
    dates,
    durations,
    numbers,
    nameEnds: (said, from) => names.nameSlot.ends(said, from),
  });
  const repeats = createRepeatReader({ words, durations, dates, numbers });
  const readRepeat = repeats.read;
  const readPlans = createRepeatPlans({
    words: { and: words.several.and, at: words.several.at, days: words.except_what },
    moments,
    several,
    repeats,
  });
  const ofDay = [words.moments.parts, words.moments.parts_today].flatMap((each) =>
    Object.values(each).flat(),
  );
  const parts = [...ofDay, ...words.free_text.leading];
  /**
   * A name contains no part of the day, no repetition, and no day at its end. A day may describe a noun:
   * "Sunday roast".
   */
  const isWhen = (said: readonly Word[], at: number): boolean => {
    if (longestPhraseEnd(parts, said, at) !== null) return true;
    if (repeats.named(said, at) || readRepeat(said, at)) return true;
    return dates.read(said, at)?.end === said.length;
  };
  const isFeast = (said: readonly Word[]) => Object.hasOwn(clockWords.feasts, joinedWords(said));
  const names = createTimerNames({
    words,
    infinitiveSigns: words.free_text.infinitive_signs,
    numbers,
    durations,
    moments,
    isWhen,
  });
  const readSun = createSunReader({ words: words.sun, durations });
  const readSpan = createSpanReader({ words, times, moments });
  const freeText = createFreeText({
    words: words.free_text,
    around: {
      before: [...words.moments.in, ...words.moments.at, ...words.moments.on],
      between: words.to_days,
      behind: [...clockWords.relative.before, ...clockWords.relative.after],
    },
    whose: clockWords.whose,
    feasts: clockWords.feasts,
    moments,
    dates,
    durations,
    repeats,
    windowEnd(said, at) {
      const span = readSpan(said, at);
      return span?.value.window?.from && span.value.window.to ? span.end : null;
    },
  });

  const nearDays = [...Object.keys(clockWords.days), ...Object.values(words.moments.parts_today).flat()];
  const vague = [...words.moments.soon.minutes, ...words.moments.soon.hours];

  /**
   * The end of a task whose verb comes last: "zum Arzt ZU gehen", "anZUrufen". A few words may precede the
   * sign of the infinitive.
   */
  const verbAtEnd = (said: readonly Word[], from: number): Read<null> | null => {
    const signs = words.free_text.infinitive_signs;
    const end = said.length;
    const isSigned = signs.includes(said[end - 2]?.word ?? '') && from >= end - 2 - maxBeforeVerb;
    const isJoined = signs.some((sign) => signInside(sign, said[end - 1]?.word ?? '') > 0);
    const isEnd = isSigned ? from <= end - 2 : isJoined && from < end && from >= end - 1 - maxBeforeVerb;
    return isEnd ? { value: null, end } : null;
  };

  /** A few words of any kind. */
  const few: SlotType = {
    isLoose: true,
    costPerWord: 3,
    ends: (said, from) => [1, 2, 3].map((count) => from + count).filter((end) => end <= said.length),
  };

  const plainSubject = createSlotShape(words.never_subject, words.free_text.articles);
  /** "At 20 PAST to call": the word belongs to the time before it. A vague time asks for its day anyway. */
  const goesOnTime = (said: readonly Word[], from: number): boolean => {
    if (!words.never_behind_time.includes(said[from]?.word ?? '')) return false;
    const before = said.slice(0, from);
    const times = before.map((_, at) => moments.read(before, at));
    return times.some((time) => time?.end === from && time.value.isVague !== true);
  };
  /** A subject without an introducing word does not begin with a time, and contains no pause. */
  const subject: SlotShape = {
    ...plainSubject,
    mayHold: (said, from, to) =>
      plainSubject.mayHold(said, from, to) && (to - from < 2 || said[to - 1]?.gap === ''),
    mayEnd: (said, from, to) =>
      plainSubject.mayEnd(said, from, to) && moments.read(said, from) === null && !goesOnTime(said, from),
  };

  /** A time ends before a range of days: "at seven, MONDAY TO FRIDAY" is not a time on Monday. */
  const beforeRange =
    (read: typeof moments.read) =>
    (said: readonly Word[], from: number): Read<SaidMoment> | null => {
      const found = read(said, from);
      if (!found) return null;
      for (let at = from + 1; at < found.end; at += 1)
        if (repeats.range(said, at)) return read(said.slice(0, at), from);
      return found;
    };

  /** "seven to eight" would be 7:53. */
  const beforeTo = (said: readonly Word[], from: number): Read<SaidMoment> | null => {
    const found = moments.readBare(said, from);
    for (let at = from + 1; at < (found?.end ?? from); at += 1) {
      const isTo = longestPhraseEnd(words.times.to, said, at) !== null;
      const first = isTo ? moments.readBare(said.slice(0, at), from) : null;
      if (first?.end === at) return first;
    }
    return found;
  };

  /** "Every 15 MINUTES", "every HOUR", "for the next HOUR": a unit alone counts as one. */
  const lengthAt = (said: readonly Word[], from: number): Read<Duration> | null => {
    const [unit] = said.slice(from);
    if (!unit || !durations.isUnit(unit.word)) return durations.read(said, from);
    const one = durations.read([{ ...unit, word: '1' }, unit], 0);
    return one && { ...one, end: from + 1 };
  };

  /** "p.m.", "in the evening": a half of the day. */
  const readHalf = (said: readonly Word[], from: number): Read<'am' | 'pm'> | null => {
    const { parts: named } = words.moments;
    const [am, pm] = [
      longestPhraseEnd([...words.times.am, ...(named.morning ?? [])], said, from),
      longestPhraseEnd([...words.times.pm, ...(named.afternoon ?? []), ...(named.evening ?? [])], said, from),
    ];
    const end = am ?? pm;
    return end === null ? null : { value: am === null ? 'pm' : 'am', end };
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
    readLength: lengthAt,
    readSpan,
    readSun,
    readHalf,
    readRepeat,
    readRule: repeats.named,
    /** The days in an answer to "on which days?": "Monday and Friday". */
    daysIn: repeats.daysAlone,
    readExcept: repeats.except,
    readStart: repeats.startAt,
    readEnd: repeats.endAt,
    bounds: { starts: repeats.starts, ends: repeats.ends },
    readPlans,
    /** The repetition next to a noun: "my WEEKDAY alarm", "the alarm for EVERY DAY". */
    ruleNamed(said: string): string | undefined {
      const every = words.every.find((each) => said.startsWith(`${each} `));
      const day = every === undefined ? said : said.slice(every.length + 1);
      return (words.every_what[day] ?? words.regularly[day])?.split(' ')[0];
    },
    several,
    /**
     * Whether a name contains a day that may also be its time: "Monday gym". A feast does not count:
     * "Christmas cake".
     */
    namesDay: (said: readonly Word[]): boolean =>
      said.some((_, at) => {
        const date = dates.read(said, at);
        return date !== null && !isFeast(said.slice(at, date.end));
      }),
    /** "my DECEMBER alarm" */
    monthIn(said: readonly Word[]): SaidPeriod | undefined {
      const month = said.map(({ word }) => dates.monthNumber(word)).find((each) => each !== null);
      return month === undefined ? undefined : comingMonth(month);
    },
    ...createReminderWords({ words, freeText, durations, moments, names, several, nearDays }),
    /** The unit of a duration without a number: "a FEW minutes". Null: the words are not one. */
    vagueUnit(said: readonly Word[]): 'minutes' | 'hours' | null {
      const { minutes, hours } = words.moments.soon;
      if (longestPhraseEnd(minutes, said, 0) === said.length) return 'minutes';
      return longestPhraseEnd(hours, said, 0) === said.length ? 'hours' : null;
    },
    /** Whether these words are only numbers: "1:30", "one thirty". */
    areNumbers(said: readonly Word[]): boolean {
      for (let at = 0; at < said.length; ) {
        const isWritten = /^\d+(?:[.:]\d+)?$/.test(said[at]?.word ?? '');
        const end = isWritten ? at + 1 : numbers.read(said, at)?.end;
        if (end === undefined) return false;
        at = end;
      }
      return said.length > 0;
    },
    /** "Zwei Zitronen zu kaufen": a task whose verb comes last. */
    endsInVerb: (said: readonly Word[]): boolean =>
      [1, 2].some((count) => verbAtEnd(said, said.length - count) !== null),
    /** "At 11 to 12": what follows is no task but a number, so the times are a range. */
    startsWithNumber: (said: readonly Word[]): boolean =>
      /^\d/.test(said[0]?.word ?? '') || numbers.read(said, 0) !== null,
    /** The words after a correction: "ten, I mean FIFTEEN". Null: there is none. */
    correctedIn(said: readonly Word[]): readonly Word[] | null {
      const ends = said.map((_, at) => (at === 0 ? null : durations.correctedAt(said, at)));
      const end = ends.find((each) => each !== null && each < said.length) ?? null;
      return end === null ? null : said.slice(end);
    },
    /** The only number before a unit: "a timer for FIVE minutes". Null: there are none, or several. */
    countIn(said: readonly Word[]): number | null {
      const counts = said.flatMap((_, at) => {
        const number = numbers.read(said, at);
        const isCount = number?.value.bottom === 1n && durations.isUnit(said[number.end]?.word ?? '');
        return isCount ? [{ count: Number(number.value.top), end: number.end }] : [];
      });
      const [first, ...others] = counts;
      // "Twenty-five minutes" contains "five minutes".
      return first && others.every(({ end }) => end === first.end) ? first.count : null;
    },
    /** The duration of a number and a unit that was said later. */
    lengthOf(count: number | undefined, unit: readonly Word[]): Duration | null {
      const [first] = unit;
      if (count === undefined || !first) return null;
      return durations.read([{ ...first, word: String(count) }, ...unit], 0)?.value ?? null;
    },
    /** "in ten": reads a number without a unit as minutes or hours. */
    lengthIn(said: readonly Word[], of: 'minutes' | 'hours'): Duration | null {
      const [first] = said;
      const [unit] = words.durations.units[of === 'minutes' ? 'minute' : 'hour'];
      if (!first || unit === undefined) return null;
      return durations.read([...said, { ...first, word: unit, gap: '' }], 0)?.value ?? null;
    },
    /** A number alone, which may mean minutes or hours: "five". */
    countAlone(said: readonly Word[], max = 60): number | null {
      const number = numbers.read(said, 0);
      const isWhole = number?.end === said.length && number.value.bottom === 1n;
      return isWhole && number.value.top > 0n && number.value.top < max ? Number(number.value.top) : null;
    },
    isRepeated: freeText.isRepeated,
    slotTypes: {
      duration: { ...typeOf(durationIf(false)), mayGrow: durations.mayGrow },
      more: { ...typeOf(durationIf(true)), mayGrow: durations.mayGrow },
      interval: typeOf(lengthAt),
      moment: typeOf(beforeRange(moments.read)),
      /** A time on a named day: "tomorrow at seven". */
      dated_moment: typeOf((said, from) => {
        const found = beforeRange(moments.read)(said, from);
        return found?.value.date && found.value.time ? found : null;
      }),
      time: typeOf(beforeRange(moments.readBare)),
      /** A moment with a time of day or a duration. */
      clock_time: typeOf((said, from) => {
        const found = beforeRange(moments.readBare)(said, from);
        return found?.value.time || found?.value.after ? found : null;
      }),
      /** "from SEVEN to eight": a time that ends before another one. */
      earlier: typeOf(beforeTo),
      span: typeOf(readSpan),
      day: typeOf((said, from) => {
        const found = readSpan(said, from);
        return found?.value.time === null && !found.value.window ? found : null;
      }),
      which: { ...typeOf(names.readTimer), costPerWord: 1 },
      /** "alarms", "my next alarm": complete questions. A single timer may be an answer. */
      several: typeOf((said, from) => {
        const found = names.readTimer(said, from);
        return found && (found.value.several || found.value.isSoonest) ? found : null;
      }),
      label: names.nameSlot,
      person: names.personSlot,
      /** The subject of a reminder without an introducing word: "remind me I NEED GAS tomorrow". */
      subject: { isOpen: true, costPerWord: 2, shape: subject },
      /** The subject of an alarm: "set an alarm to EAT LUNCH". */
      task: {
        isOpen: true,
        costPerWord: 2,
        shape: {
          ...subject,
          mayHold: (said, from, to) =>
            subject.mayHold(said, from, to) && longestPhraseEnd(words.sounding, said, from) === null,
        },
      },
      few,
      /** "Call mum", where the verb comes last, after the time. */
      verb: { ...typeOf(verbAtEnd), costPerWord: 1.5 },
      half: typeOf(readHalf),
      numbered: names.numberedSlot,
      room: names.roomSlot,
      this_room: typeOf((said, from) => {
        const end = longestPhraseEnd(words.here, said, from);
        return end === null ? null : { value: null, end };
      }),
      every: typeOf(readRepeat),
      /** "my WEEKDAY alarm" */
      often: typeOf(repeats.named),
      except: typeOf(repeats.except),
      /** "for the next three days": several days, so that a time before it repeats. */
      ending: typeOf(repeats.endAt),
      /** A number alone: "in TEN". */
      bare_number: typeOf(numbers.read),
      /** "Add FIVE", but not "add a half". */
      whole_number: typeOf((said, from) => {
        const found = numbers.read(said, from);
        return found?.value.bottom === 1n ? found : null;
      }),
      /** "a few minutes" */
      vague: typeOf((said, from) => {
        const end = longestPhraseEnd(vague, said, from);
        return end === null ? null : { value: null, end };
      }),
      /** A unit alone, in answer to the question for the unit. */
      time_unit: typeOf((said, from) =>
        durations.isUnit(said[from]?.word ?? '') ? { value: null, end: from + 1 } : null,
      ),
      plans: typeOf(readPlans),
      /** "half an hour before sunrise" */
      sun: typeOf(readSun),
      times: typeOf(several.times),
      moments: typeOf(several.moments),
      lengths: typeOf(several.lengths),
      apart: typeOf(several.lengthsApart),
      /** "20 minutes for the cake and ten for the icing" */
      named: typeOf(several.named),
      /** "TWO timers for five minutes" */
      how_many: typeOf(several.count),
    } satisfies Record<string, SlotType>,
  };
}
