import { z } from 'zod';
import type { Grammar } from '../../language/grammar/grammar.ts';
import { isPhraseAt, phraseForms } from '../../language/grammar/phrase-at.ts';
import type { Word } from '../../language/grammar/words.ts';
import { maxOwnWords, ownWords } from '../unsupported/own-words.ts';

const lines = z.array(z.string().trim().min(1));

const acts = ['timer', 'cancel', 'add', 'take', 'home'] as const;
export type Act = (typeof acts)[number];

export const requestWordsSchema = z.strictObject({
  /** Sentences that ask Hearth to act, by action, with a slot for {text}. */
  requests: z.strictObject({ timer: lines, cancel: lines, add: lines, take: lines, home: lines }),
  /** Sentences that ask for nothing and are harmless next to a request. */
  courtesies: lines,
  /** Words that join two requests. */
  joints: lines,
  /** Words that turn a sentence into a story, question or condition. */
  others: lines,
});

type RequestWords = z.infer<typeof requestWordsSchema>;

/** A request by the person. */
interface Request {
  act: Act;
  /** The verb. */
  verb: string;
  /** All its words. */
  said: readonly Word[];
  /** The same without surrounding words: "I am cold, could you". */
  deed: readonly Word[];
}

export type RequestReader = (question: string) => readonly Request[];

/**
 * Reads a person's requests sentence by sentence. The verb must come first, after "could you please" and the
 * like, or after an "and". One sentence that is not a request disqualifies the whole text.
 */
export function createRequestReader(words: RequestWords, grammar: Grammar): RequestReader {
  const slotTypes = { text: { isOpen: true, costPerWord: 2 } } as const;
  const matcherOf = (texts: readonly string[], place: string) =>
    grammar.matcher({ sentences: texts.map((text) => ({ text, place: `tools.yaml: ${place}` })), slotTypes });
  const matchers = acts.map((act) => [act, matcherOf(words.requests[act], act)] as const);
  const courtesies = matcherOf(words.courtesies, 'courtesies');
  const joints = new Set(words.joints);
  const others = words.others.flatMap(phraseForms);

  const isRequest = (said: readonly Word[]) => matchers.some(([, { match }]) => match(said) !== null);

  /** The end of the first request, if another one begins there, joined or not. */
  const nextOf = (said: readonly Word[], from: number): { at: number; isJoined: boolean } => {
    for (let at = from; at < said.length; at += 1) {
      const isJoined = joints.has(said[at]?.word ?? '');
      if ((isJoined || said[at]?.gap === ',') && isRequest(said.slice(at))) return { at, isJoined };
    }
    return { at: said.length, isJoined: false };
  };

  const tellsOrAsks = (said: readonly Word[]) =>
    others.some((phrase) => said.some((_, at) => isPhraseAt(phrase, said, at)));

  /** Null: these words are not a request. */
  const readSentence = (said: readonly Word[]): Request[] | null => {
    const found = matchers.flatMap(([act, { match }]) => {
      const text = match(said)?.slots.get('text');
      const at = text?.[0] ? said.indexOf(text[0]) : -1;
      return text && at > 0 ? [{ act, at, text }] : [];
    });
    const [first] = found;
    if (!first || found.some(({ text }) => tellsOrAsks(text))) return null;
    const { at: end, isJoined } = nextOf(said, first.at + 1);
    const requests = found.map(({ act, at, text }) => ({
      act,
      verb: said[at - 1]?.word ?? '',
      said: said.slice(0, end),
      deed: said.slice(at - 1, Math.min(end, at + text.length)),
    }));
    return [...requests, ...(isJoined ? (readSentence(said.slice(end)) ?? []) : [])];
  };

  return (question) => {
    const said = grammar.readWords(ownWords(question));
    if (said.length === 0 || said.length > maxOwnWords) return [];
    // A pause may split words like a sentence end: "It is dark in here. Turn on the light."
    const whole = readSentence(said);
    if (whole) return whole;
    const sentences = sentencesOf(said).filter((each) => !courtesies.match(each));
    const read = sentences.map(readSentence);
    return read.some((each) => each === null) ? [] : read.flatMap((each) => each ?? []);
  };
}

function sentencesOf(said: readonly Word[]): Word[][] {
  const sentences: Word[][] = [];
  for (const word of said) {
    if (word.gap === '.' || sentences.length === 0) sentences.push([word]);
    else sentences.at(-1)?.push(word);
  }
  return sentences;
}
