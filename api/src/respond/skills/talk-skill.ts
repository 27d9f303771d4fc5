import type { LanguageFiles } from '../../language/language.ts';
import type { Ask, Skill } from './skill.ts';
import { loadSkill, noWords } from './skill-language.ts';

const shape = {
  intents: ['repeat', 'stop', 'never_mind', 'thanks', 'goodbye'],
  replies: { repeat: ['said'], nothing_said: [], stop: [], never_mind: [], thanks: [], goodbye: [] },
  words: noWords,
} as const;

interface TalkOptions {
  files: LanguageFiles;
  /** Ends what rings where somebody speaks, and says so; null when nothing does. A "stop" and a "thank you" are meant for it first. */
  quiet(ask: Ask): Promise<string | null>;
}

/** What people say about the talk itself: repeat it, stop it, thank you. */
export function createTalkSkill({ files, quiet }: TalkOptions): Skill {
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
      stop: { effect: 'none', answer: async (ask) => (await quiet(ask)) ?? reply('stop', {}, ask.turn) },
      never_mind: {
        effect: 'none',
        answer: async (ask) => (await quiet(ask)) ?? reply('never_mind', {}, ask.turn),
      },
      thanks: { effect: 'none', answer: async (ask) => (await quiet(ask)) ?? reply('thanks', {}, ask.turn) },
      goodbye: { effect: 'none', answer: ({ turn }) => reply('goodbye', {}, turn) },
    },
  };
}
