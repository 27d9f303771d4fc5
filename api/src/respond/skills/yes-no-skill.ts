import type { PendingQuestions } from '../../actions/pending-questions.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { Ask, OnYes, Skill } from './skill.ts';
import { loadSkill, noWords } from './skill-language.ts';

/** The question whether doubtful words were understood. Its yes is answered as if those words had been said: see `doubts.ts`. */
export const doubt = 'doubt';

const shape = { intents: ['yes', 'no'], replies: { left: [], say_again: [] }, words: noWords } as const;

interface YesNoOptions {
  files: LanguageFiles;
  asked: PendingQuestions;
  /** Whatever asks questions. */
  skills: readonly Skill[];
  /** Ends what rings where somebody speaks, and says so; null when nothing does. */
  quiet(ask: Ask): Promise<string | null>;
}

/** The answer to a question that was asked back. Where none was asked, an "okay" is for a timer that rings, and else none of our business. */
export function createYesNoSkill({ files, asked, skills, quiet }: YesNoOptions): Skill {
  const { reply, sentences } = loadSkill(files, 'yes-no', shape);
  const kinds = new Map<string, OnYes>(skills.flatMap(({ onYes = {} }) => Object.entries(onYes)));

  const questionBefore = ({ exchanges, turn }: Ask) => asked.last(exchanges, turn.createdAt);

  return {
    name: 'yes-no',
    sentences,
    intents: {
      yes: {
        effect: 'final',
        async answer(ask) {
          const question = await questionBefore(ask);
          const act = question && kinds.get(question.kind);
          return act ? act(question.about, ask) : quiet(ask);
        },
      },
      no: {
        effect: 'none',
        async answer(ask) {
          const question = await questionBefore(ask);
          return question && reply(question.kind === doubt ? 'say_again' : 'left', {}, ask.turn);
        },
      },
    },
  };
}
