import { z } from 'zod';
import type { LanguageFiles } from '../../language/language.ts';
import { joined } from '../../language/phrase.ts';
import type { ByKind } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';

const shape = {
  replies: { examples: [], help: ['abilities'] },
  words: z.strictObject({ between: z.string(), last: z.string() }),
} as const;

/** Asks whether to list every ability. */
export const helpQuestionSchema = z.object({ kind: z.literal('help') });

interface HelpOptions {
  files: LanguageFiles;
  pendingQuestions: Pick<HouseholdQuestions, 'note'>;
  /** The skills to describe, each with words from its language file. */
  skills: readonly Skill[];
}

/** Gives examples of what people can ask for, and lists everything after a yes. */
export function createHelpSkill({ files, pendingQuestions, skills }: HelpOptions): Skill {
  const { reply, sentencesOf, words } = loadSkill(files, 'help', shape);
  const { tells } = intentsOf();
  const abilities = joined(
    skills.flatMap(({ help }) => help ?? []),
    words,
  );

  const everything = ({ turn }: Ask): string => reply('help', { abilities }, turn);

  return defineSkill({
    name: 'help',
    sentencesOf,
    slots: {},
    intents: {
      help: tells(async ({ turn }) => {
        await pendingQuestions.note(turn, { kind: 'help' });
        return reply('examples', {}, turn);
      }),
      everything: tells(everything),
    },
    onYes: { help: async (_question, ask) => everything(ask) },
  });
}

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<z.infer<typeof helpQuestionSchema>> {}
}
