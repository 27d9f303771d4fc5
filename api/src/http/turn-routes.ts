import { AppError } from '../errors.ts';
import type { TurnClient } from '../turn-client/turn-client.ts';
import { ownName } from './caller.ts';
import { openCallerTurn, serverTiming } from './caller-turn.ts';
import type { Handlers } from './contract-routes.ts';

/** The conversation of callers that name none. */
export const sharedConversation = 'api';

interface TurnRouteOptions {
  turnClient: TurnClient;
  /** The tag of the language that a request names. Throws AppError. */
  languageIn: (named: string | undefined) => string | undefined;
}

/** Answers questions. */
export function turnRoutes({ turnClient, languageIn }: TurnRouteOptions): Pick<Handlers, 'ask'> {
  return {
    async ask({ body, request, reply }) {
      const text = body.text.trim();
      if (text === '') throw new AppError('invalid_request', '"text" holds no words.', { param: 'text' });
      const conversation = ownName(request.caller, body.client || sharedConversation);
      const room = body.room?.trim() || null;
      const language = languageIn(body.language);
      const opened = await openCallerTurn(turnClient, { request, reply });
      const turn = await opened.start({ source: 'ask', question: { text }, conversation, room, language });

      const { text: words, via, timings } = await turn.reply;
      reply.header('server-timing', serverTiming(timings));
      return { reply: words, via };
    },
  };
}
