import { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import type { KeptConversation, KeptConversations, KeptExchange } from '../turn/kept-conversations.ts';
import type { Handlers } from './contract-routes.ts';
import { timeOf } from './time-param.ts';

type ConversationHandlers = Pick<
  Handlers,
  'listConversations' | 'getConversation' | 'forgetConversation' | 'forgetConversations'
>;

/** The kept conversations: shown, exported, forgotten. */
export function adminConversationRoutes({ kept }: { kept: KeptConversations }): ConversationHandlers {
  return {
    async listConversations({ query, reply }) {
      const { words = false, limit: most = 200, offset: from = 0 } = query;
      if (words) return reply.type('application/json; charset=utf-8').send(Readable.from(exported(kept)));
      return { conversations: (await kept.list({ from, most })).map(told) };
    },

    async getConversation({ path: { name } }) {
      const exchanges = await kept.read(name);
      if (exchanges.length === 0) {
        const why = 'There is no conversation with this name.';
        throw new AppError('not_found', why, { param: 'name' });
      }
      return { name, exchanges: exchanges.map(toldExchange) };
    },

    async forgetConversation({ path: { name } }) {
      return { forgotten_turns: await kept.forget(name) };
    },

    async forgetConversations({ query: { before, name } }) {
      if ((before === undefined) === (name === undefined)) {
        throw new AppError('invalid_request', 'Say what to forget: either "before" or "name".', {
          param: 'before',
        });
      }
      const forgotten =
        name === undefined
          ? await kept.forgetBefore(timeOf(before ?? '', 'before'))
          : await kept.forget(name);
      return { forgotten_turns: forgotten };
    },
  };
}

/** All conversations with their words as JSON, piece by piece: of years of them only one is in memory. */
async function* exported(kept: KeptConversations): AsyncGenerator<string> {
  let between = '{"conversations":[';
  for await (const conversation of kept.all()) {
    const exchanges = await kept.read(conversation.name);
    if (exchanges.length === 0) continue;
    yield `${between}${JSON.stringify({ ...told(conversation), exchanges: exchanges.map(toldExchange) })}`;
    between = ',\n';
  }
  yield between === ',\n' ? ']}' : `${between}]}`;
}

function told({ name, turns, lastAt }: KeptConversation) {
  return { name, turns, last_at: new Date(lastAt).toISOString() };
}

function toldExchange({ turn, at, user, assistant }: KeptExchange) {
  return { turn, at: at === null ? null : new Date(at).toISOString(), user, assistant };
}
