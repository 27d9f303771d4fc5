import { longestPhraseEnd } from '../../language/grammar/phrase-at.ts';
import { textOf, type Word, type WordReader } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { standAlone } from '../core/part.ts';
import type { DryRunResponder, Question, Responder } from '../core/responder.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { SkillResponder } from '../core/skill-responder.ts';
import { type ReasonWords, severalShape } from './several-shape.ts';

/** Longer clauses say more than a reason. */
const maxReasonWords = 14;
const maxCharacters = 300;

interface ReasonOptions {
  files: LanguageFiles;
  readWords: WordReader;
  skills: Pick<SkillResponder, 'name' | 'understood' | 'accepts'>;
  /** Whether a text is a whole sentence for the house. Null: none is connected. */
  sentences: { covers(text: string): Promise<boolean> } | null;
  /** The responders for the request, in the order in which they are asked. */
  responders: readonly DryRunResponder[];
}

/**
 * Answers a request that includes its reason: "the baby sleeps, so turn down the TV". It comes after the
 * responders for whole sentences.
 */
export function createReasonResponder(options: ReasonOptions): Responder {
  const { files, readWords, skills, sentences, responders } = options;
  const { words } = loadSkill(files, 'several', severalShape);
  const { joints, reasons } = words;
  const requestsIn = createReasonSplits(reasons, readWords);

  const isRequest = async (text: string): Promise<boolean> => {
    const found = skills.understood(text);
    const isOfSkills = found !== null && !standAlone.has(found.skill) && skills.accepts(text).isWhole;
    return isOfSkills || (await sentences?.covers(text)) === true;
  };

  /** "Because I am tired and set an alarm for seven" contains a second request. */
  const holdsRequest = async (reason: string): Promise<boolean> => {
    const said = readWords(reason);
    for (let at = 1; at < said.length; at += 1) {
      const end = longestPhraseEnd(joints, said, at);
      if (end !== null && (await isRequest(textOf(reason, said.slice(end))))) return true;
    }
    return false;
  };

  const requestIn = async (text: string): Promise<string | null> => {
    for (const { request, reason } of requestsIn(text))
      if ((await isRequest(request)) && !(await isRequest(reason)) && !(await holdsRequest(reason)))
        return request;
    return null;
  };

  const answer = async (question: Question, request: string) => {
    for (const { name, respond } of responders) {
      const found = await respond({ ...question, turn: { ...question.turn, text: request } });
      if (found) return { ...found, heard: request, via: found.via ?? name };
    }
    return null;
  };

  return {
    name: skills.name,
    async respond(question) {
      if (!question.turn.isSure) return null;
      const request = await requestIn(question.turn.text);
      return request === null ? null : await answer(question, request);
    },
  };
}

interface Split {
  request: string;
  reason: string;
}

/** Finds the requests that a sentence may contain besides a reason. */
function createReasonSplits(words: ReasonWords, readWords: WordReader) {
  const { reports, pointing, demands } = words;
  const [statements, things] = [new Set(words.statements), new Set(words.things.first)];
  const has = (phrases: readonly string[], said: readonly Word[]) =>
    said.some((_, at) => longestPhraseEnd(phrases, said, at) !== null);
  const isStatement = ([first, ...more]: readonly Word[]) =>
    first !== undefined && more.length > 0 && statements.has(first.word) && isWhole(first, more);
  const isWhole = (first: Word, more: readonly Word[]) =>
    !things.has(first.word) || has(words.things.verbs, more);
  /** "Ten minutes, the sauce FOR 20", "the eggs TOO": more of the request. */
  const goesOn = ([, ...more]: readonly Word[]) =>
    has(pointing, more) || more.some(({ word }) => /\d/.test(word));

  /** "Turn off the lights BECAUSE I am going to bed": the request ends here. */
  const endsAt = (said: readonly Word[], at: number): boolean => {
    const reason = said.slice(at);
    if (reason.length > maxReasonWords || has(reports, said.slice(0, at))) return false;
    if (longestPhraseEnd(words.because, said, at) !== null) return true;
    const end = longestPhraseEnd(words.so, said, at) ?? (said[at]?.gap === '' ? null : at);
    // After a pause, "the volume should be low" is another request.
    const isFree = end !== at || !(has(reports, reason) || has(demands, reason) || goesOn(reason));
    return end !== null && isFree && isStatement(said.slice(end));
  };

  /** "It is dark, so TURN on the light": the start of the request after a statement. Null: none. */
  const startAt = (said: readonly Word[], at: number): number | null => {
    const reason = said.slice(0, at);
    const end = longestPhraseEnd(words.therefore, said, at) ?? (said[at]?.gap === '' ? null : at);
    if (end === null || !isStatement(reason) || reason.length > maxReasonWords) return null;
    const request = said.slice(end);
    return request.length < 2 || has(reports, reason) || has(pointing, request) ? null : end;
  };

  return (text: string): Split[] => {
    const said = text.length > maxCharacters ? [] : readWords(text);
    const partAt = (from: number, to?: number) => textOf(text, said.slice(from, to));
    return said.flatMap((_, at) => {
      if (at < 2 || at === said.length - 1) return [];
      const start = startAt(said, at);
      return [
        ...(endsAt(said, at) ? [{ request: partAt(0, at), reason: partAt(at) }] : []),
        ...(start === null ? [] : [{ request: partAt(start), reason: partAt(0, at) }]),
      ];
    });
  };
}
