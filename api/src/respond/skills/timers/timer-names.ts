import { z } from 'zod';
import type { DateReader, SaidDate } from '../../../language/calendar/date-reader.ts';
import type { DayPart } from '../../../language/calendar/moment-reader.ts';
import type { SaidTime, TimeReader } from '../../../language/calendar/time-reader.ts';
import { withoutCapital } from '../../../language/capitals.ts';
import type { Duration, DurationReader } from '../../../language/durations/duration-reader.ts';
import { createNameReader } from '../../../language/grammar/name-reader.ts';
import { phraseEnd } from '../../../language/grammar/phrase-at.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, textOf, type Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import { type Timer, type TimerKind, timerKinds } from '../../../timers/timer.ts';

const texts = z.array(z.string());

export const timerNameWordsSchema = z.strictObject({
  nouns: z.record(z.enum(timerKinds), texts.min(2)),
  the: texts,
  not_names: texts,
  /** What may be said of any timer, and is no name of one: "the ACTIVE timers". */
  qualities: texts,
  rooms: texts,
  /** Of words that may be said of one and of several. */
  endings: texts,
  whose: z.string().min(1),
});

type TimerNameWords = z.infer<typeof timerNameWordsSchema>;

/** Names of timers are short; a longer one is a sentence that was meant otherwise. */
const mostNameWords = 3;

/** A timer as someone speaks of it: "the pasta timer", "my alarm", "the five minute timer". */
export interface SaidTimer {
  kind: TimerKind;
  /** "the timers" are all of them, "timers" any at all. */
  several?: 'all' | 'any' | undefined;
  label: string | null;
  duration: Duration | null;
  time: SaidTime | null;
  /** "TOMORROW'S alarm" */
  date?: SaidDate | undefined;
  /** "my alarm for the EVENING" */
  part?: DayPart | undefined;
}

interface TimerNamesOptions {
  words: TimerNameWords;
  numbers: NumberReader;
  durations: DurationReader;
  times: TimeReader;
  dates: DateReader;
}

export type TimerNames = ReturnType<typeof createTimerNames>;

/** Reads names of timers, and words for existing timers. */
export function createTimerNames({ words, numbers, durations, times, dates }: TimerNamesOptions) {
  const notNames = new Set([...words.not_names, ...words.qualities]);
  const qualities = new Set(words.qualities);
  const articles = new Set(words.the);
  const nouns = timerKinds.flatMap((kind) => words.nouns[kind].map((noun) => ({ kind, noun })));
  const plurals = new Set(timerKinds.flatMap((kind) => words.nouns[kind][1]?.split(' ').at(-1) ?? []));
  const rooms = new Set(words.rooms);
  const roomAt = createNameReader(new Map(words.rooms.map((room) => [room, room])));

  const nounAt = (said: readonly Word[], at: number): Read<TimerKind> | null => {
    const ends = nouns.flatMap(({ kind, noun }) => {
      const end = phraseEnd(noun, said, at);
      return end === null ? [] : [{ value: kind, end }];
    });
    return ends.toSorted((one, other) => other.end - one.end)[0] ?? null;
  };
  const skipArticle = (said: readonly Word[], at: number): number =>
    articles.has(said[at]?.word ?? '') ? at + 1 : at;
  const skipQualities = (said: readonly Word[], from: number): number => {
    let at = from;
    while (qualities.has(said[at]?.word ?? '')) at += 1;
    return at;
  };
  const isNameWord = (said: readonly Word[], at: number): boolean => {
    const word = said[at]?.word ?? '';
    if (word === '' || notNames.has(word) || !/\p{L}/u.test(word)) return false;
    return numbers.read(said, at) === null && !durations.isUnit(word);
  };

  /** Where a name that begins here may end: behind each of its first words. */
  const nameEnds = (said: readonly Word[], from: number): number[] => {
    const at = skipArticle(said, from);
    const ends: number[] = [];
    for (let end = at; end < at + mostNameWords && isNameWord(said, end); end += 1) {
      if (end > at && said[end]?.gap !== '') break;
      ends.push(end + 1);
    }
    return ends;
  };

  /** "pasta timer", the name of several words too. */
  const namedAt = (said: readonly Word[], at: number): Read<{ kind: TimerKind; label: string }> | null => {
    if (articles.has(said[at]?.word ?? '')) return null;
    for (const end of nameEnds(said, at)) {
      const noun = nounAt(said, end);
      if (noun)
        return { value: { kind: noun.value, label: joinedWords(said.slice(at, end)) }, end: noun.end };
    }
    return null;
  };

  /** "the timers" and "timers", as far as the noun that ends here is one of several. */
  const severalAt = (said: readonly Word[], from: number, end: number): Pick<SaidTimer, 'several'> => {
    if (!plurals.has(said[end - 1]?.word ?? '')) return {};
    return { several: skipArticle(said, from) > from ? 'all' : 'any' };
  };

  const readTimer = (said: readonly Word[], from: number): Read<SaidTimer> | null => {
    const date = dates.read(said, skipQualities(said, skipArticle(said, from)));
    const at = skipQualities(said, date?.end ?? skipArticle(said, from));
    const duration = durations.read(said, at);
    const time = duration ? null : times.read(said, at);
    const end = duration?.end ?? time?.end ?? at;
    const about = { duration: duration?.value ?? null, time: time?.value ?? null, date: date?.value };
    const plain = nounAt(said, end);
    if (plain) {
      const several = severalAt(said, from, plain.end);
      return { value: { kind: plain.value, label: null, ...about, ...several }, end: plain.end };
    }
    const named = time ? null : namedAt(said, end);
    return named && { value: { ...named.value, ...about }, end: named.end };
  };

  return {
    /** Of some timers those with a name. */
    withLabel: (timers: readonly Timer[], label: string): Timer[] => withLabel(timers, label, words),
    readTimer,
    nameSlot: { costPerWord: 2, isLoose: true, ends: nameEnds } satisfies SlotType,
    roomSlot: {
      ends(said, from) {
        const room = roomAt(said, from);
        return room ? [room.end] : [];
      },
    } satisfies SlotType,
    isRoom: (name: string) => rooms.has(name.toLowerCase()),
    /** A name as it was said, without its article. */
    labelIn: (text: string, said: readonly Word[]): string | null => {
      const named = said.slice(skipArticle(said, 0));
      if (named.length === 0) return null;
      const label = textOf(text, named);
      // The capital of a sentence's first word is not part of the name.
      return named[0]?.start === 0 ? withoutCapital(label) : label;
    },
  };
}

/** Of some timers those with a name: just that, or one that has all its words. */
function withLabel(timers: readonly Timer[], label: string, forms: NameForms): Timer[] {
  const wanted = stems(label, forms);
  const found = timers.map((timer) => ({ timer, there: stems(timer.label ?? '', forms) }));
  const having = found.filter(({ there }) => wanted.every((word) => there.includes(word)));
  const same = having.filter(({ there }) => there.length === wanted.length);
  return (same.length > 0 ? same : having).map(({ timer }) => timer);
}

type NameForms = Pick<TimerNameWords, 'endings' | 'whose'>;

/** The part of each word that makes a name the same as another: "eggs" are an "egg". */
function stems(label: string, { endings, whose }: NameForms): string[] {
  const text = label.toLowerCase().replaceAll('’', "'");
  const name = text.endsWith(whose) ? text.slice(0, -whose.length) : text;
  return (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => {
    const ending = endings.find((each) => word.endsWith(each) && word.length > each.length + 2);
    return ending === undefined ? word : word.slice(0, -ending.length);
  });
}
