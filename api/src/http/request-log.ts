import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerAddress } from './caller-address.ts';
import { createRefusalTally } from './refusal-tally.ts';

/** Paths where the request id is the turn id. */
const turnPaths = new Set(['/ask', '/voice', '/v1/chat/completions']);

const longestPath = 200;

/** nginx's status for a caller that hung up. */
const hungUp = 499;

/**
 * Logs one line per finished request. Health checks and page polls are logged at `debug`. Of many refusals of
 * one kind, logs the first few and the number of the rest.
 */
export function logRequests(app: FastifyInstance): void {
  const tally = createRefusalTally({
    tell: ({ more, ...about }) =>
      app.log.info({ ...about, more }, `... and ${more.toLocaleString('en')} more were refused`),
  });
  const mayTell = (request: FastifyRequest, status: number): boolean =>
    status < 400 || status >= 500 || tally.note({ from: callerAddress(request), status });

  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    if (!mayTell(request, status)) return;
    const about = { ...whatOf(request), status, ms: Math.round(elapsedTime) };
    request.log[levelOf(request, status)](about, 'answered');
    if (changesHousehold(request, status)) request.log.info(deedOf(request), 'household changed');
  });
  app.addHook('onRequestAbort', async (request) => {
    if (mayTell(request, hungUp)) request.log.info(whatOf(request), 'caller hung up');
  });
  app.addHook('onClose', async () => tally.flush());
}

function whatOf(request: FastifyRequest) {
  const { method, url, id, routeOptions } = request;
  // The query may hold a token, so log only the path.
  const path = (url.split('?', 1)[0] ?? '').slice(0, longestPath);
  const isTurn = turnPaths.has(routeOptions.url ?? '');
  return { ...(isTurn && { turn: id }), method, path, ...whoAsked(request) };
}

/** Logs the token's name, never the token. */
function whoAsked(request: FastifyRequest) {
  // A malformed request has no caller.
  const name = request.caller?.tokenName;
  return { from: callerAddress(request), ...(name && { token_name: name }) };
}

/** The author of a change. Without a token, it was a caller on this machine. */
function deedOf(request: FastifyRequest) {
  const { operation } = request.routeOptions.config;
  return { operation, ...whoAsked(request), token_name: request.caller.tokenName };
}

function changesHousehold({ method, routeOptions }: FastifyRequest, status: number): boolean {
  const { operation, need } = routeOptions.config ?? {};
  if (operation === undefined || status >= 400) return false;
  return method === 'DELETE' || (need === 'administer' && method !== 'GET');
}

function levelOf({ method, routeOptions }: FastifyRequest, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn';
  const onlyLooks = method === 'GET' && routeOptions.url !== undefined && status < 400;
  return onlyLooks ? 'debug' : 'info';
}
