import { z } from 'zod';
import type { LanguageFiles } from '../../language/language.ts';
import { joined } from '../../language/phrase.ts';
import type { Skill } from './skill.ts';
import { loadSkill } from './skill-language.ts';

const shape = {
  intents: ['help'],
  replies: { help: ['abilities'] },
  words: z.strictObject({ between: z.string(), last: z.string() }),
} as const;

interface HelpOptions {
  files: LanguageFiles;
  /** What can be done; each tells of itself in its language file. */
  skills: readonly Skill[];
}

/** Says what can be asked. */
export function createHelpSkill({ files, skills }: HelpOptions): Skill {
  const { reply, sentences, words } = loadSkill(files, 'help', shape);
  const abilities = joined(
    skills.flatMap(({ help }) => help ?? []),
    words,
  );

  return {
    name: 'help',
    sentences,
    intents: { help: { effect: 'none', answer: ({ turn }) => reply('help', { abilities }, turn) } },
  };
}
