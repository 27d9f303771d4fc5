import { z } from 'zod';
import type { DateReader } from '../../../language/calendar/date-reader.ts';
import { type Day, dayFrom, numberOf } from '../../../language/calendar/day.ts';
import { isOpenHour } from '../../../language/calendar/moment.ts';
import { type MomentReader, noMoment, type SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { SaidTime } from '../../../language/calendar/time-reader.ts';
import type { Duration, DurationReader } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import { isWhole } from '../../../language/numbers/fraction.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { TimerKind } from '../../../timers/timer.ts';

const texts = z.array(z.string());
/** More values were probably misheard, or form another kind of list. */
export const maxAtOnce = 10;

export const severalWordsSchema = z.strictObject({
  /** "six AND half past six", "six AND ANOTHER ONE SET FOR half past six", by their parts. */
  and: texts,
  another: texts,
  set: texts,
  at: texts,
  /** "ten minutes FOR the pasta" */
  called: texts.default([]),
  /** "tomorrow and THE DAY AFTER" */
  next_day: texts,
});

interface SeveralReaderOptions {
  words: z.infer<typeof severalWordsSchema>;
  /** "another ALARM": joins alarms, but not timers. */
  nouns: Readonly<Record<TimerKind, readonly string[]>>;
  moments: MomentReader;
  dates: Pick<DateReader, 'read'>;
  durations: DurationReader;
  numbers: Pick<NumberReader, 'read'>;
  /** The possible ends of a new name that starts here. */
  nameEnds: (said: readonly Word[], from: number) => number[];
}

/** Reads a value. A separate one may omit words of the value before it: "another for TWENTY". */
type ReadOne<T> = (said: readonly Word[], at: number, isApart?: boolean) => Read<T> | null;

/** Finds a joint, and the start of the value after it. */
type NextJoint = (
  read: ReadOne<unknown>,
  said: readonly Word[],
  from: number,
  kind?: TimerKind,
) => { end: number; isApart: boolean } | null;

interface Joined<T> {
  values: T[];
  /** The person marked each as separate: "five minutes and ANOTHER for ten". */
  isApart: boolean;
}

/** Reads several separate times ("6, 6:10 and 6:20") or lengths ("five and ten minutes"). */
export function createSeveralReader(options: SeveralReaderOptions) {
  const { words, nouns } = options;
  const joinAt = (said: readonly Word[], start: number, kind: TimerKind = 'reminder') => {
    // "a ten minute TIMER and one for twenty"
    const from = skipPhrase(nouns[kind], said, start);
    const and = skipPhrase(words.and, said, from);
    const another = skipPhrase(words.another, said, and);
    if (and === from && another === and && said[from]?.gap !== ',') return null;
    const noun = another > and ? skipPhrase(nouns[kind], said, another) : another;
    const end = skipPhrase(words.at, said, skipPhrase(words.set, said, noun));
    return { end, isApart: another > and };
  };

  /** "5 10 and 15": only a pause may separate values before the last one. */
  const nextAt: NextJoint = (read, said, from, kind) =>
    joinAt(said, from, kind) ??
    (mayJoin(said, from) && read(said, from) ? { end: from, isApart: false } : null);

  /** The first words of every joint. */
  const joints = new Set([...words.and, ...words.another].map((phrase) => phrase.split(' ')[0]));
  const startsJoint = (said: readonly Word[], at: number) =>
    said[at]?.gap === ',' || joints.has(said[at]?.word);
  const mayJoin = (said: readonly Word[], from: number) =>
    said.some((_, at) => at > from && startsJoint(said, at));

  const severalAt = <T>(
    read: ReadOne<T>,
    said: readonly Word[],
    from: number,
    kind: TimerKind,
  ): Read<Joined<T>> | null => {
    if (!mayJoin(said, from)) return null;
    const values: T[] = [];
    let [end, isApart] = [from, false];
    for (let [at, isNextApart] = [from, false]; values.length < maxAtOnce; ) {
      const found = read(said, at, isNextApart);
      if (!found) break;
      values.push(found.value);
      end = found.end;
      isApart ||= isNextApart;
      const join = nextAt(read, said, end, kind);
      if (!join) break;
      [at, isNextApart] = [join.end, join.isApart];
    }
    return values.length < 2 ? null : { value: { values, isApart }, end };
  };

  const { readTime, readMomentFrom } = createMomentsReader(options, joinAt);
  const momentsAt = (
    said: readonly Word[],
    from: number,
    { strictAt, kind }: { strictAt: number | null; kind: TimerKind },
  ): Read<SaidMoment[]> | null => {
    const found = severalAt(readMomentFrom(strictAt), said, from, kind);
    return found && { value: alike(withTime(found.value.values)), end: found.end };
  };

  const { readLength, readCount, readLengthAlone } = createLengthReader(options, { nextAt, startsJoint });
  const readNamed = createNamedReader(options, {
    readLengthAlone,
    isBeforeJoint: (said, at) => at === said.length || joinAt(said, at, 'timer') !== null,
  });

  return {
    count: readCount,
    /** Whether a joint starts here, with words after it. */
    joinsAt: (said: readonly Word[], from: number): boolean => {
      const join = joinAt(said, from);
      return join !== null && join.end < said.length;
    },
    /** Whether a joint ends here, with words before it. A pause at the end of a text is not a joint. */
    joinsUpTo: (said: readonly Word[], { from, to }: { from: number; to: number }): boolean =>
      (from > 0 && to < said.length && said[from]?.gap === ',') ||
      said.some((_, at) => at > 0 && at < from && longestPhraseEnd(words.and, said, at) === from),
    times(said: readonly Word[], from: number): Read<SaidMoment[]> | null {
      const shared = momentsAt(said, from, { strictAt: null, kind: 'alarm' });
      if (shared?.value.every(({ time, after }) => time !== null && after === null)) return shared;
      const found = severalAt(readTime, said, from, 'alarm');
      return found && { value: alike(found.value.values), end: found.end };
    },
    /** Days, times or both: "on Monday and Wednesday at eight", "in ten minutes and in an hour". */
    moments: (said: readonly Word[], from: number) =>
      momentsAt(said, from, { strictAt: from, kind: 'reminder' }),
    lengths: (said: readonly Word[], from: number) =>
      valuesOf(severalAt(readLength, said, from, 'timer'), false),
    /** Lengths with their names: "20 minutes for the cake and ten for the icing". */
    named: (said: readonly Word[], from: number) =>
      valuesOf(severalAt(readNamed, said, from, 'timer'), false),
    /** Only those that the person marked as separate. */
    lengthsApart: (said: readonly Word[], from: number) =>
      valuesOf(severalAt(readLength, said, from, 'timer'), true),
  };
}

/** Reads one of several moments. A day may take its end from the next one. */
function createMomentsReader(
  { words, moments, dates }: Pick<SeveralReaderOptions, 'words' | 'moments' | 'dates'>,
  joinAt: (said: readonly Word[], from: number) => { end: number } | null,
) {
  const readTime = (said: readonly Word[], at: number): Read<SaidMoment> | null => {
    const found = moments.readBare(said, at);
    return found?.value.time && found.value.after === null ? found : null;
  };

  /** "the 30th AND the 31st of March": a day takes the end of the next one. */
  const withNextEnd = (said: readonly Word[], from: number, end: number): SaidMoment | null => {
    const join = joinAt(said, end);
    const next = join && moments.readBare(said, join.end);
    const start = [from, from + 1].find((at) => dates.read(said, at)?.end === end);
    if (!join || !next || start === undefined) return null;
    for (let at = join.end + 1; at < next.end; at += 1) {
      const own = said.slice(start, end);
      const tail = said.slice(at, next.end);
      const found = dates.read(tail, 0) ? null : dates.read([...own, ...tail], 0);
      if (found && found.end > own.length) return { ...noMoment, date: found.value };
    }
    return null;
  };

  /** "tomorrow and THE DAY AFTER" */
  const nextDayAt = (said: readonly Word[], at: number): Read<SaidMoment> | null => {
    const end = longestPhraseEnd(words.next_day, said, at);
    const before = said.findIndex((_, from) => from < at && dates.read(said, from) !== null);
    const day = before < 0 || before >= at ? null : dates.read(said, before);
    if (end === null || !day || dates.read(said, at)) return null;
    const date = (today: Day) => {
      const found = day.value(today);
      return found && dayFrom(numberOf(found) + 1);
    };
    return { value: { ...noMoment, date }, end };
  };

  /** A moment of any kind. After a joint, a number is one, too: "at five and SEVEN". */
  const readMomentFrom =
    (strictAt: number | null) =>
    (said: readonly Word[], at: number): Read<SaidMoment> | null => {
      const found =
        at === strictAt ? moments.read(said, at) : (nextDayAt(said, at) ?? moments.readBare(said, at));
      if (!found?.value.date || found.value.time) return found;
      return { ...found, value: withNextEnd(said, at, found.end) ?? found.value };
    };

  return { readTime, readMomentFrom };
}

/** Reads a duration that may take its unit from another one, and the number of timers. */
function createLengthReader(
  { durations, numbers }: Pick<SeveralReaderOptions, 'durations' | 'numbers'>,
  { nextAt, startsJoint }: { nextAt: NextJoint; startsJoint: (said: readonly Word[], at: number) => boolean },
) {
  /** A number with the unit of another length. */
  const withUnit = (said: readonly Word[], at: number, unit: Word): Read<Duration> | null => {
    const number = numbers.read(said, at);
    const found = number && durations.read([...said.slice(at, number.end), unit], 0);
    return found && { value: found.value, end: number.end };
  };

  /** The unit of the length before these words, or the first of "two minutes thirty seconds". */
  const unitBefore = (said: readonly Word[], at: number): Word | undefined => {
    const isUnit = ({ word }: Word) => durations.isUnit(word);
    const last = said.slice(0, at).findLastIndex(isUnit);
    const first = said.slice(0, Math.max(last, 0)).findLastIndex(isUnit);
    const isOneLength = first >= 0 && numbers.read(said, first + 1)?.end === last;
    return said[isOneLength ? first : last];
  };

  /** "ten minutes and another for TWENTY": the unit of the length before it. */
  const readShort = (said: readonly Word[], at: number): Read<Duration> | null => {
    const unit = unitBefore(said, at);
    const number = numbers.read(said, at);
    // "an hour and A HALF" is one length.
    return unit && number && isWhole(number.value) ? withUnit(said, at, unit) : null;
  };

  /** "two minutes THIRTY SECONDS and another for five": no joint divides the parts of one length. */
  const longerAt = (said: readonly Word[], at: number, from: number): Read<Duration> | null => {
    const joint = said.findIndex((_, place) => place >= from && startsJoint(said, place));
    const whole = durations.read(said.slice(0, joint < 0 ? said.length : joint), at);
    return whole && whole.end > from && durations.isUnit(said[whole.end - 1]?.word ?? '') ? whole : null;
  };

  /** "five AND ten minutes": a number takes the unit of the next length. */
  const readLength = (said: readonly Word[], at: number, isApart = false): Read<Duration> | null => {
    const unit = said.findIndex(({ word }, place) => place > at && durations.isUnit(word));
    const number = numbers.read(said, at);
    const word = said[unit];
    if (!word) return isApart ? readShort(said, at) : null;
    const joint = number && nextAt(numbers.read, said, number.end, 'timer');
    // "half AN hour" contains no joint.
    const alone = joint && numbers.read(said, joint.end) ? withUnit(said, at, word) : null;
    if (alone) return alone;
    const whole = durations.read(said.slice(at, unit + 1), 0);
    if (whole?.end !== unit + 1 - at) return null;
    return longerAt(said, at, unit + 1) ?? { value: whole.value, end: unit + 1 };
  };

  /** "TWO five minute timers": one word, so that the length keeps its own number. */
  const readCount = (said: readonly Word[], from: number): Read<number> | null => {
    const count = numbers.read(said.slice(from, from + 1), 0)?.value;
    const value = count && isWhole(count) ? Number(count.top) : 0;
    return value >= 2 && value <= maxAtOnce ? { value, end: from + 1 } : null;
  };

  /** A length that ends at its unit, or a number with the unit of a length before it. */
  const readLengthAlone = (said: readonly Word[], at: number): Read<Duration> | null => {
    const joint = said.findIndex((_, place) => place > at && said[place]?.gap === ',');
    return durations.read(said.slice(0, joint < 0 ? said.length : joint), at) ?? readShort(said, at);
  };

  return { readLength, readCount, readLengthAlone };
}

/** A new timer: its length, and the words of its name. */
interface NamedLength {
  ms: number;
  name: readonly Word[];
}

/** Reads one of several timers with names: "a ten minute timer for the pasta", "the rice for 12 minutes". */
function createNamedReader(
  { words, nouns, nameEnds }: Pick<SeveralReaderOptions, 'words' | 'nouns' | 'nameEnds'>,
  {
    readLengthAlone,
    isBeforeJoint,
  }: {
    readLengthAlone: (said: readonly Word[], at: number) => Read<Duration> | null;
    isBeforeJoint: (said: readonly Word[], at: number) => boolean;
  },
): ReadOne<NamedLength> {
  const lengthAt = (said: readonly Word[], at: number): Read<Duration> | null => {
    const found = readLengthAlone(said, skipPhrase(words.at, said, at));
    return found && { ...found, end: skipPhrase(nouns.timer, said, found.end) };
  };
  const nameFrom = (said: readonly Word[], at: number): number | null =>
    longestPhraseEnd(words.called, said, at);

  const lengthFirst = (said: readonly Word[], at: number): Read<NamedLength> | null => {
    const length = lengthAt(said, at);
    const from = length && nameFrom(said, length.end);
    if (!length || from === null) return null;
    const ends = nameEnds(said, from);
    const end = ends.findLast((each) => isBeforeJoint(said, each)) ?? ends.at(-1);
    return end === undefined ? null : { value: { ms: length.value.ms, name: said.slice(from, end) }, end };
  };
  const nameFirst = (said: readonly Word[], at: number): Read<NamedLength> | null => {
    const from = nameFrom(said, at) ?? at;
    for (const end of nameEnds(said, from)) {
      const length = lengthAt(said, end);
      if (length) return { value: { ms: length.value.ms, name: said.slice(from, end) }, end: length.end };
    }
    return null;
  };

  return (said, start) => {
    const at = skipPhrase(nouns.timer, said, skipPhrase(words.another, said, start));
    return lengthFirst(said, at) ?? nameFirst(said, at);
  };
}

function valuesOf<T>(found: Read<Joined<T>> | null, isApart: boolean): Read<T[]> | null {
  if (!found || (isApart && !found.value.isApart)) return null;
  return { value: found.value.values, end: found.end };
}

/** Gives a spoken day, part of the day or "p.m." to the other times: "at six and seven p.m." */
function alike(moments: readonly SaidMoment[]): SaidMoment[] {
  const day = moments.find(({ date, isToday }) => date !== null || isToday);
  const part = moments.find((each) => each.part !== null)?.part ?? null;
  const isOneDay = moments.filter(({ date, isToday }) => date !== null || isToday).length === 1;
  const result = moments.map((each) => ({
    ...each,
    ...(isOneDay && day && { date: day.date, isToday: day.isToday }),
    part: each.part ?? part,
  }));
  for (let at = 1; at < result.length; at += 1) follow(result, at, at - 1);
  for (let at = result.length - 2; at >= 0; at -= 1) follow(result, at, at + 1);
  return result;
}

/** Days share the only time: "on Monday and Wednesday AT EIGHT". */
function withTime(moments: readonly SaidMoment[]): SaidMoment[] {
  const times = moments.filter(({ time }) => time !== null);
  const [first] = times;
  const lacksTime = ({ date, isToday, time, part }: SaidMoment) =>
    (date !== null || isToday) && time === null && part === null;
  return moments.map((each) =>
    first && times.length === 1 && lacksTime(each) ? { ...each, time: first.time, part: first.part } : each,
  );
}

/** Gives a time without a.m. or p.m. the half of the day that keeps the order. */
function follow(moments: SaidMoment[], at: number, beside: number): void {
  const [moment, other] = [moments[at], moments[beside]?.time];
  const time = moment?.time;
  if (!time || !moment || !other?.half || !isOpenHour(time)) return;
  const isInOrder = at > beside ? inHalf(time) > inHalf(other) : inHalf(time) < inHalf(other);
  const opposite = other.half === 'am' ? 'pm' : 'am';
  moments[at] = { ...moment, time: { ...time, half: isInOrder ? other.half : opposite } };
}

/** Minutes since the start of its half of the day. */
function inHalf({ hour, minute }: SaidTime): number {
  return (hour % 12) * 60 + minute;
}
