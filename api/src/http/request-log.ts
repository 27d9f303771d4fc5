import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The id of such a request is the id of its turn. */
const turnPaths = new Set(['/ask', '/voice', '/v1/chat/completions']);

const longestPath = 200;

/** One line for each request when it is over. Whoever only looks, as health checks and pages do every few seconds, is told at `debug`. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    const about = { ...whatOf(request), status, ms: Math.round(elapsedTime) };
    request.log[levelOf(request, status)](about, 'answered');
  });
  app.addHook('onRequestAbort', async (request) => {
    request.log.info(whatOf(request), 'the caller hung up');
  });
}

function whatOf({ method, url, id, routeOptions, socket }: FastifyRequest) {
  // The query may hold a token, so only the path is told.
  const path = (url.split('?', 1)[0] ?? '').slice(0, longestPath);
  const isTurn = turnPaths.has(routeOptions.url ?? '');
  return { ...(isTurn && { turn: id }), method, path, from: socket.remoteAddress };
}

function levelOf({ method, routeOptions }: FastifyRequest, status: number): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn';
  const onlyLooks = method === 'GET' && routeOptions.url !== undefined && status < 400;
  return onlyLooks ? 'debug' : 'info';
}
