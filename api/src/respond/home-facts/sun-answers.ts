import type { HomeFact } from '../../engines/home-facts-reader.ts';
import { numberOf } from '../../language/calendar/day.ts';
import type { LocalTime } from '../../language/calendar/time-zones.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { FactsAsk, SayFact } from '../calendar/home-facts-shape.ts';
import type { FactWords, QuestionDaysReader } from '../calendar/question-days.ts';
import type { SunTimes } from '../skills/timers/sun-reader.ts';

interface SunOptions {
  client: { sun(signal: AbortSignal): Promise<HomeFact | null> };
  words: Pick<FactWords, 'setting' | 'here' | 'here_with'>;
  days: QuestionDaysReader;
  say: SayFact;
  clock: (at: number) => LocalTime;
  time: (time: LocalTime) => string;
}

/** The next sunrise and sunset, and whether it is dark, from the house's sun entity. */
export function createSunAnswers({ client, words, days, say, clock, time }: SunOptions) {
  const next = async (event: 'rising' | 'setting' | 'dark', { turn, signal }: FactsAsk): Promise<string> => {
    const sun = await client.sun(signal);
    if (!sun) return say('not_told', {}, turn);
    if (event === 'dark') return say(sun.state === 'below_horizon' ? 'dark' : 'light', {}, turn);
    const { next_rising: rising, next_setting: setting } = sun.attributes;
    const at = Date.parse((event === 'rising' ? rising : setting) ?? '');
    // Near a pole the sun may not rise at all.
    if (Number.isNaN(at)) return say('not_told', {}, turn);
    const when = days.name(numberOf(clock(at)), null, clock(turn.createdAt));
    return say(event === 'rising' ? 'sunrise' : 'sunset', { time: time(clock(at)), when }, turn);
  };

  return {
    next,
    /** Answers a question in free words, which may name a place or a day. */
    async answer(said: readonly Word[], ask: FactsAsk & { place: readonly Word[] }): Promise<string> {
      const today = clock(ask.turn.createdAt);
      const { from, to } = days.read(said, today);
      const isHere = days.isOnly(ask.place, [...words.here, ...words.here_with]);
      const isSoon = from === to && from - numberOf(today) <= 1;
      if (!isHere || !isSoon) return say('sun_next', {}, ask.turn);
      return await next(days.isAny(said, words.setting) ? 'setting' : 'rising', ask);
    },
  };
}

/** The next times that the sun entity reports. Near a pole the sun may not rise at all. */
export function sunTimesFrom(sun: HomeFact | null): SunTimes | null {
  if (!sun) return null;
  const { next_rising: rising, next_setting: setting, next_dawn: dawn, next_dusk: dusk } = sun.attributes;
  const times = Object.entries({ rising, setting, dawn, dusk }).map(
    ([event, text]) => [event, Date.parse(text ?? '')] as const,
  );
  return Object.fromEntries(times.filter(([, at]) => !Number.isNaN(at)));
}
