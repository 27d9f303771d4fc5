import { createHash } from 'node:crypto';
import { z } from 'zod';
import { buildAutomaton, createAutomaton, type State, wholeFrom } from './automaton.ts';
import { builtLater } from './built-later.ts';
import { choosingSchema, createChoiceReader } from './choice-reader.ts';
import {
  createList,
  createNumbersAt,
  type ListData,
  type ListOptions,
  listsSchema,
  slotTypesIn,
} from './lists.ts';
import { createMatcher } from './matcher.ts';
import { createPhraseFinder } from './phrase-finder.ts';
import { politeFormSchema } from './polite-form.ts';
import {
  createTemplateParser,
  type SlotReference,
  sharedType,
  slotsIn,
  type Template,
  type TemplateParser,
} from './template.ts';
import type { SlotType } from './walk.ts';
import { createWordReader, type Word, type WordReader } from './words.ts';

const lines = z.array(z.string().trim().min(1));

/** `grammar.yaml`. */
export const grammarSchema = z.strictObject({
  fillers: lines,
  abbreviations: lines,
  spellings: z.record(z.string(), z.string()),
  rules: z.record(z.string(), z.string()),
  /** Values for slots, besides those that the skills read. */
  lists: listsSchema.default({}),
  /** Numbers in words, for the lists that are ranges. */
  number_words: z.record(z.string(), z.number()).default({}),
  /** Phrases without meaning anywhere in a sentence. */
  skip_words: lines.default([]),
  /** Whether an apostrophe ends a word, as in "l'entrée". */
  elides: z.boolean().default(false),
  /** Last parts of compounds, read as separate words: "timer" in "Nudeltimer". */
  compounds: lines.default([]),
  polite: politeFormSchema.optional(),
  /**
   * Rules without slots used in many sentences. Each has a separate automaton, which keeps the main one
   * small.
   */
  shared: lines,
  before: lines,
  after: lines,
  answers: lines,
  asides: lines,
  /** Verbs before which an aside or an answer needs no pause: "I'm cold turn up the heating". */
  after_asides: lines.optional(),
  hanging: lines,
  /**
   * Openings of pure questions, openings of requests that only look like one, and words after which a
   * question goes on.
   */
  asking: z.strictObject({
    begins: lines,
    requests: lines,
    hanging: lines,
    /** Minimum number of words that must follow these words. */
    needs: z.record(z.string(), z.int()),
  }),
  joining: lines,
  /** Words before a question that repeats the last one with something else: "and", "what about". */
  follow_ups: lines,
  /** Words that lengthen the last question: "plus", in "plus six" after a sum. */
  lengthening: lines.optional(),
  /** Phrases that withdraw the request before them: "set a timer. Never mind." */
  withdrawing: lines.optional(),
  listening: lines,
  choosing: choosingSchema,
  /** Openings of complete statements. */
  stating: z.strictObject({ subjects: lines, owners: lines, verbs: lines }),
});

export type GrammarData = z.infer<typeof grammarSchema>;

/** A sentence of a language file, with its origin. */
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

/** Longer texts are sentences. */
const maxListeningWords = 4;

/** A single word before "never mind" is no request. */
const minRequest = 2;

/** The automaton of a matcher's sentences, which is built after the start or at the first sentence. */
interface LateAutomaton {
  states: () => readonly State[];
  slots: readonly SlotReference[];
}

/** The automata that someone uses, by their source. Building a large one takes most of a second. */
const inUse = new Map<string, WeakRef<LateAutomaton>>();

function builtOnce(from: string, build: () => LateAutomaton): LateAutomaton {
  const known = inUse.get(from)?.deref();
  if (known) return known;
  const made = build();
  for (const [each, ref] of inUse) if (ref.deref() === undefined) inUse.delete(each);
  inUse.set(from, new WeakRef(made));
  return made;
}

const digest = (data: unknown) => createHash('sha256').update(JSON.stringify(data)).digest('base64');

export type Grammar = ReturnType<typeof createGrammar>;

/** The words of a language, and matchers for its sentences. */
export function createGrammar(data: GrammarData) {
  const {
    rules,
    lists,
    number_words,
    shared,
    before,
    after,
    answers,
    asides,
    after_asides = [],
    skip_words,
    hanging,
    asking,
    joining,
    follow_ups,
    lengthening = [],
    withdrawing = [],
    listening,
    stating,
    ...spelling
  } = data;
  const readWords = createWordReader(spelling);
  const madeOf = digest([rules, shared, spelling]);
  const parseWhole = createTemplateParser({ rules });
  const parse = (sentence: Sentence) => parseWith(parseWhole, sentence);
  const own = sharedRules(shared, parse, readWords);
  const names = new Map(own.map(({ name, mayBeLeftOut }) => [name, mayBeLeftOut]));
  const parseShared = createTemplateParser({ rules, shared: names });
  const sharedTypes = Object.fromEntries(
    own.map(({ name, states }): [string, SlotType] => [
      sharedType(name),
      { ends: (words, from) => wholeFrom(words, from, states) },
    ]),
  );
  const listOptions = { parse: parseWhole, readWords, numbersAt: createNumbersAt(number_words, readWords) };
  const listTypes = typesOf(lists, listOptions);
  const [leading, trailing, answer, aside, skips] = [before, after, answers, asides, skip_words].map(
    (texts) => texts.map((text) => parse({ text, place: 'grammar.yaml' })),
  );
  const hangs = new Set(hanging);
  const lastWordHangs = (words: readonly Said[]) => hangs.has(words.at(-1)?.word ?? '');
  const leads = createAutomaton(leading ?? [], { readWords });
  /** The words after "hey" or "please". */
  const afterLead = (words: readonly Word[]) => words.slice(Math.max(0, ...wholeFrom(words, 0, leads)));
  const questions = createQuestions(asking, readWords);
  const isStatement = createStatements(stating);
  const joins = new Set(joining);
  const openers = createPhraseFinder(
    follow_ups.map((text) => ({ text, stands: null })),
    readWords,
  );
  const lengthens = new Set(lengthening);
  const listeningWords = new Set(listening.flatMap((text) => readWords(text).map(({ word }) => word)));

  return {
    readWords,
    /** A list with the rules and numbers of this grammar. */
    listOf: (content: ListData) => createList(content, listOptions),
    matcher({ sentences, slotTypes }: SentencesOptions) {
      const types = { ...listTypes, ...slotTypes, ...sharedTypes };
      const { typeOf, isNumber, numbers } = slotTypesIn(types);
      const automaton = builtOnce(digest([madeOf, numbers, sentences.map(({ text }) => text)]), () => {
        const templates = sentences.map((sentence) => parseWith(parseShared, sentence));
        const states = builtLater(() => buildAutomaton(templates, { readWords, isNumber }));
        return { states, slots: slotsIn(templates) };
      });
      for (const slot of automaton.slots) typeOf(slot);
      return createMatcher({
        automaton,
        before: leading ?? [],
        after: trailing ?? [],
        answers: answer ?? [],
        asides: aside ?? [],
        afterAsides: new Set(after_asides),
        skips: skips ?? [],
        readWords,
        slotTypes: types,
      });
    },
    /** Whether a sentence with these last words is clearly unfinished. */
    hangs: (words: readonly Said[]) => words.length > 1 && lastWordHangs(words),
    /** Whether these words are one complete question for information. */
    asks: (words: readonly Word[]) =>
      [words, afterLead(words)].some(questions.isWhole) && !lastWordHangs(words),
    /** Whether they begin like a question, with at least one more word. */
    beginsToAsk: (words: readonly Word[]) =>
      [words, afterLead(words)].some((each) => each.length > 1 && questions.isBegun(each)),
    /** Whether they are only the first word of a question: "what". */
    isQuestionWord: (words: readonly Word[]) => words.length === 1 && questions.isBegun(words),
    /** Whether they continue the previous sentence. */
    joins: (words: readonly Said[]) => joins.has(words[0]?.word ?? ''),
    /** The words after "and" or "what about". Empty: no follow-up. */
    followUp(words: readonly Word[]): readonly Word[] {
      const ends = openers.at(words, 0).map(({ end }) => end);
      return ends.length === 0 ? [] : words.slice(Math.max(...ends));
    },
    /** Whether they lengthen the last question. */
    lengthens: (words: readonly Said[]) => words.length > 1 && lengthens.has(words[0]?.word ?? ''),
    withdrawn: createWithdrawals(withdrawing, parse, readWords),
    choose: createChoiceReader(data.choosing, readWords),
    /** Whether they only show that the person listens: "mm-hm", "yeah", "right". */
    isBackchannel: (words: readonly Said[]) =>
      words.length <= maxListeningWords && words.every(({ word }) => listeningWords.has(word)),
    /** Whether they are one complete statement. */
    states: (words: readonly Word[]) =>
      isStatement(words) && !questions.hangs(words) && !lastWordHangs(words),
  };
}

/** The automata of the shared rules, by name. */
function sharedRules(
  names: readonly string[],
  parse: (sentence: Sentence) => Template,
  readWords: WordReader,
) {
  return names.map((name) => {
    const states = createAutomaton([parse({ text: `<${name}>`, place: 'grammar.yaml' })], { readWords });
    if (states.some(({ slots }) => slots.length > 0))
      throw new Error(`grammar.yaml: the rule "${name}" has a slot, and cannot be shared.`);
    return { name, states, mayBeLeftOut: states[0]?.sentence === 0 };
  });
}

/** A request and the words after it that withdraw it. */
interface Withdrawn {
  before: readonly Word[];
  last: readonly Word[];
}

/**
 * Splits "set a timer. Never mind." into the request and its withdrawal. Null: the end withdraws nothing.
 * Before a single word the request must end with a full stop.
 */
function createWithdrawals(
  phrases: readonly string[],
  parse: (sentence: Sentence) => Template,
  readWords: WordReader,
) {
  const states = createAutomaton(
    phrases.map((text) => parse({ text, place: 'grammar.yaml' })),
    { readWords },
  );
  const withdraws = (words: readonly Word[]) => wholeFrom(words, 0, states).includes(words.length);
  return (words: readonly Word[]): Withdrawn | null => {
    const at = words.findIndex(({ gap }, from) => gap !== '' && withdraws(words.slice(from)));
    const [before, last] = [words.slice(0, at), words.slice(at)];
    // "Cancel that, never mind" and "stop the timer. Stop." insist.
    if (at < minRequest || withdraws(before)) return null;
    const isUnclear = last.length === 1 && (last[0]?.gap !== '.' || withdraws(before.slice(0, 1)));
    return isUnclear ? null : { before, last };
  };
}

function parseWith(parse: TemplateParser, { text, place }: Sentence): Template {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${place}: "${text}": ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}

/** The slot types defined by lists. */
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

/** Two words are an answer, or the start of a longer question: "what is", "why not". */
const minWordsOfQuestion = 3;

/** Detects questions by their form. After the first words anything may follow. */
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
      if (words.length < minWordsOfQuestion || !isOneSentence(words) || lastHangs(words)) return false;
      return isBegun(words) && !isTooShort(words);
    },
  };
}

const isOneSentence = (words: readonly Word[]) => words.every(({ gap }) => gap !== '.');

/** Maximum words of a subject before its verb: "my little sister is". */
const maxWordsOfThing = 3;

/** Detects statements by their form: a subject, a verb, and more words. */
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
