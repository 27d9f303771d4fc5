import { ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import { sharedConversation } from './turn-routes.ts';

interface UndoableRoutesOptions {
  /** The turn that undo would revert in a conversation. */
  undoable: (conversation: string) => Promise<string | null>;
}

/** The turn that can be undone, so that a page can offer undo beside it. */
export function undoableRoutes({ undoable }: UndoableRoutesOptions): Pick<Handlers, 'findUndoable'> {
  return {
    async findUndoable({ query: { client }, request: { caller } }) {
      return { turn: await undoable(ownName(caller, client || sharedConversation)) };
    },
  };
}
