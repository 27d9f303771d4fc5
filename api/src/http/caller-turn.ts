import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Chain, NewTurn, PendingTurn } from '../jobs/chain.ts';
import { type Timings, timedParts } from '../turn/turn.ts';

interface Caller {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Starts a turn for an HTTP caller, who ends it by hanging up. The request's id is the turn's. */
export async function startCallerTurn(
  chain: Chain,
  { request, reply }: Caller,
  asked: Omit<NewTurn, 'id'>,
): Promise<PendingTurn> {
  const turn = await chain.startTurn({ ...asked, id: request.id });
  const hungUp = () => {
    if (!reply.raw.writableFinished) turn.cancel();
  };
  reply.raw.once('close', hungUp);
  if (reply.raw.destroyed) hungUp();
  return turn;
}

/** The value of the Server-Timing header. */
export function serverTiming(timings: Timings): string {
  return timedParts
    .flatMap((part) => (timings[part] === undefined ? [] : `${part};dur=${timings[part].toFixed(1)}`))
    .join(', ');
}
