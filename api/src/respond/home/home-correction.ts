import { turnOfAction } from '../../actions/action-store.ts';
import { dryRun } from '../core/dry-run.ts';
import { type HouseholdActions, undoAction } from '../core/household-actions.ts';
import { ended } from '../core/part.ts';
import { plainAnswer, type Question, type Responder } from '../core/responder.ts';
import type { Skill } from '../core/skill.ts';
import type { HomeTalk } from './home-control.ts';

interface CorrectionOptions {
  control: Pick<HomeTalk, 'corrected' | 'read' | 'answer'>;
  actions: HouseholdActions;
  skills: readonly Skill[];
}

const name = 'home';

/**
 * "No, the office" right after a command: takes it back and does the same there. If that is impossible, it
 * says so and changes nothing.
 */
export function createHomeCorrection({ control, actions, skills }: CorrectionOptions): Responder {
  const act = async (question: Question, text: string) => {
    const result = await control.answer(await control.read(text), {
      ...question,
      turn: { ...question.turn, text },
    });
    return result && plainAnswer(result.text);
  };

  /** The previous turn's actions that can be undone. Empty: it did nothing. */
  const justDone = async ({ turn, exchanges }: Question) => {
    const before = exchanges.at(-1)?.turn;
    return (await actions.latest(turn)).filter(
      ({ action }) =>
        action.kind === 'home.switch' && action.undoneBy === undefined && turnOfAction(action) === before,
    );
  };

  const correct = async (question: Question): Promise<string | null> => {
    if (!question.turn.isSure || question.exchanges.length === 0) return null;
    const text = await control.corrected(question);
    const done = text === null ? [] : await justDone(question);
    if (text === null || done.length === 0) return null;
    const predicted = await dryRun((asking) => act(asking, text), question);
    if (!predicted?.acts) return predicted?.text ?? null;
    const sentences: string[] = [];
    for (const found of done) sentences.push((await undoAction(skills, found, question)) ?? '');
    const answer = await act(question, text);
    return [...sentences, answer?.text ?? ''].filter(Boolean).map(ended).join(' ');
  };

  return {
    name,
    async respond(question) {
      const text = await correct(question);
      if (text === null) return null;
      question.say(text);
      return plainAnswer(text);
    },
  };
}
