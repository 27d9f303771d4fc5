import type { MomentReader, SaidMoment } from '../../language/calendar/moment-reader.ts';
import { withCapital } from '../../language/capitals.ts';
import type { DurationReader } from '../../language/durations/duration-reader.ts';
import { longestPhraseEnd } from '../../language/grammar/phrase-at.ts';
import { textOf, type Word } from '../../language/grammar/words.ts';
import type { Read } from '../../language/numbers/number-reader.ts';
import type { CalendarWords } from './calendar-shape.ts';

/** The times of an entry, as spoken. */
export interface SaidTimes {
  from: SaidMoment | null;
  to: SaidMoment | null;
  lastsMs: number | null;
  isWholeDay: boolean;
}

export interface SaidEntry extends SaidTimes {
  /** Empty: the person said "appointment" or gave no name. */
  title: string;
  /** The spoken kind of entry: "meeting". Empty: none. */
  noun: string;
  /** A calendar's name; empty: none. */
  calendar: string;
  /** It refers to an earlier entry: "it", "this event". */
  isPointing: boolean;
}

type Verb = 'add' | 'remove' | 'move';

/** A fully understood change of a calendar. */
export type CalendarRequest =
  | { verb: 'add'; entry: SaidEntry }
  | { verb: 'remove'; entry: SaidEntry; isNext: boolean }
  | { verb: 'move'; entry: SaidEntry; isNext: boolean; by: number | null; to: SaidTimes | null };

/** Why the request is refused. */
type RequestFault = 'unclear' | 'repeats' | 'one_by_one' | 'rooms';

const noTimes: SaidTimes = { from: null, to: null, lastsMs: null, isWholeDay: false };
const maxTitleWords = 12;

/** "tomorrow's meeting": the meeting of tomorrow. */
function ofDays(said: readonly Word[], { days_of }: Pick<CalendarWords, 'days_of'>): Word[] {
  return said.map((each) => ({ ...each, word: days_of[each.word] ?? each.word }));
}

/** "the next SOCCER PRACTICE" */
function behindNext(
  said: readonly Word[],
  { articles, nextWords }: { articles: readonly string[]; nextWords: ReadonlySet<string | undefined> },
): readonly Word[] {
  const at = said.findIndex(({ word }) => !articles.includes(word));
  return nextWords.has(said[at]?.word) ? said.slice(at + 1) : said;
}

interface RequestOptions {
  words: CalendarWords;
  fillers: readonly string[];
  moments: MomentReader;
  durations: DurationReader;
}

/** Reads a calendar change. Every word must have a meaning; a leftover word makes the request unclear. */
export function createCalendarRequests({ words, fillers, moments, durations }: RequestOptions) {
  const starts = new Set([...fillers, ...words.leads]);
  const has = (said: readonly Word[], any: readonly string[]) =>
    said.some((_, at) => longestPhraseEnd(any, said, at) !== null);
  const times = createTimesReader({ words, moments, durations });
  const readEntry = createEntryReader({ words, times });

  const nextWords = new Set(words.next.map((phrase) => phrase.split(' ')[0]));
  const withoutNext = (said: readonly Word[]) => said.filter(({ word }) => !nextWords.has(word));

  /** "when is THE DENTIST": the entry's name. */
  const nameAsked = (said: readonly Word[], text: string): SaidEntry | null => {
    for (let at = 0; at < said.length; at += 1) {
      const from = longestPhraseEnd(words.asks_when, said, at);
      if (from === null) continue;
      const rest = ofDays(said.slice(from), words);
      const last = rest.findLastIndex(
        (_, place) => longestPhraseEnd(words.asked_edges, rest, place) === null,
      );
      const named = rest.slice(0, last + 1);
      const entry = has(rest, words.next)
        ? null
        : readEntry(behindNext(named, { ...words, nextWords }), text);
      return entry && entry.title !== '' ? entry : null;
    }
    return null;
  };

  const verbAt = (said: readonly Word[], at: number): Read<Verb> | null => {
    const all = { add: words.adds, remove: words.removes, move: words.moves };
    const verbs = ['add', 'remove', 'move'] as const;
    const found = verbs.flatMap((verb) => {
      const end = longestPhraseEnd(all[verb], said, at);
      return end === null ? [] : [{ value: verb, end }];
    });
    return found.toSorted((one, other) => other.end - one.end)[0] ?? null;
  };

  /** Skips "could you please" and returns the verb's position. */
  const begin = (said: readonly Word[]): Read<Verb> | null => {
    for (let at = 0; at < said.length; at += 1) {
      const verb = verbAt(said, at);
      if (verb) return verb;
      const wish = longestPhraseEnd(words.wishes, said, at);
      if (wish !== null) return { value: 'add', end: wish };
      if (!starts.has(said[at]?.word ?? '')) return null;
    }
    return null;
  };

  /** "to Friday at three", at the very end: the last position from which all words form a moment. */
  const goalIn = (said: readonly Word[]): { at: number; times: SaidTimes } | null => {
    for (let at = 0; at < said.length; at += 1) {
      const from = longestPhraseEnd(words.to, said, at) ?? longestPhraseEnd(words.before_moment, said, at);
      if (from === null) continue;
      const found = times.all(said.slice(from));
      if (found) return { at, times: found };
    }
    return null;
  };

  /** "by half an hour", at the very end. */
  const shiftIn = (said: readonly Word[]): { at: number; by: number } | null => {
    for (let at = 0; at < said.length; at += 1) {
      const from = longestPhraseEnd(words.shift_by, said, at);
      const length = from === null ? null : durations.read(said, from);
      if (!length) continue;
      const sign = has(said, words.earlier) ? -1 : 1;
      const end = longestPhraseEnd(words.earlier, said, length.end) ?? length.end;
      if (end === said.length) return { at, by: sign * length.value.ms };
    }
    return null;
  };

  const move = (said: readonly Word[], text: string): CalendarRequest | RequestFault => {
    const shift = shiftIn(said);
    const goal = shift ? null : goalIn(said);
    const at = shift?.at ?? goal?.at;
    if (at === undefined) return 'unclear';
    const named = said.slice(0, at);
    const isNext = has(named, words.next);
    const entry = readEntry(isNext ? withoutNext(named) : named, text);
    if (!entry) return 'unclear';
    return { verb: 'move', entry, isNext, by: shift?.by ?? null, to: goal?.times ?? null };
  };

  const faultOf = (verb: Verb, said: readonly Word[]): RequestFault | null => {
    if (has(said, words.repeats)) return 'repeats';
    if (has(said, words.foreign)) return 'unclear';
    return verb !== 'add' && has(said, words.all) ? 'one_by_one' : null;
  };

  const request = (verb: Verb, said: readonly Word[], text: string): CalendarRequest | RequestFault => {
    const fault = faultOf(verb, said);
    if (fault) return fault;
    if (verb === 'move') return move(said, text);
    const isNext = verb === 'remove' && has(said, words.next);
    const entry = readEntry(isNext ? withoutNext(said) : said, text);
    if (!entry) return 'unclear';
    return verb === 'add' ? { verb, entry } : { verb, entry, isNext };
  };

  return {
    /** Null: it changes nothing. */
    read(said: readonly Word[], text: string): CalendarRequest | RequestFault | null {
      if (has(said, words.rooms)) return 'rooms';
      const verb = begin(said);
      return verb && request(verb.value, ofDays(said.slice(verb.end), words), text);
    },
    nameAsked,
    isOfRooms: (said: readonly Word[]): boolean => has(said, words.rooms),
    /** Reads a whole answer to "when?"; null if it does not fit. */
    timesOf: (said: readonly Word[]): SaidTimes | null => times.all(said),
  };
}

type TimesOptions = Pick<RequestOptions, 'words' | 'moments' | 'durations'>;

/** Reads the times in a sentence, one at a time. */
function createTimesReader({ words, moments, durations }: TimesOptions) {
  /** "from three to four": reads the part before "to" separately, because "three to four" is also a time. */
  const span = (said: readonly Word[], at: number): Read<SaidTimes> | null => {
    const begin = longestPhraseEnd(words.from, said, at);
    if (begin === null) return null;
    for (let middle = begin + 1; middle < said.length; middle += 1) {
      const behind = longestPhraseEnd(words.to, said, middle);
      const from = behind === null ? null : moments.readBare(said.slice(begin, middle), 0);
      if (behind === null || from?.end !== middle - begin) continue;
      const to = moments.readBare(said, behind);
      if (to) return { value: { ...noTimes, from: from.value, to: to.value }, end: to.end };
    }
    return null;
  };
  const lasting = (said: readonly Word[], at: number): Read<SaidTimes> | null => {
    const from = longestPhraseEnd(words.lasting, said, at);
    const found = from === null ? null : durations.read(said, from);
    return found && { value: { ...noTimes, lastsMs: found.value.ms }, end: found.end };
  };
  const wholeDay = (said: readonly Word[], at: number): Read<SaidTimes> | null => {
    const end = longestPhraseEnd(words.whole_day, said, at);
    return end === null ? null : { value: { ...noTimes, isWholeDay: true }, end };
  };
  const moment = (said: readonly Word[], at: number): Read<SaidTimes> | null => {
    const plain = moments.read(said, at);
    if (plain) return { value: { ...noTimes, from: plain.value }, end: plain.end };
    const from = longestPhraseEnd(words.before_moment, said, at);
    const found = from === null ? null : moments.readBare(said, from);
    return found && { value: { ...noTimes, from: found.value }, end: found.end };
  };

  const at = (said: readonly Word[], place: number): Read<SaidTimes> | null =>
    span(said, place) ?? wholeDay(said, place) ?? lasting(said, place) ?? moment(said, place);

  return {
    at,
    /** Reads words that contain only times. A single time may be a bare number. */
    all(said: readonly Word[]): SaidTimes | null {
      const bare = moments.readBare(said, 0);
      const first = bare && { value: { ...noTimes, from: bare.value }, end: bare.end };
      if (first?.end === said.length) return first.value;
      let known: Read<SaidTimes> | null = at(said, 0) ?? first;
      while (known && known.end < said.length) {
        const next: Read<SaidTimes> | null = at(said, known.end);
        const value: SaidTimes | null = next && mergedTimes(known.value, next.value);
        known = next && value && { value, end: next.end };
      }
      return known?.value ?? null;
    },
  };
}

/** Merges two parts of the same times. Null: they contradict each other. */
export function mergedTimes(one: SaidTimes, other: SaidTimes): SaidTimes | null {
  const from = mergedMoments(one.from, other.from);
  if (from === undefined || (one.to && other.to) || (one.lastsMs !== null && other.lastsMs !== null))
    return null;
  return {
    from,
    to: one.to ?? other.to,
    lastsMs: one.lastsMs ?? other.lastsMs,
    isWholeDay: one.isWholeDay || other.isWholeDay,
  };
}

function mergedMoments(one: SaidMoment | null, other: SaidMoment | null): SaidMoment | null | undefined {
  if (!one || !other) return one ?? other;
  const hasDay = ({ date, after, isToday }: SaidMoment) => date !== null || after !== null || isToday;
  if (hasDay(one) && hasDay(other)) return undefined;
  if ((one.time && other.time) || (one.part && other.part)) return undefined;
  const day = hasDay(one) ? one : other;
  const { after, date, isToday } = day;
  return { after, date, isToday, time: one.time ?? other.time, part: one.part ?? other.part };
}

interface EntryOptions {
  words: CalendarWords;
  times: ReturnType<typeof createTimesReader>;
}

/** Reads an entry: finds its times and calendar anywhere, and takes the rest as its name. */
function createEntryReader({ words, times }: EntryOptions) {
  const isOneOf = (word: Word | undefined, any: readonly string[]) => any.includes(word?.word ?? '');

  /** "on my calendar", "to the family calendar": returns the words of the calendar's name. */
  const calendarAt = (said: readonly Word[], at: number): Read<readonly Word[]> | null => {
    const onto = longestPhraseEnd(words.onto, said, at);
    if (onto === null) return null;
    for (let end = onto; end < said.length && end - onto < 4; end += 1) {
      // A day cannot be part of a calendar's name: "on Friday to my calendar".
      if (end > onto && (isOneOf(said[end], words.onto) || times.at(said, end))) return null;
      if (!isOneOf(said[end], words.calendars)) continue;
      const name = said.slice(onto, end).filter((word) => !isOneOf(word, words.articles));
      return { value: name, end: end + 1 };
    }
    return null;
  };

  /** Trims words at both ends that cannot belong to a name. */
  const trimmed = (said: readonly Word[]): readonly Word[] => {
    const isEdge = (word: Word) => isOneOf(word, words.edges) || isOneOf(word, words.articles);
    const from = said.findIndex((word) => !isEdge(word));
    const to = said.findLastIndex((word) => !isOneOf(word, words.edges));
    return from < 0 ? [] : said.slice(from, to + 1);
  };

  /** Finds the name and the kind of entry in the parts. Null: the parts do not fit together. */
  const named = (parts: readonly (readonly Word[])[], text: string) => {
    const [first = [], ...more] = parts.filter((part) => trimmed(part).length > 0);
    const isJoined = more.every((part) => isOneOf(part[0], words.joins) || isOneOf(part[0], words.called));
    if (!isJoined) return null;
    const whole = [trimmed(first), ...more].filter((part) => part.length > 0);
    const all = whole.flat();
    const start = longestPhraseEnd(words.nouns, all, 0) ?? 0;
    const noun = all.slice(0, start);
    const rest = all.slice(start);
    const isCalled = isOneOf(rest[0], words.called);
    const isBare = rest.length === 0;
    const title = isCalled ? trimmed(rest.slice(1)) : isBare ? [] : all;
    if (title.length > maxTitleWords || title.some((word) => isOneOf(word, words.never))) return null;
    const shown = title.length === 0 ? '' : titleOf(title, text);
    return { title: withCapital(shown), noun: textOf(text, noun), words: title };
  };

  type Piece = { end: number; calendar?: readonly Word[]; times?: SaidTimes };
  const pieceAt = (said: readonly Word[], at: number): Piece | null => {
    const calendar = calendarAt(said, at);
    if (calendar) return { end: calendar.end, calendar: calendar.value };
    const found = times.at(said, at);
    return found && { end: found.end, times: found.value };
  };

  /** Splits off the times and the calendar, and returns the remaining parts of the name. */
  const pieces = (said: readonly Word[]) => {
    const parts: Word[][] = [[]];
    const found: Piece[] = [];
    for (let at = 0; at < said.length; ) {
      const piece = pieceAt(said, at);
      if (piece) found.push(piece);
      if (piece) parts.push([]);
      else parts.at(-1)?.push(...said.slice(at, at + 1));
      at = piece?.end ?? at + 1;
    }
    const calendar = found.findLast((piece) => piece.calendar)?.calendar ?? [];
    return { parts, found: found.flatMap((piece) => piece.times ?? []), calendar };
  };

  return (said: readonly Word[], text: string): SaidEntry | null => {
    const { parts, found, calendar } = pieces(said);
    const known = found.reduce<SaidTimes | null>((all, each) => all && mergedTimes(all, each), noTimes);
    const name = named(parts, text);
    if (!known || !name) return null;
    const isPointing = name.words.length > 0 && name.words.every((word) => isOneOf(word, words.pointing));
    return {
      ...known,
      ...{ title: name.title, noun: name.noun, calendar: textOf(text, calendar), isPointing },
    };
  };
}

/** The name as written; separate parts are joined. */
function titleOf(title: readonly Word[], text: string): string {
  const runs: Word[][] = [];
  for (const word of title) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    const isNext = before !== undefined && text.slice(before.end, word.start).trim() === '';
    if (last && isNext) last.push(word);
    else runs.push([word]);
  }
  return runs.map((run) => textOf(text, run)).join(' ');
}
