import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { type Timings, timedParts } from '../turn/turn.ts';
import type { OnceTurn, TurnClient } from '../turn-client/turn-client.ts';
import { idempotentRequestOf } from './idempotency-key.ts';

interface Caller {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Aborts when the caller hangs up before the response has ended. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  // The request's own signal does not work: a request closes once its body has been read.
  const controller = new AbortController();
  const hungUp = () => {
    if (!raw.writableFinished) controller.abort(new AppError('turn_cancelled'));
  };
  raw.once('close', hungUp);
  if (raw.destroyed) hungUp();
  return controller.signal;
}

/** The turn of an HTTP caller before it starts. */
type CallerTurn = Pick<OnceTurn, 'id' | 'askedAt' | 'start'>;

/**
 * Opens a turn for an HTTP caller. The request id becomes the turn id. Hanging up cancels the turn. With an
 * `Idempotency-Key`, the turn continues, and a repeated request gets the same turn.
 */
export async function openCallerTurn(
  turnClient: Pick<TurnClient, 'startTurn' | 'startOnce'>,
  { request, reply }: Caller,
): Promise<CallerTurn> {
  const once = idempotentRequestOf(request);
  if (!once) return openPlainTurn(turnClient, { request, reply });
  const turn = await turnClient.startOnce({
    request: once,
    turnId: request.id,
    signal: hangUpSignal(reply),
  });
  if (turn.isRepeated) reply.headers({ 'x-request-id': turn.id, 'idempotent-replayed': 'true' });
  return turn;
}

function openPlainTurn(
  turnClient: Pick<TurnClient, 'startTurn'>,
  { request: { id }, reply }: Caller,
): CallerTurn {
  const gone = hangUpSignal(reply);
  const start: CallerTurn['start'] = async (newTurn) => {
    const turn = await turnClient.startTurn({ ...newTurn, id });
    // A spoken reply that was never sent counts as not played, even if its words exist.
    const hungUp = () => turn.cancel(newTurn.speaks ? '' : undefined);
    gone.addEventListener('abort', hungUp, { once: true });
    if (gone.aborted) hungUp();
    return turn;
  };
  return { id, askedAt: Date.now(), start };
}

/** The value of the Server-Timing header. */
export function serverTiming(timings: Timings): string {
  return timedParts
    .flatMap((part) => (timings[part] === undefined ? [] : `${part};dur=${timings[part].toFixed(1)}`))
    .join(', ');
}
