import { z } from 'zod';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';

const events = ['rising', 'setting', 'dawn', 'dusk'] as const;
type SunEvent = (typeof events)[number];

/** The next time of each event. Undefined: the house does not report it. */
export type SunTimes = Readonly<Partial<Record<SunEvent, number>>>;

const texts = z.array(z.string());

/** "AT sunset", "half an hour BEFORE sunrise". */
export const sunWordsSchema = z.strictObject({
  at: texts,
  before: texts,
  after: texts,
  events: z.record(z.enum(events), texts),
});

export interface SaidSun {
  event: SunEvent;
  offsetMs: number;
}

interface SunReaderOptions {
  words: z.infer<typeof sunWordsSchema> | undefined;
  durations: DurationReader;
}

/** Reads a time that depends on the sun. A language without words for it has none. */
export function createSunReader({ words, durations }: SunReaderOptions) {
  return (said: readonly Word[], from: number): Read<SaidSun> | null => {
    if (!words) return null;
    const eventAt = (at: number | null, offsetMs: number): Read<SaidSun> | null => {
      for (const event of events) {
        const end = at === null ? null : longestPhraseEnd(words.events[event], said, at);
        if (end !== null) return { value: { event, offsetMs }, end };
      }
      return null;
    };
    const length = durations.read(said, from);
    const at = length?.end ?? from;
    const ms = length?.value.ms ?? 0;
    const after = eventAt(longestPhraseEnd(words.after, said, at), ms);
    if (!length) return eventAt(longestPhraseEnd(words.at, said, from), 0) ?? after;
    return eventAt(longestPhraseEnd(words.before, said, at), -ms) ?? after;
  };
}
