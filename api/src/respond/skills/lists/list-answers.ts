import { withoutCapital } from '../../../language/capitals.ts';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import type { WordReader } from '../../../language/grammar/words.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import { fill } from '../../../language/phrase.ts';
import { withDryRun } from '../../core/dry-run.ts';
import type { HouseholdQuestions, PendingQuestion } from '../../core/household-questions.ts';
import type { DryRunResponder, Question } from '../../core/responder.ts';
import { loadSkill } from '../../core/skill-language.ts';
import type { SkillResponder } from '../../core/skill-responder.ts';
import { createListReader } from './list-words.ts';
import { listsShape } from './lists-shape.ts';

interface ListAnswersOptions {
  files: LanguageFiles;
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
  skills: Pick<SkillResponder, 'name' | 'respond' | 'understood' | 'asks' | 'states'>;
  readWords: WordReader;
}

/** The questions that it reads the answers to. */
const kinds: ReadonlySet<PendingQuestion['kind']> = new Set(['list.open', 'list.put', 'list.rename']);

/** The intents of the requests that the answers become. */
const intents = new Set(['make', 'put', 'rename']);

/**
 * Takes "camping" as the name, right after "What is the list for?". It comes before the skills, because the
 * name alone may be another sentence: "groceries" reads a list.
 */
export function createListAnswers(options: ListAnswersOptions): DryRunResponder {
  const { files, pendingQuestions, skills, readWords } = options;
  const { words } = loadSkill(files, 'lists', listsShape);
  const { answers } = words;
  const { called } = createListReader(words);

  const phrasesFor = (open: Awaited<ReturnType<typeof pendingQuestions.last>>, answer: string): string[] => {
    if (open?.kind === 'list.open') return answers[open.of].map((phrase) => fill(phrase, { answer }));
    if (open?.kind !== 'list.rename' && open?.kind !== 'list.put') return [];
    const phrases = open.kind === 'list.put' ? answers.put_on : answers.rename;
    return phrases.map((phrase) => fill(phrase, { answer, list: called(open.list) }));
  };

  /** The answer without words before it. Null: the text is something else than an answer. */
  const answerIn = (text: string): string | null => {
    const said = readWords(text);
    const end = longestPhraseEnd(answers.leads, said, 0) ?? 0;
    const first = said[end];
    if (end > 0) return first ? text.slice(first.start) : null;
    const found = skills.understood(text);
    const isOther = found !== null && !(found.skill === 'lists' && found.intent === 'read');
    if (isOther || skills.asks(text) || skills.states(text)) return null;
    return answers.keeps_capital ? text : withoutCapital(text);
  };

  return withDryRun({
    name: skills.name,
    async respond(question: Question) {
      const { turn, exchanges } = question;
      const open = await pendingQuestions.last(exchanges, turn.createdAt);
      const answer = open !== null && kinds.has(open.kind) ? answerIn(turn.text) : null;
      if (answer === null) return null;
      const request = phrasesFor(open, answer).find((text) =>
        intents.has(skills.understood(text)?.intent ?? ''),
      );
      return request === undefined
        ? null
        : await skills.respond({ ...question, turn: { ...turn, text: request } });
    },
  });
}
