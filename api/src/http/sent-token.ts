import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Our WebSocket subprotocol. A browser page cannot set other headers on a socket, so the token is a second
 * subprotocol.
 */
const ourProtocol = 'hearth.v1';
const tokenProtocol = 'bearer.';
/** OpenAI's subprotocols for pages: its protocol, and the plain key. */
const foreignProtocol = 'realtime';
const foreignTokenProtocol = 'openai-insecure-api-key.';

/** The subprotocol of a WebSocket: ours if offered, and never the token. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  if (offered.has(ourProtocol)) return ourProtocol;
  return offered.has(foreignProtocol) && foreignProtocol;
}

/**
 * The token of a request from the header, the query or a subprotocol. Returns none if several tokens differ,
 * because a request counts as one guess.
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

/** `bearer.` and the token in base64url, because a subprotocol allows no other characters. */
function offeredTokens({ headers }: FastifyRequest): string[] {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return [];
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  const after = (prefix: string) =>
    offered.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
  const ours = after(tokenProtocol).map((token) => Buffer.from(token, 'base64url').toString());
  return [...ours, ...after(foreignTokenProtocol)].filter(Boolean);
}
