import type { Exchange } from '../turn/turn.ts';
import type { HouseholdQuestions } from './household-questions.ts';
import type { AskedTurn } from './responder.ts';
import type { SkillResponder } from './skills/skill-responder.ts';

interface DoubtsOptions {
  asked: HouseholdQuestions;
  skills: Pick<SkillResponder, 'understood'>;
}

export type Doubts = ReturnType<typeof createDoubts>;

/** What was heard with doubt, and asked back: "Did you say ...?" */
export function createDoubts({ asked, skills }: DoubtsOptions) {
  return {
    /** Notes that a turn's words were doubtful. To be called by whoever asks back. */
    note: (turn: AskedTurn) => asked.note(turn, { kind: 'doubt', text: turn.text }),

    /** What a turn means: after a yes to doubtful words it is those words, and they are certain. Any other turn is what it says. */
    async meant(turn: AskedTurn, exchanges: readonly Exchange[]): Promise<AskedTurn> {
      const found = skills.understood(turn.text);
      if (found?.skill !== 'yes-no' || found.intent !== 'yes') return turn;
      const question = await asked.last(exchanges, turn.createdAt);
      return question?.kind === 'doubt' ? { ...turn, text: question.text, isSure: true } : turn;
    },
  };
}
