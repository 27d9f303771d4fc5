import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import type { Language } from '../../api/src/language/language.ts';
import { readWhole } from '../../api/src/language/numbers/number-reader.ts';
import { countWords, wordErrors } from '../../tests/support/audio/word-errors.ts';
import { table } from '../measure.ts';
import type { Findings } from '../part.ts';
import type { SpokenLanguage } from './language-sentences.ts';

export interface Answered {
  reply: string;
  via: string;
  /** The timers and list items afterwards. */
  acts: readonly string[];
}

/** A sentence, typed and spoken. */
export interface Said {
  tag: SpokenLanguage;
  language: Language;
  kind: 'own' | 'community' | 'remarks';
  text: string;
  typed: Answered;
  transcript: string;
  /** Null: no answer. */
  spoken: Answered | null;
  fault?: string;
  /** The language that the recognition hears in the sound of the answer. Null: too short to judge. */
  answeredIn: string | null;
}

export function report(all: readonly Said[]): Findings {
  const rows = [...new Set(all.map(({ tag }) => tag))].map((tag) =>
    rowOf(
      tag,
      all.filter((each) => each.tag === tag),
    ),
  );
  const differing = all.filter((each) => !isSame(each) || hasFalseAct(each));
  const counted = ['sentences', 'words', 'misheard', 'same acts', 'same answer', 'no answer'];
  const head = ['language', ...counted, 'remarks', 'with acts', 'answers judged', 'in it'];
  return {
    text: `Languages: sentences spoken by espeak-ng, beside the same typed
${table([head, ...rows.map((row) => row.map(String))])}

${table([['', 'said', 'heard', 'typed', 'spoken'], ...differing.map(lineOf)])}`,
    figures: all.map(({ language: _, ...each }) => each),
    missed: [
      ...all.flatMap(({ tag, text, fault }) => (fault ? [`No answer to "${text}" (${tag}): ${fault}`] : [])),
      ...all.filter(hasFalseAct).map(({ tag, text }) => `A remark did something (${tag}): ${text}`),
    ],
  };
}

function rowOf(tag: string, said: readonly Said[]): (string | number)[] {
  const commands = said.filter(({ kind }) => kind !== 'remarks');
  const remarks = said.filter(({ kind }) => kind === 'remarks');
  const judged = said.filter(({ answeredIn }) => answeredIn !== null);
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  return [
    tag,
    commands.length,
    sum(commands.map(({ text }) => countWords(text))),
    sum(commands.map(errorsOf)),
    commands.filter(hasSameActs).length,
    commands.filter(isSame).length,
    said.filter(({ spoken }) => spoken === null).length,
    remarks.length,
    remarks.filter(hasFalseAct).length,
    judged.length,
    judged.filter(({ answeredIn }) => answeredIn === tag).length,
  ];
}

/** Misheard words; "zehn" and "10" are the same. */
function errorsOf({ language, text, transcript }: Said): number {
  return wordErrors(inDigits(language, text), inDigits(language, transcript));
}

function inDigits({ grammar, rules, numbers: words }: Language, text: string): string {
  const said = createGrammar(grammar).readWords(text);
  const numbers = rules.createNumberReader(words);
  const found: string[] = [];
  for (let at = 0; at < said.length; ) {
    const number = readWhole(numbers, said, at);
    found.push(String(number?.value ?? said[at]?.word));
    at = number?.end ?? at + 1;
  }
  return found.join(' ');
}

const hasSameActs = ({ typed, spoken }: Said): boolean => spoken?.acts.join() === typed.acts.join();

/** Times of day differ from minute to minute. */
const withoutDigits = (text: string): string => text.replaceAll(/\d+/g, '#');

function isSame(said: Said): boolean {
  const { kind, typed, spoken } = said;
  if (kind === 'remarks' || !spoken) return spoken !== null;
  return hasSameActs(said) && withoutDigits(spoken.reply) === withoutDigits(typed.reply);
}

const hasFalseAct = ({ kind, spoken }: Said): boolean =>
  kind === 'remarks' && (spoken?.acts ?? []).length > 0;

const lineOf = ({ tag, text, transcript, typed, spoken }: Said): string[] => [
  tag,
  text,
  transcript,
  typed.reply,
  spoken?.reply ?? 'no answer',
];
