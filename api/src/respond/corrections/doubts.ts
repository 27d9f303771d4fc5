import type { Exchange } from '../../conversations/exchange.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { TextTurn } from '../core/responder.ts';
import type { SkillResponder } from '../core/skill-responder.ts';

interface DoubtsOptions {
  pendingQuestions: HouseholdQuestions;
  skills: Pick<SkillResponder, 'understood'>;
}

export type Doubts = ReturnType<typeof createDoubts>;

/** Keeps doubtful transcripts that the assistant asked about: "Did you say ...?" */
export function createDoubts({ pendingQuestions, skills }: DoubtsOptions) {
  return {
    /** Notes that a turn's words were doubtful. Call it when you ask back. */
    note: (turn: TextTurn) => pendingQuestions.note(turn, { kind: 'doubt', text: turn.text }),

    /**
     * Resolves a turn. A yes to doubtful words becomes those words, which are now certain. Any other turn
     * stays unchanged.
     */
    async meant(turn: TextTurn, exchanges: readonly Exchange[]): Promise<TextTurn> {
      const found = skills.understood(turn.text);
      if (found?.skill !== 'yes-no' || found.intent !== 'yes') return turn;
      const question = await pendingQuestions.last(exchanges, turn.createdAt);
      return question?.kind === 'doubt' ? { ...turn, text: question.text, isSure: true } : turn;
    },
  };
}
