import type { PendingQuestions } from '../../actions/pending-questions.ts';
import type { Ask } from './responder.ts';

/**
 * Every question that the assistant asks back, by its kind. The file with the schema of a kind adds the kind
 * here by declaration merging; `wiring/household-stores.ts` lists the schema.
 */
export interface QuestionsByKind {
  /** "Did you say ...?" After a yes the assistant answers those words: see `doubts.ts`. */
  doubt: { kind: 'doubt'; text: string };
}

/** A question that the assistant has asked back. */
export type PendingQuestion = QuestionsByKind[keyof QuestionsByKind];

/** Handlers for a yes, by question kind; each receives the question. */
export type OnYes = {
  readonly [Kind in keyof QuestionsByKind]?: (question: QuestionsByKind[Kind], ask: Ask) => Promise<string>;
};

export type HouseholdQuestions = PendingQuestions<PendingQuestion>;

/**
 * Runs the action that a yes confirms, through the skill that asked. Null: no skill handles this question.
 */
export async function agree(
  skills: readonly { onYes?: OnYes }[],
  question: PendingQuestion,
  ask: Ask,
): Promise<string | null> {
  return (await said(skills, { kind: question.kind, question, ask })) ?? null;
}

/** Passes the kind separately, so that the compiler sees that both types match. */
function said<Kind extends keyof QuestionsByKind>(
  skills: readonly { onYes?: OnYes }[],
  { kind, question, ask }: { kind: Kind; question: QuestionsByKind[Kind]; ask: Ask },
): Promise<string> | undefined {
  return skills.map(({ onYes }) => onYes?.[kind]).find((act) => act !== undefined)?.(question, ask);
}
