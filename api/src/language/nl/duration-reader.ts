import {
  type Duration,
  type DurationReader,
  type DurationWords,
  timeUnits,
} from '../durations/duration-reader.ts';
import { createDurationReader } from '../en/duration-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { Word } from '../grammar/words.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';

/**
 * Dutch durations: a part of a unit may follow the same unit, "een uur en een kwartier". Everything else is
 * said as in English.
 */
export function createDutchDurationReader(words: DurationWords, numbers: NumberReader): DurationReader {
  const reader = createDurationReader(words, numbers);
  const unitBefore = (said: readonly Word[], end: number) =>
    timeUnits.find((unit) => words.units[unit].includes(said[end - 1]?.word ?? ''));
  return {
    ...reader,
    read(said, from): Read<Duration> | null {
      const first = reader.read(said, from);
      const at = first && longestPhraseEnd(words.and, said, first.end);
      const part = at === null ? null : reader.read(said, at);
      if (!first || !part || unitBefore(said, part.end) !== unitBefore(said, first.end)) return first;
      const count = numbers.read(said, at ?? from);
      const isPart = count === null || (count.value.top > 0n && count.value.top < count.value.bottom);
      if (!isPart) return first;
      const { isMore } = first.value;
      return { value: { ms: first.value.ms + part.value.ms, days: null, isMore }, end: part.end };
    },
  };
}
