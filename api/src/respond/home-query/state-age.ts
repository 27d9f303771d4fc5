import type { LiveThing } from '../../engines/home-live.ts';
import type { Language } from '../../language/language.ts';
import { fill, joined } from '../../language/phrase.ts';
import { createDateWords, loadClock } from '../skills/clock/clock-language.ts';
import type { QueryWords } from './query-shape.ts';
import { maxNames, type QueryOutcome } from './query-speech.ts';

const [minuteMs, dayMinutes] = [60_000, 24 * 60];
/** Within this time after its start, Home Assistant resets the time of every state. */
const startMs = 60_000;

interface StateAgeOptions {
  language: Pick<Language, 'files' | 'rules'>;
  words: Pick<QueryWords, 'between' | 'last' | 'since' | 'since_at_least' | 'moment' | 'is_one'>;
}

/** Says how long entities have been in their states: "Garage door has been open for two hours". */
export function createStateAge({ language, words }: StateAgeOptions) {
  const { length, days } = createDateWords(loadClock(language.files).words, language.rules);

  const lengthOf = (ms: number): string => {
    const minutes = Math.floor(ms / minuteMs);
    if (minutes < 1) return words.moment;
    return minutes < 2 * dayMinutes ? length(minutes) : days(Math.floor(minutes / dayMinutes));
  };

  /** '' if none has a known age. */
  return (judged: readonly QueryOutcome[], standing: ReadonlyMap<string, LiveThing>, now: number): string => {
    const startedAt = Math.min(...[...standing.values()].flatMap(({ changedAt }) => changedAt ?? []));
    const clauses = judged.flatMap(({ thing, subject, state, holds }) => {
      const at = standing.get(thing.id)?.changedAt ?? null;
      if (at === null || holds === null) return [];
      const isAtLeast = at - startedAt < startMs;
      // "At least less than a minute" says nothing.
      if (isAtLeast && now - at < minuteMs) return [fill(words.is_one, { names: subject, state })];
      const phrase = isAtLeast ? words.since_at_least : words.since;
      return [fill(phrase, { name: subject, state, length: lengthOf(Math.max(0, now - at)) })];
    });
    return joined(clauses.slice(0, maxNames), words);
  };
}
