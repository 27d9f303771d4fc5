import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Chain, NewTurn } from '../jobs/chain.ts';
import { type Reply, type Timings, timedParts } from '../turn/turn.ts';
import type { Handlers } from './contract.ts';

/** The conversation of everybody who names none. */
const sharedConversation = 'api';

/** Questions and their answers. */
export function turnRoutes({ chain }: { chain: Chain }): Pick<Handlers, 'ask'> {
  return {
    async ask({ body, request, reply }) {
      const text = body.text.trim();
      if (text === '') throw new AppError('invalid_request', '"text" holds no words.', { param: 'text' });
      const asked: NewTurn = {
        id: request.id,
        source: 'ask',
        text,
        conversation: body.client || sharedConversation,
        room: body.room?.trim() || null,
      };
      const { text: words, via, timings } = await answer(chain, asked, { request, reply });
      reply.header('server-timing', serverTiming(timings));
      return { reply: words, via };
    },
  };
}

/** Waits for the answer; a caller who hangs up ends the work on it. */
async function answer(
  chain: Chain,
  asked: NewTurn,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Reply> {
  const turn = await chain.startTurn(asked);
  const hungUp = () => {
    if (!reply.raw.writableFinished)
      turn.cancel().catch((error) => request.log.warn({ err: error }, 'could not cancel'));
  };
  reply.raw.once('close', hungUp);
  if (reply.raw.destroyed) hungUp();
  return await turn.reply;
}

function serverTiming(timings: Timings): string {
  return timedParts
    .flatMap((part) => (timings[part] === undefined ? [] : `${part};dur=${timings[part].toFixed(1)}`))
    .join(', ');
}
