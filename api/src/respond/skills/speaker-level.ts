import { longestPhraseEnd } from '../../language/grammar/phrase-at.ts';
import { joinedWords, type Word } from '../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../language/numbers/number-reader.ts';
import type { SpeakerWords } from './speaker-shape.ts';

/** A spoken volume. */
export interface SaidLevel {
  value: number;
  /** A named level, or a percentage. */
  isExact: boolean;
}

/** People rate loudness from one to ten. */
const maxCounted = 10;

/** Reads volumes ("forty percent", "four", "half"), and amounts to add, which exclude "half". */
export function createLevelReaders({ percent, levels }: SpeakerWords, numbers: NumberReader) {
  const amount = (said: readonly Word[], from: number): Read<SaidLevel> | null => {
    const number = numbers.read(said, from);
    if (!number) return null;
    const value = Number(number.value.top) / Number(number.value.bottom);
    const end = longestPhraseEnd(percent, said, number.end);
    return { value: { value, isExact: end !== null }, end: end ?? number.end };
  };
  const named = (said: readonly Word[], from: number): Read<SaidLevel> | null => {
    const end = longestPhraseEnd(Object.keys(levels), said, from);
    if (end === null) return null;
    return { value: { value: levels[joinedWords(said.slice(from, end))] ?? 0, isExact: true }, end };
  };
  return {
    amount,
    level: (said: readonly Word[], from: number) => named(said, from) ?? amount(said, from),
  };
}

/**
 * The percentage: "four" is forty. 'unclear': ten may be ten percent or full volume. Null: no such volume.
 */
export function percentOfLevel({ value, isExact }: SaidLevel): number | 'unclear' | null {
  if (value < 0 || value > 100) return null;
  if (isExact || value > maxCounted || value === 0) return Math.round(value);
  return value === maxCounted ? 'unclear' : Math.round(value * 10);
}
