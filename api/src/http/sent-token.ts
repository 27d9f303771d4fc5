import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Our own WebSocket subprotocol. A browser lets a page set no other header on a socket, so the token travels beside it as a second one. */
const ourProtocol = 'hearth.v1';
const tokenProtocol = 'bearer.';

/** The protocol that a WebSocket gets: ours when it was offered, and never the token. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(ourProtocol) && ourProtocol;
}

/**
 * The one token of a request, wherever it is sent: in the header, in the query, on a socket as a subprotocol. Of several that differ none is
 * tried, for a request is one guess.
 */
export function tokenOf(request: FastifyRequest): string | undefined {
  const [token, ...others] = new Set([
    ...bearerTokens(request),
    ...queryTokens(request),
    ...offeredTokens(request),
  ]);
  if (others.length > 0)
    throw new AppError('unauthorized', 'Send only one token: this request has several different ones.');
  return token;
}

function bearerTokens({ headers }: FastifyRequest): string[] {
  const token = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return token === undefined ? [] : [token];
}

function queryTokens({ query }: FastifyRequest): string[] {
  const param = typeof query === 'object' && query !== null && 'token' in query ? query.token : undefined;
  const params: unknown[] = Array.isArray(param) ? param : [param];
  return params.filter((token) => typeof token === 'string').filter(Boolean);
}

/** `bearer.` and the token in base64url, for a subprotocol takes no other characters. */
function offeredTokens({ headers }: FastifyRequest): string[] {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return [];
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(tokenProtocol))
    .map((each) => Buffer.from(each.slice(tokenProtocol.length), 'base64url').toString())
    .filter(Boolean);
}
