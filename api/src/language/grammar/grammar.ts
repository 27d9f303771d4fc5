import { createHash } from 'node:crypto';
import { z } from 'zod';
import { putLatest } from '../../latest.ts';
import { createAutomaton, type State, wholeFrom } from './automaton.ts';
import { createList, type ListData, type ListOptions, listsSchema, slotTypesIn } from './lists.ts';
import { createMatcher } from './matcher.ts';
import { createTemplateParser, sharedType, type Template, type TemplateParser } from './template.ts';
import type { SlotType } from './walk.ts';
import { createWordReader, type Word, type WordReader } from './words.ts';

const lines = z.array(z.string().trim().min(1));

/** `grammar.yaml`. */
export const grammarSchema = z.strictObject({
  fillers: lines,
  abbreviations: lines,
  spellings: z.record(z.string(), z.string()),
  rules: z.record(z.string(), z.string()),
  /** What may stand in slots of sentences, beside what the skills read themselves. */
  lists: listsSchema.default({}),
  /** Phrases that mean nothing wherever they stand in a sentence. */
  skip_words: lines.default([]),
  /** Whether an apostrophe ends a word, as in "l'entrée". */
  elides: z.boolean().default(false),
  /** Rules without slots that stand in many sentences. Each is read by an automaton of its own, so that that of the sentences stays small. */
  shared: lines,
  before: lines,
  after: lines,
  answers: lines,
  asides: lines,
  hanging: lines,
  /** How a question for nothing but words begins, how a request begins that only sounds like one, and after which words a question goes on. */
  asking: z.strictObject({
    begins: lines,
    requests: lines,
    hanging: lines,
    /** After these words, so many more make it whole at least. */
    needs: z.record(z.string(), z.int()),
  }),
  joining: lines,
  /** How a statement that stands alone begins. */
  stating: z.strictObject({ subjects: lines, owners: lines, verbs: lines }),
});

export type GrammarData = z.infer<typeof grammarSchema>;

/** A sentence of a language file, with what finds it again. */
export interface Sentence {
  text: string;
  /** Its file and place, for the error message. */
  place: string;
}

interface SentencesOptions {
  sentences: readonly Sentence[];
  slotTypes: Readonly<Record<string, SlotType>>;
}

type Said = Pick<Word, 'word'>;

/** More than one process needs of large ones at the same time. */
const maxKept = 8;
/** The latest automata by what they were made from, the newest last: building one takes most of a second, and the same is asked for again. */
const kept = new Map<string, readonly State[]>();

function builtOnce(from: string, build: () => readonly State[]): readonly State[] {
  const states = kept.get(from) ?? build();
  putLatest(kept, [from, states], maxKept);
  return states;
}

const digest = (data: unknown) => createHash('sha256').update(JSON.stringify(data)).digest('base64');

export type Grammar = ReturnType<typeof createGrammar>;

/** The words of a language, and matchers for its sentences. */
export function createGrammar(data: GrammarData) {
  const {
    rules,
    lists,
    shared,
    before,
    after,
    answers,
    asides,
    skip_words,
    hanging,
    asking,
    joining,
    stating,
    ...spelling
  } = data;
  const readWords = createWordReader(spelling);
  const madeOf = digest([rules, shared, spelling]);
  const parseWith = (parse: TemplateParser, { text, place }: Sentence): Template => {
    try {
      return parse(text);
    } catch (error) {
      throw new Error(`${place}: "${text}": ${error instanceof Error ? error.message : error}.`, {
        cause: error,
      });
    }
  };
  const parseWhole = createTemplateParser({ rules });
  const parse = (sentence: Sentence) => parseWith(parseWhole, sentence);
  const own = shared.map((name) => {
    const states = createAutomaton([parse({ text: `<${name}>`, place: 'grammar.yaml' })], { readWords });
    if (states.some(({ slots }) => slots.length > 0))
      throw new Error(`grammar.yaml: the rule "${name}" has a slot, and cannot be shared.`);
    return { name, states, mayBeLeftOut: states[0]?.sentence === 0 };
  });
  const names = new Map(own.map(({ name, mayBeLeftOut }) => [name, mayBeLeftOut]));
  const parseShared = createTemplateParser({ rules, shared: names });
  const sharedTypes = Object.fromEntries(
    own.map(({ name, states }): [string, SlotType] => [
      sharedType(name),
      { ends: (words, from) => wholeFrom(words, from, states) },
    ]),
  );
  const listTypes = typesOf(lists, { parse: parseWhole, readWords });
  const [leading, trailing, answer, aside, skips] = [before, after, answers, asides, skip_words].map(
    (texts) => texts.map((text) => parse({ text, place: 'grammar.yaml' })),
  );
  const hangs = new Set(hanging);
  const lastWordHangs = (words: readonly Said[]) => hangs.has(words.at(-1)?.word ?? '');
  const questions = createQuestions(asking, readWords);
  const isStatement = createStatements(stating);
  const joins = new Set(joining);

  return {
    readWords,
    matcher({ sentences, slotTypes }: SentencesOptions) {
      const types = { ...listTypes, ...slotTypes, ...sharedTypes };
      const { isNumber, numbers } = slotTypesIn(types);
      const states = builtOnce(digest([madeOf, numbers, sentences.map(({ text }) => text)]), () =>
        createAutomaton(
          sentences.map((sentence) => parseWith(parseShared, sentence)),
          { readWords, isNumber },
        ),
      );
      return createMatcher({
        states,
        before: leading ?? [],
        after: trailing ?? [],
        answers: answer ?? [],
        asides: aside ?? [],
        skips: skips ?? [],
        readWords,
        slotTypes: types,
      });
    },
    /** Whether a sentence that ends with these words plainly goes on. */
    hangs: (words: readonly Said[]) => words.length > 1 && lastWordHangs(words),
    /** Whether these words are one whole question that asks for nothing but words. */
    asks: (words: readonly Word[]) => questions.isWhole(words) && !lastWordHangs(words),
    /** Whether they begin like a question, of which there is a word or more behind the first. */
    beginsToAsk: (words: readonly Word[]) => words.length > 1 && questions.isBegun(words),
    /** Whether they begin like more of the sentence before. */
    joins: (words: readonly Said[]) => joins.has(words[0]?.word ?? ''),
    /** Whether they are one statement that stands alone. */
    states: (words: readonly Word[]) =>
      isStatement(words) && !questions.hangs(words) && !lastWordHangs(words),
  };
}

/** The types of the slots that lists are for. */
function typesOf(
  lists: Readonly<Record<string, ListData>>,
  options: ListOptions,
): Readonly<Record<string, SlotType>> {
  return Object.fromEntries(
    Object.entries(lists).map(([name, data]) => {
      try {
        return [name, createList(data, options).type];
      } catch (error) {
        throw new Error(`grammar.yaml: lists.${name}: ${error instanceof Error ? error.message : error}.`, {
          cause: error,
        });
      }
    }),
  );
}

/** Two words are an answer, or the beginning of something: "what is", "why not". */
const leastWordsOfQuestion = 3;

/** Questions by their form. What follows the first words may be anything. */
function createQuestions({ begins, requests, hanging, needs }: GrammarData['asking'], readWords: WordReader) {
  const [openings, notMeant] = [begins, requests].map((phrases) =>
    phrases.map((phrase) => readWords(phrase)),
  );
  const needed = Object.entries(needs).map(([phrase, more]) => ({ phrase: readWords(phrase), more }));
  const hangs = new Set(hanging);
  const beginsWith = (words: readonly Said[], phrase: readonly Said[]) =>
    phrase.every(({ word }, at) => words[at]?.word === word);
  const isOneOf = (phrases: readonly Said[][] | undefined, words: readonly Said[]) =>
    phrases?.some((phrase) => beginsWith(words, phrase)) === true;
  const isTooShort = (words: readonly Said[]) =>
    needed.some(({ phrase, more }) => words.length < phrase.length + more && beginsWith(words, phrase));

  const isBegun = (words: readonly Said[]) => isOneOf(openings, words) && !isOneOf(notMeant, words);
  const lastHangs = (words: readonly Said[]) => hangs.has(words.at(-1)?.word ?? '');

  return {
    isBegun,
    hangs: lastHangs,
    isWhole(words: readonly Word[]): boolean {
      if (words.length < leastWordsOfQuestion || !isOneSentence(words) || lastHangs(words)) return false;
      return isBegun(words) && !isTooShort(words);
    },
  };
}

const isOneSentence = (words: readonly Word[]) => words.every(({ gap }) => gap !== '.');

/** A thing may have two words before its verb: "my little sister is". */
const maxWordsOfThing = 3;

/** Statements by their form: who or what, a verb, and something behind it. */
function createStatements({ subjects, owners, verbs }: GrammarData['stating']) {
  const known = { subjects: new Set(subjects), owners: new Set(owners), verbs: new Set(verbs) };
  return (words: readonly Word[]): boolean => {
    const [first = '', ...rest] = words.map(({ word }) => word);
    const verbAt = rest.findIndex((word) => known.verbs.has(word));
    if (verbAt < 0 || verbAt === rest.length - 1 || !isOneSentence(words)) return false;
    return known.subjects.has(first)
      ? verbAt === 0
      : known.owners.has(first) && verbAt > 0 && verbAt <= maxWordsOfThing;
  };
}
