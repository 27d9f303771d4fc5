import type { PendingQuestions } from '../actions/pending-questions.ts';
import type { Exchange } from '../turn/turn.ts';
import type { AskedTurn } from './responder.ts';
import type { SkillResponder } from './skills/skill-responder.ts';
import { doubt } from './skills/yes-no-skill.ts';

interface DoubtsOptions {
  asked: PendingQuestions;
  skills: Pick<SkillResponder, 'understood'>;
}

export type Doubts = ReturnType<typeof createDoubts>;

/** What was heard with doubt, and asked back: "Did you say ...?" */
export function createDoubts({ asked, skills }: DoubtsOptions) {
  return {
    /** Notes that a turn's words were doubtful. To be called by whoever asks back. */
    note: (turn: AskedTurn) =>
      asked.note(turn.id, { kind: doubt, about: { text: turn.text }, at: turn.createdAt }),

    /** What a turn means: after a yes to doubtful words it is those words, and they are certain. Any other turn is what it says. */
    async meant(turn: AskedTurn, exchanges: readonly Exchange[]): Promise<AskedTurn> {
      const found = skills.understood(turn.text);
      if (found?.skill !== 'yes-no' || found.intent !== 'yes') return turn;
      const question = await asked.last(exchanges, turn.createdAt);
      const text = question?.kind === doubt ? question.about['text'] : undefined;
      return text === undefined ? turn : { ...turn, text, isSure: true };
    },
  };
}
