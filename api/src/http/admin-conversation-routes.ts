import { Readable } from 'node:stream';
import { type FoundExchange, findExchanges } from '../conversations/find-exchanges.ts';
import type {
  StoredConversation,
  StoredConversations,
  StoredExchange,
} from '../conversations/stored-conversations.ts';
import { AppError } from '../errors.ts';
import type { Handlers } from './contract-routes.ts';
import type { operations } from './contract-types.ts';
import { timeOf } from './time-param.ts';

type ConversationHandlers = Pick<
  Handlers,
  'listConversations' | 'getConversation' | 'forgetConversation' | 'forgetConversations' | 'findExchanges'
>;
type Which = NonNullable<operations['forgetConversations']['parameters']['query']>;

/** Shows, exports and deletes stored conversations. */
export function adminConversationRoutes({ kept }: { kept: StoredConversations }): ConversationHandlers {
  return {
    async listConversations({ query, reply }) {
      const { words = false, limit = 200, offset: from = 0 } = query;
      if (words) return reply.type('application/json; charset=utf-8').send(Readable.from(exported(kept)));
      return { conversations: (await kept.list({ from, limit })).map(summaryOf) };
    },

    async getConversation({ path: { name } }) {
      const exchanges = await kept.read(name);
      if (exchanges.length === 0) {
        const why = 'There is no conversation with this name.';
        throw new AppError('not_found', why, { param: 'name' });
      }
      return { name, exchanges: exchanges.map(exchangeOf) };
    },

    async forgetConversation({ path: { name } }) {
      return { forgotten_turns: await kept.forget(name) };
    },

    async forgetConversations({ query }) {
      return { forgotten_turns: await forgetAsked(kept, query) };
    },

    async findExchanges({ query: { text = '', conversation, before, limit = 50 } }) {
      const upTo = before === undefined ? Number.POSITIVE_INFINITY : timeOf(before, 'before');
      const found = await findExchanges(kept, {
        text: text.trim(),
        conversation,
        before: upTo,
        limit,
      });
      return {
        exchanges: found.map(exchangeBody),
      };
    },
  };
}

/** Deletes one conversation, one of its turns, or a period. Returns the number of deleted turns. */
function forgetAsked(kept: StoredConversations, { before, after, name, turn }: Which): Promise<number> {
  const refuse = (message: string, param: string) => {
    throw new AppError('invalid_request', message, { param });
  };
  if ((before === undefined) === (name === undefined))
    refuse('Specify what to delete: "before" or "name".', 'before');
  if (turn !== undefined && name === undefined) refuse('Specify the conversation with "name".', 'turn');
  if (after !== undefined && before === undefined)
    refuse('Specify the end of the period with "before".', 'after');
  if (name !== undefined) return turn === undefined ? kept.forget(name) : kept.forgetTurn(name, turn);
  const from = after === undefined ? undefined : timeOf(after, 'after');
  return kept.forgetBetween({ after: from, before: timeOf(before ?? '', 'before') });
}

/** Streams all conversations with their words as JSON. Holds only one conversation in memory. */
async function* exported(kept: StoredConversations): AsyncGenerator<string> {
  let between = '{"conversations":[';
  for await (const conversation of kept.all()) {
    const exchanges = await kept.read(conversation.name);
    if (exchanges.length === 0) continue;
    yield `${between}${JSON.stringify({ ...summaryOf(conversation), exchanges: exchanges.map(exchangeOf) })}`;
    between = ',\n';
  }
  yield between === ',\n' ? ']}' : `${between}]}`;
}

function summaryOf({ name, turns, lastAt }: StoredConversation) {
  return { name, turns, last_at: new Date(lastAt).toISOString() };
}

function exchangeOf({ turn, at, user, assistant }: StoredExchange) {
  return { turn, at: at === null ? null : new Date(at).toISOString(), user, assistant };
}

/** An exchange with its conversation, and how it was understood. */
export function exchangeBody({ conversation, ...exchange }: FoundExchange) {
  return { conversation, ...exchangeOf(exchange), understood: toldUnderstanding(exchange) };
}

function toldUnderstanding({ understood }: Pick<StoredExchange, 'understood'>) {
  if (understood === undefined) return null;
  const {
    via,
    rule = null,
    names = [],
    room = null,
    heard = null,
    isSure = true,
    alternatives = [],
  } = understood;
  return { via, rule, names, room, heard, is_sure: isSure, alternatives };
}
