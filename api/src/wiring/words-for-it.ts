import { AppError } from '../errors.ts';
import { createWordsForIt, type IsRemark, type WordsForIt } from '../stages/words-for-it.ts';
import { byLanguage } from './by-language.ts';
import type { WorkerCore } from './worker-core.ts';

/** Finds the words for the assistant, in each language. */
export function wireWordsForIt({ languages, settings, household }: WorkerCore): WordsForIt {
  const wordsForIt = byLanguage(languages, (language) => {
    const here = () => household.now({ language: language.tag });
    return createWordsForIt({
      language,
      namesOf: async (turn) => {
        const { names, name_spellings } = await settings.of(turn);
        return [...names, ...name_spellings];
      },
      skills: () => here().answers.skills,
      isForHome: async (text) => ((await here().home?.control.read(text)) ?? []).length > 0,
    });
  });
  return (turn, transcript) => wordsForIt.of(turn)(turn, transcript);
}

/** Maximum time to find out whether a rule answers a sentence, in ms. In doubt, it is for the assistant. */
const maxDryRunMs = 1_000;

/** Whether a sentence is a remark, such as those of a television, instead of a question or a request. */
export function wireIsRemark({ settings, household, conversations }: WorkerCore): IsRemark {
  return async (turn, text, signal) => {
    const { answers, home } = household.now(turn);
    const isKnown = answers.skills.understood(text) !== null || answers.skills.asks(text);
    if (isKnown || ((await home?.control.read(text)) ?? []).length > 0) return false;
    const { exchanges } =
      turn.conversation === null ? { exchanges: [] } : await conversations.read(turn.conversation);
    return answers.isRemark({
      turn: { ...turn, text },
      settings: await settings.of(turn),
      exchanges,
      message: text,
      signal: AbortSignal.any([signal, AbortSignal.timeout(maxDryRunMs)]),
      untilConfirmed: async () => undefined,
      beginActing: () => Promise.reject(new AppError('turn_cancelled')),
      say: () => undefined,
    });
  };
}
