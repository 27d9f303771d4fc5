import { z } from 'zod';
import { createAutomaton } from './automaton.ts';
import { createMatcher, wholeFrom } from './matcher.ts';
import { parseTemplate, sharedType, type Template } from './template.ts';
import type { SlotType } from './walk.ts';
import { createWordReader } from './words.ts';

const lines = z.array(z.string().trim().min(1));

/** `grammar.yaml`. */
export const grammarSchema = z.strictObject({
  fillers: lines,
  spellings: z.record(z.string(), z.string()),
  rules: z.record(z.string(), z.string()),
  /** Rules without slots that stand in many sentences. Each is read by an automaton of its own, so that that of the sentences stays small. */
  shared: lines,
  before: lines,
  after: lines,
  answers: lines,
  asides: lines,
  hanging: lines,
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
    hangs: (words: readonly { word: string }[]) => words.length > 1 && hangs.has(words.at(-1)?.word ?? ''),
  };
}
