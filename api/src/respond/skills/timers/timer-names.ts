import { z } from 'zod';
import type { SaidDate } from '../../../language/calendar/date-reader.ts';
import type { Day } from '../../../language/calendar/day.ts';
import type { DayPart, MomentReader, SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { SaidPeriod } from '../../../language/calendar/period.ts';
import type { SaidTime } from '../../../language/calendar/time-reader.ts';
import { withoutCapital } from '../../../language/capitals.ts';
import type { Duration, DurationReader } from '../../../language/durations/duration-reader.ts';
import { createNameReader } from '../../../language/grammar/name-reader.ts';
import { longestPhraseEnd, phraseEnd } from '../../../language/grammar/phrase-at.ts';
import { remembered } from '../../../language/grammar/remembered.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, textOf, type Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import { type Timer, type TimerKind, timerKinds } from '../../../timers/timer.ts';
import type { SaidWindow } from './timer-span.ts';

const texts = z.array(z.string());

export const timerNameWordsSchema = z.strictObject({
  nouns: z.record(z.enum(timerKinds), texts.min(2)),
  the: texts,
  not_names: texts,
  /** After the verb of a reminder, no person: "remind AGAIN". */
  not_people: texts.default([]),
  /** "Remind ANNA AND ME": words between people, and the speakers themselves. */
  people: z.strictObject({ and: texts, selves: texts }).default({ and: [], selves: [] }),
  /** Part of a name only next to another word of the name: "quiet TIME", "power HOUR". */
  name_parts: texts,
  /** Between two parts of a name: "the meeting WITH Bob". */
  name_links: texts.default([]),
  /** Adjectives of a timer that are not its name: "my SCHEDULED alarms", "my NEXT alarm". */
  qualities: texts,
  /** "the PAUSED timer", by the state. */
  states: z.record(z.enum(['running', 'paused', 'ringing']), texts),
  /** "my RECURRING alarm" */
  recurring: texts.default([]),
  /** "AN alarm" */
  any_one: texts,
  soonest: texts,
  rooms: texts,
  /** "TEMPORIZADOR de pasta": no name comes before the noun. */
  noun_first: z.boolean().default(false),
  /** Singular and plural endings. */
  endings: texts,
  whose: z.string().min(1),
});

type TimerNameWords = z.infer<typeof timerNameWordsSchema>;

const stateNames = ['running', 'paused', 'ringing'] as const;

/** Timer names are short; a longer one is another kind of sentence. */
const maxNameWords = 3;
const maxPersonWords = 2;
const maxPeople = 4;
const maxMomentWords = 8;
const maxArticles = 2;

/** A spoken timer: "the pasta timer", "my alarm", "the five minute timer". */
export interface SaidTimer {
  kind: TimerKind;
  /** "the timers" are all of them, "timers" any at all. */
  several?: 'all' | 'any' | undefined;
  label: string | null;
  duration: Duration | null;
  time: SaidTime | null;
  /** "TOMORROW'S alarm" */
  date?: SaidDate | undefined;
  /** "the alarms for NEXT WEEK" */
  period?: SaidPeriod | undefined;
  /** "the EVENING alarm" */
  part?: DayPart | null;
  /** "the alarms BETWEEN SIX AND NINE" */
  window?: SaidWindow | undefined;
  /** "AN alarm": any one, not an existing one. */
  isIndefinite?: boolean;
  /** "my NEXT alarm" */
  isSoonest?: boolean;
  /** "the PAUSED timer" */
  state?: Timer['state'] | undefined;
  /** "my RECURRING alarm" */
  isRecurring?: boolean;
  /** The words that distinguish it: before the noun, and after it. */
  before?: readonly Word[];
  behind?: readonly Word[];
}

interface TimerNamesOptions {
  words: TimerNameWords;
  /** Signs of an infinitive: "Bob anZUrufen" and "Bob anrufen" are the same name. */
  infinitiveSigns: readonly string[];
  numbers: NumberReader;
  durations: DurationReader;
  moments: MomentReader;
  /** Whether a day, part of a day, or frequency starts at this word. */
  isWhen: (said: readonly Word[], at: number) => boolean;
}

/** Reads names of timers, and words for existing timers. */
export function createTimerNames({
  words,
  infinitiveSigns,
  numbers,
  durations,
  moments,
  isWhen,
}: TimerNamesOptions) {
  const notNames = new Set([
    ...words.not_names,
    ...qualitiesOf(words).flatMap((phrase) => phrase.split(' ')),
  ]);
  const articles = new Set(words.the);
  const nounAt = createNounReader(words);
  const plurals = pluralsOf(words);
  const linked = withLinks(words.name_links);

  /** Two of them follow each other in "il mio timer". */
  const skipArticle = (said: readonly Word[], from: number): number => {
    let at = from;
    while (at < from + maxArticles && articles.has(said[at]?.word ?? '')) at += 1;
    return at;
  };
  const isNameWord = (said: readonly Word[], at: number): boolean => {
    const isPart = words.name_parts.includes(said[at]?.word ?? '');
    return isPart ? [at - 1, at + 1].some((beside) => isOwnName(said, beside)) : isOwnName(said, at);
  };
  const isOwnName = (said: readonly Word[], at: number): boolean => {
    const word = said[at]?.word ?? '';
    if (word === '' || notNames.has(word) || !/\p{L}/u.test(word)) return false;
    return numbers.read(said, at) === null && !durations.isUnit(word);
  };

  /** The possible ends of a name that starts here: after each of its first words. */
  const nameEnds = (said: readonly Word[], from: number): number[] => {
    const at = skipArticle(said, from);
    const ends: number[] = [];
    for (let end = at; end < at + maxNameWords && isNameWord(said, end); end += 1) {
      if (end > at && said[end]?.gap !== '') break;
      ends.push(end + 1);
    }
    return ends;
  };

  /** The same for a new name, which must not contain a day. */
  const newNameEnds = (said: readonly Word[], from: number): number[] =>
    nameEnds(said, from).filter((end) => {
      const name = said.slice(0, end);
      return !name.some((_, at) => at >= from && isWhen(name, at));
    });

  /** "pasta timer", including names of several words. */
  const namedAt = (said: readonly Word[], at: number): Read<{ kind: TimerKind; label: string }> | null => {
    if (words.noun_first || articles.has(said[at]?.word ?? '')) return null;
    for (const end of linked(nameEnds)(said, at)) {
      const noun = nounAt(said, end);
      if (noun)
        return { value: { kind: noun.value, label: joinedWords(said.slice(at, end)) }, end: noun.end };
    }
    return null;
  };

  /** "the timers" and "timers", if the noun that ends here is plural. */
  const severalAt = (said: readonly Word[], from: number, end: number): Pick<SaidTimer, 'several'> => {
    if (!plurals.has(said[end - 1]?.word ?? '')) return {};
    return { several: skipArticle(said, from) > from ? 'all' : 'any' };
  };

  const describedAt = createDescriptionReader({ words, durations, moments }, { nounAt, skipArticle });
  const readNew = (said: readonly Word[], from: number): Read<SaidTimer> | null => {
    const { value, end } = describedAt(said, from);
    const { duration, moment, isSoonest, isRecurring, state } = value;
    const isIndefinite = words.any_one.includes(said[from]?.word ?? '');
    const about = {
      duration,
      time: null,
      ...moment,
      isSoonest,
      state,
      ...(isIndefinite && { isIndefinite }),
      ...(isRecurring && { isRecurring }),
    };
    const plain = nounAt(said, end);
    if (plain) {
      const several = severalAt(said, from, plain.end);
      // "two timers"
      if (several.several && moment?.time?.isPlain === false) return null;
      const { before } = value;
      return { value: { kind: plain.value, label: null, ...about, before, ...several }, end: plain.end };
    }
    const named = namedAt(said, end);
    if (!named) return null;
    const before = [...value.before, ...said.slice(end, end + named.value.label.split(' ').length)];
    return { value: { ...named.value, ...about, before }, end: named.end };
  };

  const readTimer = remembered(readNew);

  return {
    /** The timers that have this name. */
    withLabel: (timers: readonly Timer[], label: string): Timer[] =>
      withLabel(timers, label, { ...words, infinitiveSigns }),
    readTimer,
    isNameWord,
    numberedSlot: createNumberedSlot({ isNameWord, isWhen, skipArticle }),
    nameSlot: { costPerWord: 2, isLoose: true, ends: linked(newNameEnds) } satisfies SlotType,
    personSlot: createPersonSlot({ words, newNameEnds, skipArticle }),
    roomSlot: createRoomSlot(words.rooms),
    isName: (said: readonly Word[]) =>
      said.slice(skipArticle(said, 0)).every((_, at, all) => isNameWord(all, at)),
    isRoom: (name: string) => words.rooms.includes(name.toLowerCase()),
    /** A spoken name without its article. */
    labelIn: (text: string, said: readonly Word[]): string | null => {
      const named = said.slice(skipArticle(said, 0));
      if (named.length === 0) return null;
      const label = textOf(text, named);
      // A capital at the start of the sentence is not part of the name.
      return named[0]?.start === 0 ? withoutCapital(label) : label;
    },
  };
}

type NameEnds = (said: readonly Word[], from: number) => number[];

/** The ends of names, also with a second part: "the meeting with Bob". */
function withLinks(links: readonly string[]) {
  return (endsOf: NameEnds): NameEnds =>
    (said, from) => {
      const ends = endsOf(said, from);
      const linked = ends.filter((end) => links.includes(said[end]?.word ?? ''));
      return [...ends, ...linked.flatMap((link) => endsOf(said, link + 1))];
    };
}

/** "Remind ANNA", "remind THE KIDS", "remind ANNA AND ME". */
function createPersonSlot({
  words,
  newNameEnds,
  skipArticle,
}: Pick<TimerNamesOptions, 'words'> & {
  newNameEnds: (said: readonly Word[], from: number) => number[];
  skipArticle: (said: readonly Word[], from: number) => number;
}): SlotType {
  const { and, selves } = words.people;
  const isSelf = (said: readonly Word[], at: number) => selves.includes(said[at]?.word ?? '');
  const nameEnds = (said: readonly Word[], from: number): number[] => {
    const at = skipArticle(said, from);
    if (words.not_people.includes(said[at]?.word ?? '')) return [];
    return newNameEnds(said, from).filter((end) => end - at <= maxPersonWords);
  };
  const joinedEnds = (said: readonly Word[], from: number, count = 1): number[] => {
    const ends = isSelf(said, from) ? [from + 1] : nameEnds(said, from);
    const more = ends.flatMap((end) => {
      const next = longestPhraseEnd(and, said, end) ?? (said[end]?.gap === ',' ? end : null);
      return next === null || count === maxPeople ? [] : joinedEnds(said, next, count + 1);
    });
    return [...ends, ...more];
  };
  return {
    costPerWord: 2,
    ends: (said, from) => [
      ...new Set(joinedEnds(said, from).filter((end) => end > from + 1 || !isSelf(said, from))),
    ],
  };
}

/** "the number 5 bus", "the 45 bus": a new name with a number, after an article or a word. */
function createNumberedSlot({
  isNameWord,
  isWhen,
  skipArticle,
}: Pick<TimerNamesOptions, 'isWhen'> & {
  isNameWord: (said: readonly Word[], at: number) => boolean;
  skipArticle: (said: readonly Word[], from: number) => number;
}): SlotType {
  const isNumber = (word: Word | undefined) => /^\d{1,4}$/.test(word?.word ?? '');
  const isNew = (name: readonly Word[], { at, from }: { at: number; from: number }): boolean => {
    const words = name.slice(at);
    const isNumbered = words.some(isNumber) && words.some((word) => !isNumber(word));
    const isSure = at > from || !isNumber(words[0]);
    return isNumbered && isSure && !words.some((_, each) => isWhen(name, at + each));
  };
  const endsAt = (said: readonly Word[], from: number): number[] => {
    const at = skipArticle(said, from);
    const ends: number[] = [];
    for (let end = at; end < at + maxNameWords; end += 1) {
      if (!isNameWord(said, end) && !isNumber(said[end])) break;
      if (end > at && said[end]?.gap !== '') break;
      ends.push(end + 1);
    }
    return ends.filter((end) => isNew(said.slice(0, end), { at, from }));
  };
  return { costPerWord: 3, isLoose: true, ends: endsAt };
}

function createRoomSlot(rooms: readonly string[]): SlotType {
  const roomAt = createNameReader(new Map(rooms.map((room) => [room, room])));
  return {
    ends(said, from) {
      const room = roomAt(said, from);
      return room ? [room.end] : [];
    },
  };
}

interface Description {
  duration: Duration | null;
  moment: TimerMoment | null;
  isSoonest: boolean;
  isRecurring?: boolean;
  state?: Timer['state'] | undefined;
  before: readonly Word[];
}

/** Adjectives that describe a timer. */
function qualitiesOf({ qualities, soonest, recurring, states }: TimerNameWords): string[] {
  return [...qualities, ...soonest, ...recurring, ...states.running, ...states.paused, ...states.ringing];
}

/** Reads the longest noun at a word. */
function createNounReader(words: Pick<TimerNameWords, 'nouns'>) {
  const nouns = timerKinds.flatMap((kind) => words.nouns[kind].map((noun) => ({ kind, noun })));
  return (said: readonly Word[], at: number): Read<TimerKind> | null => {
    const ends = nouns.flatMap(({ kind, noun }) => {
      const end = phraseEnd(noun, said, at);
      return end === null ? [] : [{ value: kind, end }];
    });
    return ends.toSorted((one, other) => other.end - one.end)[0] ?? null;
  };
}

/** The last words of the plural nouns. Each kind lists its singular and its plural first. */
function pluralsOf({ nouns, endings }: Pick<TimerNameWords, 'nouns' | 'endings'>): ReadonlySet<string> {
  const lastWordOf = (noun: string) => noun.split(' ').at(-1) ?? '';
  const lastWords = new Set(timerKinds.flatMap((kind) => nouns[kind].map(lastWordOf)));
  // "sveglie" is not "sveglia" with an ending.
  const listed = timerKinds.flatMap((kind) => {
    const [one, several] = nouns[kind].map((noun) => lastWordOf(noun.toLowerCase()));
    return several === undefined || several === one ? [] : [several];
  });
  const ending = [...lastWords].filter((word) =>
    endings.some((end) => lastWords.has(withoutEnd(word, end) ?? '')),
  );
  return new Set([...listed, ...ending]);
}

/** Reads the words before a noun, or before a name and its noun: "my next", "tomorrow evening's". */
function createDescriptionReader(
  { words, durations, moments }: Pick<TimerNamesOptions, 'words' | 'durations' | 'moments'>,
  at: {
    nounAt: (said: readonly Word[], at: number) => Read<TimerKind> | null;
    skipArticle: (said: readonly Word[], at: number) => number;
  },
) {
  const qualities = qualitiesOf(words);
  const stateAt = (said: readonly Word[], at: number): Timer['state'] | undefined =>
    stateNames.find((state) => longestPhraseEnd(words.states[state], said, at) !== null);

  /** "tomorrow evening's" and "8 pm" before a noun. */
  const momentAt = (said: readonly Word[], at: number): Read<TimerMoment> | null => {
    // Only a few words, because moments are short.
    const plain = said.slice(at, at + maxMomentWords).map((each) => {
      const word = withoutEnd(each.word, words.whose);
      return word === null ? each : { ...each, word };
    });
    const found = moments.readBare(plain, 0);
    const moment = found && timerMoment(found.value);
    return moment && { value: moment, end: at + found.end };
  };

  /** Adds its duration or due time, which the person gives only once. */
  const withTime = (said: readonly Word[], { value, end }: Read<Description>): Read<Description> | null => {
    if (value.duration ?? value.moment) return null;
    const duration = durations.read(said, end);
    const moment = duration ? null : momentAt(said, end);
    const read = duration ?? moment;
    if (!read) return null;
    const more = { duration: duration?.value ?? null, moment: moment?.value ?? null };
    return { value: { ...value, ...more, before: said.slice(end, read.end) }, end: read.end };
  };
  const withQuality = (
    said: readonly Word[],
    { value, end }: Read<Description>,
  ): Read<Description> | null => {
    const quality = longestPhraseEnd(qualities, said, end);
    if (quality === null) return null;
    const isSoonest = value.isSoonest || longestPhraseEnd(words.soonest, said, end) !== null;
    const isRecurring = value.isRecurring || longestPhraseEnd(words.recurring, said, end) !== null;
    const found = stateAt(said, end);
    const isTold = found !== undefined || isRecurring;
    const before = isTold ? [...value.before, ...said.slice(end, quality)] : value.before;
    return { value: { ...value, isSoonest, isRecurring, before, state: found ?? value.state }, end: quality };
  };
  return (said: readonly Word[], from: number): Read<Description> => {
    let found: Read<Description> = {
      value: { duration: null, moment: null, isSoonest: false, before: [] },
      end: at.skipArticle(said, from),
    };
    while (found.end < said.length && !at.nounAt(said, found.end)) {
      const more = withTime(said, found) ?? withQuality(said, found);
      if (!more) break;
      found = more;
    }
    return found;
  };
}

type TimerMoment = Pick<SaidTimer, 'time' | 'date' | 'part' | 'period'>;

/** The spoken time of day at which a timer rings. Null: none. */
export function timerMoment({ after, date, isToday, time, part, period }: SaidMoment): TimerMoment | null {
  if (after !== null) return null;
  const day = date ?? (isToday ? (today: Day) => today : undefined);
  return { time, part, date: day, period };
}

function withoutEnd(word: string, end: string): string | null {
  return word.endsWith(end) && word.length > end.length ? word.slice(0, -end.length) : null;
}

/** The timers with exactly this name, or with all its words. */
function withLabel(timers: readonly Timer[], label: string, forms: NameForms): Timer[] {
  const wanted = stems(label, forms);
  const found = timers.map((timer) => ({ timer, there: stems(timer.label ?? '', forms) }));
  const having = found.filter(({ there }) => wanted.every((word) => there.includes(word)));
  const same = having.filter(({ there }) => there.length === wanted.length);
  return (same.length > 0 ? same : having).map(({ timer }) => timer);
}

type NameForms = Pick<TimerNameWords, 'endings' | 'whose'> & Pick<TimerNamesOptions, 'infinitiveSigns'>;

/** The letters before and after the sign inside an infinitive: "anZUrufen". */
const minAround = 2;

/** The place of the sign inside an infinitive. -1: there is none. */
export function signInside(sign: string, word: string): number {
  const at = word.indexOf(sign, minAround);
  return at > 0 && word.length - at - sign.length >= minAround ? at : -1;
}

/** "anzurufen" is "anrufen". */
function withoutSign(word: string, signs: readonly string[]): string {
  const sign = signs.find((each) => signInside(each, word) > 0);
  if (sign === undefined) return word;
  const at = signInside(sign, word);
  return word.slice(0, at) + word.slice(at + sign.length);
}

/** The word stems that make two names equal: "eggs" and "egg". */
function stems(label: string, { endings, whose, infinitiveSigns: signs }: NameForms): string[] {
  const text = label.toLowerCase().replaceAll('’', "'");
  const name = text.endsWith(whose) ? text.slice(0, -whose.length) : text;
  const words = (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => !signs.includes(word));
  return words.map((joint) => {
    const word = withoutSign(joint, signs);
    const ending = endings.find((each) => word.endsWith(each) && word.length > each.length + 2);
    return ending === undefined ? word : word.slice(0, -ending.length);
  });
}
