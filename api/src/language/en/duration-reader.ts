import {
  type Duration,
  type DurationReader,
  type DurationWords,
  type TimeUnit,
  timeUnits,
} from '../durations/duration-reader.ts';
import { phraseEnd, skipPhrase } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import { add, type Fraction, fraction, multiply } from '../numbers/fraction.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';

const unitMs: Readonly<Record<TimeUnit, number>> = {
  week: 7 * 24 * 3_600_000,
  day: 24 * 3_600_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
};

/** What a number means that stands behind a unit. */
const impliedBehind: Readonly<Partial<Record<TimeUnit, TimeUnit>>> = { hour: 'minute', minute: 'second' };

interface Part {
  amount: Fraction;
  unit: TimeUnit;
  isMore: boolean;
}

/** The English of durations: numbers before their units, the longest first, and parts behind "and". */
export function createDurationReader(words: DurationWords, numbers: NumberReader): DurationReader {
  const units = new Map(timeUnits.flatMap((unit) => words.units[unit].map((name) => [name, unit] as const)));
  const counts = Object.entries(words.counts).toSorted(([one], [other]) => other.length - one.length);

  const countAt = (said: readonly Word[], at: number): Read<Fraction> | null => {
    for (const [text, count] of counts) {
      const end = phraseEnd(text, said, at);
      if (end !== null) return { value: fraction(count), end };
    }
    const number = numbers.read(said, at) ?? barePartAt(said, at);
    if (number) return { value: number.value, end: skipPhrase(words.between, said, number.end) };
    const end = skipPhrase(words.one, said, at);
    return end > at ? { value: fraction(1), end } : null;
  };

  /** "quarter of an hour": a part without its article. */
  const barePartAt = (said: readonly Word[], at: number): Read<Fraction> | null => {
    const [first, article] = [said[at], words.one[0]];
    if (!first || article === undefined) return null;
    const part = numbers.read([{ ...first, word: article }, ...said.slice(at, at + 1)], 0);
    return part && part.value.bottom > 1n ? { value: part.value, end: at + 1 } : null;
  };

  const partAt = (said: readonly Word[], at: number): Read<Part> | null => {
    const from = skipPhrase(words.more, said, at);
    const count = countAt(said, from) ?? (from > at ? { value: fraction(1), end: from } : null);
    if (!count) return null;
    const unitAt = skipPhrase(words.more, said, count.end);
    const unit = units.get(said[unitAt]?.word ?? '');
    if (!unit) return null;
    const half = andPart(said, unitAt + 1);
    const amount = half ? add(count.value, half.value) : count.value;
    return { value: { amount, unit, isMore: from > at || unitAt > count.end }, end: half?.end ?? unitAt + 1 };
  };

  /** "and a half", behind a unit. A unit behind it makes it a part of its own: "an hour and a quarter of an hour". */
  const andPart = (said: readonly Word[], at: number): Read<Fraction> | null => {
    const from = skipPhrase(words.and, said, at);
    const part = from > at ? numbers.read(said, from) : null;
    const isPart = part !== null && part.value.bottom > 1n && part.value.top < part.value.bottom;
    return isPart && !units.has(said[skipPhrase(words.between, said, part.end)]?.word ?? '') ? part : null;
  };

  /** "20 minutes" behind hours, "20" or "and 20" alone, or "15" behind minutes. */
  const nextPart = (said: readonly Word[], before: Read<Part>): Read<Part> | null => {
    const at = skipPhrase(words.and, said, before.end);
    const part = partAt(said, at);
    if (part) return isShorter(part.value.unit, before.value.unit) ? part : null;
    const unit = impliedBehind[before.value.unit];
    const isNext = said[at]?.gap === '' && (at === before.end || unit === 'minute');
    const rest = unit && isNext ? numbers.read(said, at) : null;
    if (!unit || rest?.value.bottom !== 1n || rest.value.top > 59n) return null;
    return { value: { amount: rest.value, unit, isMore: false }, end: rest.end };
  };

  const wholeAt = (said: readonly Word[], from: number): Read<Part[]> | null => {
    const parts: Part[] = [];
    let last = partAt(said, skipPhrase(words.about, said, from));
    let end = from;
    while (last) {
      parts.push(last.value);
      end = last.end;
      last = nextPart(said, last);
    }
    return parts.length === 0 ? null : { value: parts, end };
  };

  const correctedAt = (said: readonly Word[], from: number): number | null => {
    let end = from;
    for (
      let next = skipPhrase(words.corrections, said, end);
      next > end;
      next = skipPhrase(words.corrections, said, end)
    )
      end = next;
    return end > from ? end : null;
  };

  /** "5, no, 10 minutes": a number that is taken back before its unit. */
  const takenBackAt = (said: readonly Word[], from: number): number | null => {
    const number = numbers.read(said, from);
    const at = number && correctedAt(said, number.end);
    if (at === null) return null;
    // "a 15, no, a 20 minute timer"
    const behind = skipPhrase(words.one, said, at);
    return numbers.read(said, behind) ? behind : at;
  };

  /** What is said instead: "no, ten minutes", "make that ten". */
  const insteadOf = (said: readonly Word[], before: Read<Part[]>): Read<Part[]> | null => {
    const at = correctedAt(said, before.end);
    if (at === null) return null;
    const whole = wholeAt(said, at);
    const number = whole ? null : numbers.read(said, at);
    const unit = before.value.at(-1)?.unit;
    if (!number || !unit) return whole;
    return { value: [{ amount: number.value, unit, isMore: false }], end: number.end };
  };

  return {
    isUnit: (word: string): boolean => units.has(word),
    correctedAt,

    read(said: readonly Word[], from: number): Read<Duration> | null {
      const first = wholeAt(said, takenBackAt(said, from) ?? from);
      const found = first && (insteadOf(said, first) ?? first);
      if (!found) return null;
      const parts = found.value;
      const end = skipPhrase(words.or_so, said, found.end);
      const longer = skipPhrase(words.longer, said, end);
      const isMore = longer > end || parts.some((part) => part.isMore);
      return { value: { ms: msOf(parts), days: daysOf(parts), isMore }, end: longer };
    },
  };
}

function isShorter(one: TimeUnit, other: TimeUnit): boolean {
  return unitMs[one] < unitMs[other];
}

function msOf(parts: readonly Part[]): number {
  const total = parts
    .map(({ amount, unit }) => multiply(amount, fraction(unitMs[unit])))
    .reduce((sum, part) => add(sum, part), fraction(0));
  return Number(total.top / total.bottom);
}

function daysOf(parts: readonly Part[]): number | null {
  const areDays = parts.every(
    ({ amount, unit }) => amount.bottom === 1n && (unit === 'day' || unit === 'week'),
  );
  return areDays ? msOf(parts) / unitMs.day : null;
}
