import { ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import { sharedConversation } from './turn-routes.ts';

interface UndoableRoutesOptions {
  /** The turn that would be taken back in a conversation. */
  undoable: (conversation: string) => Promise<string | null>;
}

/** What can be taken back, so that a page can offer it beside the words that did it. */
export function undoableRoutes({ undoable }: UndoableRoutesOptions): Pick<Handlers, 'findUndoable'> {
  return {
    async findUndoable({ query: { client }, request: { caller } }) {
      return { turn: await undoable(ownName(caller, client || sharedConversation)) };
    },
  };
}
