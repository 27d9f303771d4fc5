import type { LanguageFiles } from '../../language/language.ts';
import { agree, type HouseholdQuestions } from '../core/household-questions.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill, noWords } from '../core/skill-language.ts';

const shape = { replies: { left: [], say_again: [] }, words: noWords } as const;

interface YesNoOptions {
  files: LanguageFiles;
  pendingQuestions: HouseholdQuestions;
  /** The skills that may have asked the question. */
  skills: readonly Skill[];
  /** Silences ringing timers in the speaker's room and says so; null if none rings. */
  quiet(ask: Ask): Promise<string | null>;
}

/** Handles a yes or no to a pending question. Without one, "okay" silences a ringing timer, or passes on. */
export function createYesNoSkill({ files, pendingQuestions, skills, quiet }: YesNoOptions): Skill {
  const { reply, sentencesOf } = loadSkill(files, 'yes-no', shape);
  const { tells } = intentsOf();
  const questionBefore = ({ exchanges, turn }: Ask) => pendingQuestions.last(exchanges, turn.createdAt);

  return defineSkill({
    name: 'yes-no',
    sentencesOf,
    slots: {},
    intents: {
      yes: {
        effect: 'final',
        async answer(ask) {
          const question = await questionBefore(ask);
          return (question && (await agree(skills, question, ask))) ?? quiet(ask);
        },
      },
      no: tells(async (ask) => {
        const question = await questionBefore(ask);
        return question && reply(question.kind === 'doubt' ? 'say_again' : 'left', {}, ask.turn);
      }),
    },
  });
}
