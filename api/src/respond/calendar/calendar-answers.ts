import type { CalendarEvent } from '../../engines/home-facts-reader.ts';
import { dayFrom, numberOf } from '../../language/calendar/day.ts';
import { instantOf } from '../../language/calendar/instant.ts';
import type { createClock, LocalTime } from '../../language/calendar/time-zones.ts';
import { withCapital } from '../../language/capitals.ts';
import type { Word } from '../../language/grammar/words.ts';
import { foreign } from './foreign-words.ts';
import type { FactsAsk, SayFact } from './home-facts-shape.ts';
import { type FactWords, hoursOfPart, type QuestionDays, type QuestionDaysReader } from './question-days.ts';

interface CalendarClient {
  calendars(signal: AbortSignal): Promise<string[]>;
  events(
    ids: readonly string[],
    span: { from: number; to: number },
    signal: AbortSignal,
  ): Promise<CalendarEvent[]>;
}

interface CalendarOptions {
  client: CalendarClient;
  words: FactWords;
  days: QuestionDaysReader;
  say: SayFact;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
  time: (time: LocalTime) => string;
}

const dayMs = 24 * 3_600_000;
/** How many days ahead to search for the next appointment. */
const aheadDays = 60;
/** Listeners cannot follow more. */
const maxEvents = 8;

export type CalendarAsking = ReturnType<typeof createCalendarAnswers>;

/** Answers questions about the calendar. It only reads, and refuses changes. */
export function createCalendarAnswers({ client, words, days, say, clock, timeZone, time }: CalendarOptions) {
  const here = (at: number) => clock(at, timeZone);
  const isWholeDay = ({ start }: CalendarEvent) => !start.includes('T');
  const dayOf = (event: CalendarEvent): number =>
    isWholeDay(event) ? Math.round(Date.parse(event.start) / dayMs) : numberOf(here(Date.parse(event.start)));
  const timeOf = (event: CalendarEvent): string =>
    isWholeDay(event) ? words.all_day : time(here(Date.parse(event.start)));

  const describe = (event: CalendarEvent, { turn }: FactsAsk): string =>
    say('event', { event: foreign(event.summary), time: timeOf(event) }, turn);

  const spanOf = ({ from, to, part }: QuestionDays) => {
    const [start, end] = part ? hoursOfPart[part] : [0, 24];
    const at = (number: number, hours: number) =>
      instantOf(
        { ...dayFrom(number + Math.floor(hours / 24)), hour: hours % 24, minute: 0 },
        { clock, timeZone },
      );
    return { from: at(from, start), to: at(to, end) };
  };

  const onDays = async (ids: readonly string[], range: QuestionDays, ask: FactsAsk): Promise<string> => {
    const { turn, signal } = ask;
    const today = here(turn.createdAt);
    const found = await client.events(ids, spanOf(range), signal);
    const numbers = Array.from({ length: range.to - range.from + 1 }, (_, n) => range.from + n);
    const sentences = numbers.flatMap((number) => {
      const when = days.name(number, range.part, today);
      // An entry that began earlier may still be running.
      const events = found
        .filter((event) => Math.max(dayOf(event), range.from) === number)
        .slice(0, maxEvents);
      if (events.length === 0) return numbers.length === 1 ? [say('no_events', { when }, turn)] : [];
      const list = events.map((event) => describe(event, ask)).join(words.between_events);
      return [say('events', { when: withCapital(when), events: list }, turn)];
    });
    const last = days.name(range.to, range.part, today);
    return sentences.length > 0 ? sentences.join(' ') : say('no_events_until', { when: last }, turn);
  };

  /** Entries by day: "Today: Dinner, 7 PM. On Friday: ..." */
  const byDay = (events: readonly CalendarEvent[], ask: FactsAsk): string => {
    const { turn } = ask;
    const today = here(turn.createdAt);
    // An entry that began earlier may still be running.
    const perDay = Map.groupBy(events.slice(0, maxEvents), (event) =>
      Math.max(dayOf(event), numberOf(today)),
    );
    return [...perDay]
      .map(([number, found]) => {
        const list = found.map((event) => describe(event, ask)).join(words.between_events);
        return say('events', { when: withCapital(days.name(number, null, today)), events: list }, turn);
      })
      .join(' ');
  };

  const next = async (ids: readonly string[], ask: FactsAsk): Promise<string> => {
    const { turn, signal } = ask;
    const span = { from: turn.createdAt, to: turn.createdAt + aheadDays * dayMs };
    const event = (await client.events(ids, span, signal)).find(
      (each) =>
        Date.parse(each.start) >= turn.createdAt ||
        (isWholeDay(each) && dayOf(each) >= numberOf(here(turn.createdAt))),
    );
    if (!event) return say('no_next', { days: aheadDays }, turn);
    return say(
      'next_event',
      { event: describe(event, ask), when: days.name(dayOf(event), null, here(turn.createdAt)) },
      turn,
    );
  };

  return {
    byDay,
    eventsOn: (ids: readonly string[], range: QuestionDays, { signal }: FactsAsk) =>
      client.events(ids, spanOf(range), signal),
    /** Whether it is a question. Anything else would change the calendar. */
    isAsked: (said: readonly Word[]): boolean => {
      const [begin] = said.filter(({ word }) => !words.fillers.includes(word));
      return begin !== undefined && words.reads.includes(begin.word) && !days.isAny(said, words.writes);
    },
    /** Whether it contains a verb of change anywhere. */
    mayChange: (said: readonly Word[]): boolean => days.isAny(said, words.writes),
    async answer(said: readonly Word[], ask: FactsAsk): Promise<string> {
      const ids = await client.calendars(ask.signal);
      if (ids.length === 0) return say('not_exposed', {}, ask.turn);
      const range = days.read(said, here(ask.turn.createdAt));
      // Without a day, or with a name ("when is ..."), the question means the next entry.
      const isNext = range.isOpen && (days.isAny(said, words.next) || days.isAny(said, words.when));
      return isNext ? await next(ids, ask) : await onDays(ids, range, ask);
    },
  };
}
