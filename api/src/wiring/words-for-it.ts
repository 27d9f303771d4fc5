import { createWordsForIt, type WordsForIt } from '../stages/words-for-it.ts';
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
