import { z } from 'zod';
import { createAutomaton } from './automaton.ts';
import { createMatcher, wholeFrom } from './matcher.ts';
import { parseTemplate, sharedType, type Template } from './template.ts';
import type { SlotType } from './walk.ts';
import { createWordReader, type Word, type WordReader } from './words.ts';

const lines = z.array(z.string().trim().min(1));

/** `grammar.yaml`. */
export const grammarSchema = z.strictObject({
  fillers: lines,
  abbreviations: lines,
  spellings: z.record(z.string(), z.string()),
  rules: z.record(z.string(), z.string()),
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

export type Grammar = ReturnType<typeof createGrammar>;

/** The words of a language, and matchers for its sentences. */
export function createGrammar({
  rules,
  shared,
  before,
  after,
  answers,
  asides,
  hanging,
  asking,
  ...spelling
}: GrammarData) {
  const readWords = createWordReader(spelling);
  const parse = ({ text, place }: Sentence, names?: ReadonlyMap<string, boolean>): Template => {
    try {
      return parseTemplate(text, { readWords, rules, ...(names && { shared: names }) });
    } catch (error) {
      throw new Error(`${place}: "${text}": ${error instanceof Error ? error.message : error}.`, {
        cause: error,
      });
    }
  };
  const own = shared.map((name) => {
    const states = createAutomaton([parse({ text: `<${name}>`, place: 'grammar.yaml' })]);
    if (states.some(({ slots }) => slots.length > 0))
      throw new Error(`grammar.yaml: the rule "${name}" has a slot, and cannot be shared.`);
    return { name, states, mayBeLeftOut: states[0]?.sentence === 0 };
  });
  const names = new Map(own.map(({ name, mayBeLeftOut }) => [name, mayBeLeftOut]));
  const sharedTypes = Object.fromEntries(
    own.map(({ name, states }): [string, SlotType] => [
      sharedType(name),
      { ends: (words, from) => wholeFrom(words, from, states) },
    ]),
  );
  const [leading, trailing, answer, aside] = [before, after, answers, asides].map((texts) =>
    texts.map((text) => parse({ text, place: 'grammar.yaml' })),
  );
  const hangs = new Set(hanging);
  const lastWordHangs = (words: readonly Said[]) => hangs.has(words.at(-1)?.word ?? '');
  const questions = createQuestions(asking, readWords);

  return {
    readWords,
    matcher: ({ sentences, slotTypes }: SentencesOptions) =>
      createMatcher({
        sentences: sentences.map((sentence) => parse(sentence, names)),
        before: leading ?? [],
        after: trailing ?? [],
        answers: answer ?? [],
        asides: aside ?? [],
        slotTypes: { ...slotTypes, ...sharedTypes },
      }),
    /** Whether a sentence that ends with these words plainly goes on. */
    hangs: (words: readonly Said[]) => words.length > 1 && lastWordHangs(words),
    /** Whether these words are one whole question that asks for nothing but words. */
    asks: (words: readonly Word[]) => questions.isWhole(words) && !lastWordHangs(words),
  };
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

  return {
    isWhole(words: readonly Word[]): boolean {
      const isOneSentence = words.every(({ gap }) => gap !== '.');
      if (words.length < leastWordsOfQuestion || !isOneSentence || hangs.has(words.at(-1)?.word ?? ''))
        return false;
      return isOneOf(openings, words) && !isOneOf(notMeant, words) && !isTooShort(words);
    },
  };
}
