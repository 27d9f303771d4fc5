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

/** Units that people also use in parts: "an hour and a half". */
const growing: ReadonlySet<TimeUnit> = new Set(['week', 'day', 'hour']);

/** The unit of a bare number after another unit: "1 hour 20". */
const impliedBehind: Readonly<Partial<Record<TimeUnit, TimeUnit>>> = { hour: 'minute', minute: 'second' };

interface Part {
  amount: Fraction;
  unit: TimeUnit;
  isMore: boolean;
}

/** The words of durations, prepared for lookup. */
interface Grammar extends Omit<DurationWords, 'units' | 'counts'> {
  units: ReadonlyMap<string, TimeUnit>;
  /** The longest unit first. */
  counts: readonly (readonly [string, number])[];
  numbers: NumberReader;
}

/** A grammar rule: reads what starts at this word, or returns null. */
type Rule<T> = (grammar: Grammar, said: readonly Word[], at: number) => Read<T> | null;

/** English durations: numbers before their units, the longest unit first, and parts after "and". */
export function createDurationReader(words: DurationWords, numbers: NumberReader): DurationReader {
  const units = new Map(timeUnits.flatMap((unit) => words.units[unit].map((name) => [name, unit] as const)));
  const counts = Object.entries(words.counts).toSorted(([one], [other]) => other.length - one.length);
  const grammar: Grammar = { ...words, units, counts, numbers };
  return {
    isUnit: (word) => units.has(word),
    mayGrow: (said) => growing.has(units.get(said.at(-1)?.word ?? '') ?? 'second'),
    correctedAt: (said, from) => correctedAt(grammar, said, from),
    read: (said, from) => duration(grammar, said, from),
  };
}

/** "five minutes, no, ten or so", "an hour longer". */
const duration: Rule<Duration> = (grammar, said, at) => {
  const clocked = onClock(grammar, said, skipPhrase(grammar.about, said, at));
  if (clocked) return clocked;
  const first = parts(grammar, said, takenBackAt(grammar, said, at) ?? at);
  const found = first && (partsInstead(grammar, said, first) ?? first);
  if (!found) return null;
  const end = skipPhrase(grammar.or_so, said, found.end);
  const longer = skipPhrase(grammar.longer, said, end);
  const isMore = longer > end || found.value.some((each) => each.isMore);
  return { value: { ms: msOf(found.value), days: daysOf(found.value), isMore }, end: longer };
};

/** "1:30:00", "1:30 hours", "5:30 minutes": the parts of a length, joined by colons. */
const onClock: Rule<Duration> = ({ units }, said, at) => {
  const figures = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(said[at]?.word ?? '');
  if (!figures) return null;
  const [first = 0, second = 0, third = 0] = figures.slice(1).map((digits) => Number(digits ?? 0));
  const unit = units.get(said[at + 1]?.word ?? '');
  const hasUnit = unit === 'hour' || (unit === 'minute' && figures[3] === undefined);
  if (!hasUnit && figures[3] === undefined) return null;
  const larger = unit === 'minute' ? unitMs.minute : unitMs.hour;
  const ms = first * larger + second * (larger / 60) + third * unitMs.second;
  return { value: { ms, days: null, isMore: false }, end: at + (hasUnit ? 2 : 1) };
};

/** "about two hours, five minutes and ten seconds". */
const parts: Rule<Part[]> = (grammar, said, at) => {
  const read: Part[] = [];
  let last = part(grammar, said, skipPhrase(grammar.about, said, at));
  let end = at;
  while (last) {
    read.push(last.value);
    end = last.end;
    last = nextPart(grammar, said, last);
  }
  return read.length === 0 ? null : { value: read, end };
};

/** "five minutes", "another minute", "an hour and a half". */
const part: Rule<Part> = (grammar, said, at) => {
  const from = skipPhrase(grammar.more, said, at);
  const number =
    count(grammar, said, from) ??
    (from > at || isWithHalf(grammar, said, from) ? { value: fraction(1), end: from } : null);
  if (!number) return null;
  const unitAt = skipPhrase(grammar.more, said, number.end);
  const unit = grammar.units.get(said[unitAt]?.word ?? '');
  if (!unit || isHalfOfDay(grammar, said, unitAt)) return null;
  const half = andFraction(grammar, said, unitAt + 1);
  const amount = half ? add(number.value, half.value) : number.value;
  return { value: { amount, unit, isMore: from > at || unitAt > number.end }, end: half?.end ?? unitAt + 1 };
};

/** "HOUR and a half", without its article. */
function isWithHalf(grammar: Grammar, said: readonly Word[], unitAt: number): boolean {
  const word = said[unitAt]?.word ?? '';
  return word.length > 1 && grammar.units.has(word) && andFraction(grammar, said, unitAt + 1) !== null;
}

/** "8 a.m.": after an article, a single letter is not a unit. */
function isHalfOfDay({ between }: Grammar, said: readonly Word[], unitAt: number): boolean {
  return said[unitAt]?.word.length === 1 && between.includes(said[unitAt - 1]?.word ?? '');
}

/** The next part: a smaller unit, or a bare number. */
function nextPart(grammar: Grammar, said: readonly Word[], before: Read<Part>): Read<Part> | null {
  const next = part(grammar, said, skipPhrase(grammar.and, said, before.end));
  if (!next) return impliedPart(grammar, said, before);
  return isShorter(next.value.unit, before.value.unit) ? next : null;
}

/** "20" or "and 20" after hours, "15" after minutes: a number without its unit. */
function impliedPart(grammar: Grammar, said: readonly Word[], before: Read<Part>): Read<Part> | null {
  const at = skipPhrase(grammar.and, said, before.end);
  // "A quarter of an hour" is complete.
  const unit = before.value.amount.bottom === 1n ? impliedBehind[before.value.unit] : undefined;
  const isNext = said[at]?.gap === '' && (at === before.end || unit === 'minute');
  // "The 12 minute ONE" is a timer.
  const isNoun = grammar.one.includes(said[at]?.word ?? '');
  const number = unit && isNext && !isNoun ? grammar.numbers.read(said, at) : null;
  if (!unit || number?.value.bottom !== 1n || number.value.top > 59n || isCount(said, number)) return null;
  return { value: { amount: number.value, unit, isMore: false }, end: number.end };
}

/** "In sechs Stunden ZWEI Lampen": a small number in words, in front of more words, counts these. */
function isCount(said: readonly Word[], { value, end }: Read<Fraction>): boolean {
  return value.top < 10n && end < said.length && !/^\d/.test(said[end - 1]?.word ?? '');
}

/** The count of a unit: "a couple of", "five", "half an", "a". */
const count: Rule<Fraction> = (grammar, said, at) => {
  for (const [text, value] of grammar.counts) {
    const end = phraseEnd(text, said, at);
    if (end !== null) return { value: fraction(value), end };
  }
  const number = grammar.numbers.read(said, at) ?? bareFraction(grammar, said, at);
  if (number) return { value: number.value, end: skipPhrase(grammar.between, said, number.end) };
  const end = skipPhrase(grammar.one, said, at);
  return end > at ? { value: fraction(1), end } : null;
};

/** "quarter of an hour": a fraction without its article. */
const bareFraction: Rule<Fraction> = ({ one, numbers }, said, at) => {
  const [first, article] = [said[at], one[0]];
  if (!first || article === undefined) return null;
  const read = numbers.read([{ ...first, word: article }, ...said.slice(at, at + 1)], 0);
  return read && read.value.bottom > 1n ? { value: read.value, end: at + 1 } : null;
};

/**
 * "and a half" after a unit. If a unit follows, it is a separate part: "an hour and a quarter of an hour".
 */
const andFraction: Rule<Fraction> = ({ and, between, numbers, units }, said, at) => {
  const from = skipPhrase(and, said, at);
  const read = from > at ? numbers.read(said, from) : null;
  const isBelowOne = read !== null && read.value.bottom > 1n && read.value.top < read.value.bottom;
  return isBelowOne && !units.has(said[skipPhrase(between, said, read.end)]?.word ?? '') ? read : null;
};

/** The position after "no" or "sorry, I mean", repeated any number of times. */
function correctedAt({ corrections }: Grammar, said: readonly Word[], from: number): number | null {
  let end = from;
  for (let next = skipPhrase(corrections, said, end); next > end; next = skipPhrase(corrections, said, end))
    end = next;
  return end > from ? end : null;
}

/** "5, no, 10 minutes": the start of the duration after a number that is corrected before its unit. */
function takenBackAt(grammar: Grammar, said: readonly Word[], from: number): number | null {
  const number = grammar.numbers.read(said, from);
  const at = number && correctedAt(grammar, said, number.end);
  if (at === null) return null;
  // "a 15, no, a 20 minute timer"
  const behind = skipPhrase(grammar.one, said, at);
  return grammar.numbers.read(said, behind) ? behind : at;
}

/** The correction after a duration: "no, ten minutes", "make that ten". A bare number keeps the unit. */
function partsInstead(grammar: Grammar, said: readonly Word[], before: Read<Part[]>): Read<Part[]> | null {
  const at = correctedAt(grammar, said, before.end);
  if (at === null) return null;
  const whole = parts(grammar, said, at);
  const number = whole ? null : grammar.numbers.read(said, at);
  const unit = before.value.at(-1)?.unit;
  if (!number || !unit) return whole;
  return { value: [{ amount: number.value, unit, isMore: false }], end: number.end };
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
