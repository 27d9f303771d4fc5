import type { Duration, DurationReader, DurationWords } from '../durations/duration-reader.ts';
import { createDurationReader } from '../en/duration-reader.ts';
import { longestPhraseEnd } from '../grammar/phrase-at.ts';
import type { NumberReader, Read } from '../numbers/number-reader.ts';

/**
 * Dutch durations: a part of a unit may follow the same unit, "een uur en een kwartier". Everything else is
 * said as in English.
 */
export function createDutchDurationReader(words: DurationWords, numbers: NumberReader): DurationReader {
  const reader = createDurationReader(words, numbers);
  return {
    ...reader,
    read(said, from): Read<Duration> | null {
      const first = reader.read(said, from);
      const unit = said[(first?.end ?? 0) - 1]?.word;
      const at = first && longestPhraseEnd(words.and, said, first.end);
      const part = at === null ? null : reader.read(said, at);
      if (!first || !part || said[part.end - 1]?.word !== unit) return first;
      const count = numbers.read(said, at ?? from);
      const isPart = count === null || (count.value.top > 0n && count.value.top < count.value.bottom);
      if (!isPart) return first;
      const { isMore } = first.value;
      return { value: { ms: first.value.ms + part.value.ms, days: null, isMore }, end: part.end };
    },
  };
}
