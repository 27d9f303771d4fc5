import type { HomeTalk } from '../home/home-control.ts';
import type { Question, Responder } from '../responder.ts';
import { foresee } from '../several/foresee.ts';

/** What only shuts may be done unasked, though it is done to a lock or a gate. */
const shutting: ReadonlySet<string> = new Set(['lock', 'close']);

interface OpeningOptions {
  /** Null: no house is connected. */
  control: Pick<HomeTalk, 'read' | 'opensUp'> | null;
  /** The house. */
  responder: Responder | null;
}

/** Whether a step may let somebody in, as the house is now. */
export function createOpeningSteps({ control, responder }: OpeningOptions) {
  return async (question: Question): Promise<boolean> => {
    if (!control || !responder) return false;
    const { text } = question.turn;
    const commands = (await control.read(text)).filter(({ isQuestion }) => !isQuestion);
    if (commands.every(({ intent }) => shutting.has(intent))) return false;
    if (!(await control.opensUp(text, question))) return false;
    // A command that would not be carried out opens nothing: the house says why.
    return (await foresee(responder, question))?.acts ?? false;
  };
}
