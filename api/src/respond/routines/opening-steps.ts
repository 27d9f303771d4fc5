import type { DryRunResponder, Question } from '../core/responder.ts';
import type { HomeTalk } from '../home/home-control.ts';
import { shutting } from '../home/opens-up.ts';

interface OpeningOptions {
  /** Null: no house is connected. */
  control: Pick<HomeTalk, 'read' | 'opensUp'> | null;
  /** The house. */
  responder: DryRunResponder | null;
}

/** Whether a step may let someone in, in the house's current state. */
export function createOpeningSteps({ control, responder }: OpeningOptions) {
  return async (question: Question): Promise<boolean> => {
    if (!control || !responder) return false;
    const { text } = question.turn;
    const commands = (await control.read(text)).filter(({ kind }) => kind !== 'question');
    if (commands.every(({ intent }) => shutting.has(intent))) return false;
    if (!(await control.opensUp(text, question))) return false;
    // A command that would fail opens nothing. The house reports the reason.
    return (await responder.dryRun(question))?.acts ?? false;
  };
}
