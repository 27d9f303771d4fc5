import { z } from 'zod';
import type { DurationReader } from '../../language/durations/duration-reader.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import type { ListTalk } from '../skills/lists/list-talk.ts';
import type { Act, RequestReader } from './requests.ts';

const texts = z.array(z.string());

/** Words that show what the person requested: `tools.yaml`. */
export const evidenceWordsSchema = z.strictObject({
  /** Words for a timer. */
  timers: texts,
  nots: texts,
  little: texts,
  /** For each ending of a base form, its other forms: "ies" for "y". */
  endings: z.record(z.string(), texts),
});

type EvidenceWords = z.infer<typeof evidenceWordsSchema>;

/** Everything that a call assumes the person has said. */
export interface AssumedRequest {
  act: Act;
  /** The person mentioned a timer. */
  isOfTimer?: boolean;
  durationMs?: number;
  /** The key of a list. */
  list?: string;
  /** A name or a thing. */
  text?: string | null;
  /** A command that begins with its verb. If the person said "not", the command must contain it, too. */
  command?: string;
}

interface UserEvidenceOptions {
  words: EvidenceWords;
  readWords: WordReader;
  requests: RequestReader;
  numbers: NumberReader;
  durations: Pick<DurationReader, 'read'>;
  lists: Pick<ListTalk['names'], 'read' | 'readName'>;
}

/** Whether one request of the person contains everything that a call assumes. */
export type HasUserEvidence = (assumed: AssumedRequest, question: string) => boolean;

/** Maximum length of a list's name. */
const maxNameWords = 3;

/** Distinguishes calls that a person requested from invented ones, by comparing words only. */
export function createUserEvidence(options: UserEvidenceOptions): HasUserEvidence {
  const { words, readWords, requests, numbers, durations, lists } = options;
  const little = new Set(words.little);
  const endings = Object.entries(words.endings);

  /** A word, and its possible base forms. */
  const stemsOf = (word: string): string[] => [
    word,
    ...endings
      .filter(([ending]) => word.endsWith(ending) && word.length > ending.length + 2)
      .flatMap(([ending, instead]) => instead.map((other) => word.slice(0, -ending.length) + other)),
  ];
  const stemsIn = (said: readonly Word[]) => new Set(said.flatMap(({ word }) => stemsOf(word)));
  const hasWord = (stems: ReadonlySet<string>, word: string) => stemsOf(word).some((stem) => stems.has(stem));

  /** Compares numbers by value: five is 5, and not part of twenty-five. */
  const partsOf = (said: readonly Word[]) =>
    inOrder(said, (at) => {
      const number = numbers.read(said, at);
      return number && { value: `${number.value.top}/${number.value.bottom}`, end: number.end };
    });

  const hasText = (text: string, said: readonly Word[]): boolean => {
    const wanted = readWords(text);
    const { values, others } = partsOf(wanted);
    const stems = stemsIn(said);
    const there = new Set(partsOf(said).values);
    const areSaid = others.every(({ word }) => little.has(word) || hasWord(stems, word));
    return wanted.length > 0 && areSaid && values.every((value) => there.has(value));
  };

  const hasDuration = (ms: number, said: readonly Word[]): boolean =>
    inOrder(said, (at) => {
      const duration = durations.read(said, at);
      return duration && { value: duration.value.ms, end: duration.end };
    }).values.includes(ms);

  const hasList = (key: string, said: readonly Word[]): boolean =>
    said.some((_, at) => {
      const list = lists.read(said, at);
      // "List" alone may be the end of another list's name; "the list" is not.
      if (list && list.end > at + 1 && list.value.key === key) return true;
      const ends = Array.from({ length: maxNameWords }, (_each, more) => at + more + 1);
      return ends.some((end) => lists.readName(said.slice(at, end)).key === key);
    });

  const speaksOfTimer = (said: readonly Word[]): boolean => {
    const isAt = (phrase: readonly string[], at: number) =>
      phrase.every((word, more) => stemsOf(said[at + more]?.word ?? '').includes(word));
    return words.timers.some((phrase) => said.some((_, at) => isAt(phrase.split(' '), at)));
  };

  const keepsNots = (command: string, said: readonly Word[]): boolean => {
    const stems = stemsIn(readWords(command));
    return said.every(({ word }) => !words.nots.includes(word) || stems.has(word));
  };

  const begins = (command: string, verb: string) => readWords(command)[0]?.word === verb;

  return ({ act, isOfTimer = false, durationMs, list, text, command }, question) => {
    const matching = requests(question).filter((each) => {
      return each.act === act && (command === undefined || begins(command, each.verb));
    });
    const said = matching.flatMap((each) => each.said);
    if (said.length === 0 || (isOfTimer && !speaksOfTimer(said))) return false;
    if (durationMs !== undefined && !hasDuration(durationMs, said)) return false;
    if (list !== undefined && !hasList(list, said)) return false;
    if (text && !hasText(text, said)) return false;
    const deeds = matching.flatMap(({ deed }) => deed);
    return command === undefined || (hasText(command, said) && keepsNots(command, deeds));
  };
}

/** Reads values from left to right, using each word once. Also returns the words between them. */
function inOrder<T>(said: readonly Word[], read: (at: number) => { value: T; end: number } | null) {
  const values: T[] = [];
  const others: Word[] = [];
  for (let at = 0; at < said.length; ) {
    const found = read(at);
    const word = said[at];
    if (found) values.push(found.value);
    else if (word) others.push(word);
    at = found?.end ?? at + 1;
  }
  return { values, others };
}
