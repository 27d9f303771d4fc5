import type { HomeClient } from '../../engines/home-client.ts';
import type { CalendarEvent } from '../../engines/home-facts-reader.ts';
import { HomeError } from '../../engines/home-fault.ts';
import type { LocalTime } from '../../language/calendar/time-zones.ts';
import { joinedWords, type Word, type WordReader } from '../../language/grammar/words.ts';
import type { CalendarAsking } from '../calendar/calendar-answers.ts';
import { foreign } from '../calendar/foreign-words.ts';
import type { FactsAsk, SayFact } from '../calendar/home-facts-shape.ts';
import type { FactWords, QuestionDaysReader } from '../calendar/question-days.ts';
import { aside, plainAnswer, type Responder } from '../core/responder.ts';
import type { Ask } from '../core/skill.ts';

interface RecordOptions {
  data: RecordWords;
  client: Pick<HomeClient, 'calendars' | 'lists' | 'listItems'>;
  words: FactWords;
  readWords: WordReader;
  days: QuestionDaysReader;
  asking: Pick<CalendarAsking, 'eventsOn' | 'byDay'>;
  say: SayFact;
  clock: (at: number) => LocalTime;
  /** "When is the match": the time of an entry with this name. */
  whenKnown: (said: readonly Word[], ask: Ask) => Promise<string | null>;
  onFailure: (error: HomeError) => void;
}

type RecordWords = NonNullable<FactWords['records']>;

/** How many days ahead to search if the question names no day. */
const openDays = 13;
const minRoot = 3;

interface Item {
  list: string;
  text: string;
}

/** A question about what the household has to do. */
interface RecordQuestion {
  said: readonly Word[];
  /** The words that an entry must contain. Empty: any entry. */
  topics: readonly string[];
  isYesNo: boolean;
  isCount: boolean;
  /** It counts days, not entries. */
  isOfDays: boolean;
  isAway: boolean;
  /** It names a calendar or a list, so a part of the topics is enough. */
  isNamed: boolean;
  isOfLists: boolean;
}

/** Compares words by their roots: "call" and "calling". */
function createTopicMatcher(data: RecordWords, readWords: WordReader) {
  const roots = (word: string): string[] => {
    const cut = data.endings
      .filter((ending) => word.endsWith(ending) && word.length - ending.length >= minRoot)
      .map((ending) => word.slice(0, -ending.length));
    return [word, ...cut, ...cut.map((root) => `${root}${data.mute_ending}`)];
  };
  const rootsOf = (text: string) => new Set(readWords(text).flatMap(({ word }) => roots(word)));
  /** How many topics the texts contain. */
  return (topics: readonly string[], texts: readonly (string | null | undefined)[]): number => {
    const known = rootsOf(texts.filter(Boolean).join(' '));
    return topics.filter((topic) => roots(topic).some((root) => known.has(root))).length;
  };
}

/**
 * Answers personal questions such as "who do I need to call" from calendar entries and to-do items with these
 * words. Without one, it passes the question on.
 */
export function createRecordQuestions(options: RecordOptions): Responder {
  const { client, data, words, readWords, days, asking, say, clock, whenKnown, onFailure } = options;
  const isAny = (said: readonly Word[], any: readonly string[]) => days.isAny(said, any);
  const hasPhrase = (text: string, phrases: readonly string[]) =>
    phrases.some((phrase) => ` ${text} `.includes(` ${phrase} `));

  const matches = createTopicMatcher(data, readWords);

  const read = (text: string): RecordQuestion | null => {
    const said = readWords(text);
    const plain = joinedWords(said);
    const [first, second] = said.filter(({ word }) => !data.lead.includes(word));
    if (first === undefined || !data.asks.includes(first.word) || isAny(said, words.writes)) return null;
    const [ofLists, ofCalendar] = [isAny(said, data.lists), isAny(said, data.calendars)];
    const isNamed = isAny(said, data.persons) && (ofLists || ofCalendar);
    if (!isNamed && !hasPhrase(plain, data.needs)) return null;
    const isAway = isAny(said, data.leaving) && isAny(said, data.home);
    const isDate = (word: string) =>
      [words.week, words.weekend, words.tonight].some((each) => each.includes(word));
    const topics = said.map(({ word }) => word).filter((word) => !data.idle.includes(word) && !isDate(word));
    if (topics.length === 0 && !isAway && !(isNamed && ofLists)) return null;
    return {
      said,
      topics,
      isAway,
      isNamed,
      isYesNo: data.yes_no.includes(first.word),
      isCount: second !== undefined && data.many.includes(second.word),
      isOfDays: isAny(said, data.day_nouns),
      isOfLists: ofLists && !ofCalendar,
    };
  };

  /** The entries with the most topics; without a named source, only those with all. */
  const best = <T>({ topics, isNamed }: RecordQuestion, all: readonly T[], textsOf: (one: T) => string[]) => {
    const scored = all.map((one) => ({ one, score: matches(topics, textsOf(one)) }));
    const least = isNamed ? 1 : topics.length;
    const most = Math.max(topics.length === 0 ? 0 : least, ...scored.map(({ score }) => score));
    return scored.filter(({ score }) => score === most).map(({ one }) => one);
  };
  const eventTexts = ({ summary, description, location }: CalendarEvent) => [
    summary,
    description ?? '',
    location ?? '',
  ];

  const eventsFor = async ({ said }: RecordQuestion, ask: FactsAsk): Promise<CalendarEvent[]> => {
    const ids = await client.calendars(ask.signal);
    if (ids.length === 0) return [];
    const range = days.read(said, clock(ask.turn.createdAt));
    const to = range.isOpen ? range.from + openDays : range.to;
    return await asking.eventsOn(ids, { ...range, to }, ask);
  };
  const itemsIn = async ({ signal }: FactsAsk): Promise<Item[]> => {
    const lists = await client.lists(signal);
    const all = lists.map(async ({ id, name }) =>
      (await client.listItems(id, signal)).map(({ text }) => ({ list: name, text })),
    );
    return (await Promise.all(all)).flat();
  };

  /** Whether an entry takes place elsewhere. Null: it names no place. */
  const isElsewhere = ({ location }: CalendarEvent): boolean | null =>
    location ? !isAny(readWords(location), data.home) : null;
  const away = (events: readonly CalendarEvent[], ask: FactsAsk): string | null => {
    const out = events.filter((event) => isElsewhere(event) === true);
    if (out.length > 0) return say('yes', { entries: asking.byDay(out, ask) }, ask.turn);
    if (events.length === 0) return null;
    const isHome = events.every((event) => isElsewhere(event) === false);
    return say(isHome ? 'no' : 'no_place', { entries: asking.byDay(events, ask) }, ask.turn);
  };

  const describe = (
    { isCount, isOfDays, isYesNo }: RecordQuestion,
    { events, items }: { events: readonly CalendarEvent[]; items: readonly Item[] },
    ask: FactsAsk,
  ): string => {
    const byList = [...Map.groupBy(items, ({ list }) => list)].map(([list, all]) =>
      say(
        'items',
        { list, items: all.map(({ text }) => foreign(text)).join(words.between_events) },
        ask.turn,
      ),
    );
    const entries = [...(events.length > 0 ? [asking.byDay(events, ask)] : []), ...byList].join(' ');
    const counted = isOfDays ? new Set(events.map(({ start }) => start.slice(0, 10))).size : events.length;
    if (isCount) return say('count', { n: counted + items.length, entries }, ask.turn);
    return isYesNo ? say('yes', { entries }, ask.turn) : entries;
  };

  const answer = async (question: RecordQuestion, ask: FactsAsk): Promise<string | null> => {
    const all = question.isOfLists ? [] : await eventsFor(question, ask);
    if (question.isAway) return away(all, ask);
    const events = question.topics.length === 0 ? [] : best(question, all, eventTexts);
    const items = events.length > 0 ? [] : best(question, await itemsIn(ask), ({ text }) => [text]);
    return events.length + items.length > 0 ? describe(question, { events, items }, ask) : null;
  };

  return {
    name: 'home',
    async respond({ say: speak, ...ask }) {
      const { turn } = ask;
      try {
        if (!turn.isSure) return null;
        const question = read(turn.text);
        const text = await (question ? answer(question, ask) : whenKnown(readWords(turn.text), ask));
        if (text !== null) speak(text);
        return text === null ? null : plainAnswer(text, aside(say('read_out', {}, turn)));
      } catch (error) {
        if (!(error instanceof HomeError)) throw error;
        onFailure(error);
        return null;
      }
    },
  };
}
