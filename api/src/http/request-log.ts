import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerAddress } from './caller-address.ts';
import { createRefusalTally } from './refusal-tally.ts';

/** The id of such a request is the id of its turn. */
const turnPaths = new Set(['/ask', '/voice', '/v1/chat/completions']);

const longestPath = 200;

/** The status of a caller who hung up, as nginx has it. */
const hungUp = 499;

/**
 * One line for each request when it is over. Health checks and pages, which look every few seconds, are told
 * at `debug`; of many refusals of one kind, the first few, and their number.
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
  // The query may hold a token, so only the path is told.
  const path = (url.split('?', 1)[0] ?? '').slice(0, longestPath);
  const isTurn = turnPaths.has(routeOptions.url ?? '');
  return { ...(isTurn && { turn: id }), method, path, ...whoAsked(request) };
}

/** By the name of the token, never the token itself. */
function whoAsked(request: FastifyRequest) {
  // A request that could not even be read has no caller.
  const name = request.caller?.tokenName;
  return { from: callerAddress(request), ...(name && { token_name: name }) };
}

/** Who has changed what: without a token, somebody at this machine. */
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
