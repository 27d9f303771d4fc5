import type { MistakeStore } from '../conversations/mistake-store.ts';
import type { StoredConversations } from '../conversations/stored-conversations.ts';
import { AppError } from '../errors.ts';
import { exchangeBody } from './admin-conversation-routes.ts';
import type { Handlers } from './contract-routes.ts';

interface MistakeRoutesOptions {
  mistakes: Pick<MistakeStore, 'all' | 'keep' | 'remove' | 'clear'>;
  kept: Pick<StoredConversations, 'read'>;
}

type MistakeHandlers = Pick<Handlers, 'listMistakes' | 'reportMistake' | 'removeMistakes'>;

/** Questions that the household reported as misunderstood. */
export function adminMistakeRoutes({ mistakes, kept }: MistakeRoutesOptions): MistakeHandlers {
  const list = async () => ({ mistakes: (await mistakes.all()).map(exchangeBody) });
  return {
    listMistakes: list,

    async reportMistake({ body: { conversation, turn } }) {
      const found = (await kept.read(conversation)).find((each) => each.turn === turn);
      if (!found)
        throw new AppError('not_found', 'Hearth no longer remembers this question.', { param: 'turn' });
      await mistakes.keep({ ...found, conversation, turn, at: found.at ?? 0 });
      return await list();
    },

    async removeMistakes({ query: { turn } }) {
      return { removed: turn === undefined ? await mistakes.clear() : await mistakes.remove(turn) };
    },
  };
}
