import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Chain, NewTurn, PendingTurn } from '../jobs/chain.ts';
import { type Timings, timedParts } from '../turn/turn.ts';

interface Caller {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Fires when the caller hangs up before the response has ended. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  // The request's own signal will not do: a request closes as soon as its body has been read.
  const controller = new AbortController();
  const hungUp = () => {
    if (!raw.writableFinished) controller.abort(new AppError('turn_cancelled'));
  };
  raw.once('close', hungUp);
  if (raw.destroyed) hungUp();
  return controller.signal;
}

/** Starts a turn for an HTTP caller, who ends it by hanging up. The request's id is the turn's. */
export async function startCallerTurn(
  chain: Chain,
  { request, reply }: Caller,
  asked: Omit<NewTurn, 'id'>,
): Promise<PendingTurn> {
  const gone = hangUpSignal(reply);
  const turn = await chain.startTurn({ ...asked, id: request.id });
  // A reply that was to be spoken and never was has not been heard, even where its words are there.
  const hungUp = () => turn.cancel(asked.speaks ? '' : undefined);
  gone.addEventListener('abort', hungUp, { once: true });
  if (gone.aborted) hungUp();
  return turn;
}

/** The value of the Server-Timing header. */
export function serverTiming(timings: Timings): string {
  return timedParts
    .flatMap((part) => (timings[part] === undefined ? [] : `${part};dur=${timings[part].toFixed(1)}`))
    .join(', ');
}
