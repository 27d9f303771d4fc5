import { z } from 'zod';
import type { LanguageFiles } from '../../language/language.ts';
import { joined } from '../../language/phrase.ts';
import { defineSkill, intentsOf, type Skill } from './skill.ts';
import { loadSkill } from './skill-language.ts';

const shape = {
  replies: { help: ['abilities'] },
  words: z.strictObject({ between: z.string(), last: z.string() }),
} as const;

interface HelpOptions {
  files: LanguageFiles;
  /** The skills to describe, each with words from its language file. */
  skills: readonly Skill[];
}

/** Says what people can ask for. */
export function createHelpSkill({ files, skills }: HelpOptions): Skill {
  const { reply, sentencesOf, words } = loadSkill(files, 'help', shape);
  const { tells } = intentsOf();
  const abilities = joined(
    skills.flatMap(({ help }) => help ?? []),
    words,
  );

  return defineSkill({
    name: 'help',
    sentencesOf,
    slots: {},
    intents: { help: tells(({ turn }) => reply('help', { abilities }, turn)) },
  });
}
