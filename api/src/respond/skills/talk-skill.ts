import type { LanguageFiles } from '../language.ts';
import type { Skill } from './skill.ts';
import { loadSkill, noWords } from './skill-language.ts';

const shape = {
  intents: ['repeat', 'stop', 'never_mind', 'thanks', 'goodbye'],
  replies: { repeat: ['said'], nothing_said: [], stop: [], never_mind: [], thanks: [], goodbye: [] },
  words: noWords,
} as const;

/** What people say about the talk itself: repeat it, stop it, thank you. */
export function createTalkSkill({ files }: { files: LanguageFiles }): Skill {
  const { reply, ...language } = loadSkill(files, 'talk', shape);

  return {
    name: 'talk',
    sentences: language.sentences,
    intents: {
      repeat: {
        effect: 'none',
        answer({ exchanges, turn }) {
          const said = exchanges.at(-1)?.assistant ?? '';
          return said === '' ? reply('nothing_said', {}, turn) : reply('repeat', { said }, turn);
        },
      },
      // Whatever was being said has ended already when these are heard.
      stop: { effect: 'none', answer: ({ turn }) => reply('stop', {}, turn) },
      never_mind: { effect: 'none', answer: ({ turn }) => reply('never_mind', {}, turn) },
      thanks: { effect: 'none', answer: ({ turn }) => reply('thanks', {}, turn) },
      goodbye: { effect: 'none', answer: ({ turn }) => reply('goodbye', {}, turn) },
    },
  };
}
