import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

export interface AccessOptions {
  /** Undefined: only the machine itself is answered. */
  serviceToken: string | undefined;
  trustedHosts: readonly string[];
  /** The host as it is seen from inside a container whose port is published on a loopback address; else null. */
  gateway: string | null;
  now?: () => number;
}

const wrongTokensAMinute = 10;
/** Addresses remembered at the most, so that a flood from many cannot fill the memory. */
const mostAddresses = 10_000;

const noTokenHint = 'To open it to your network, run "make token" and restart.';

export type Access = ReturnType<typeof createAccess>;

/** Who may call. Forwarded headers are ignored: anybody can write them. */
export function createAccess({ serviceToken, trustedHosts, gateway, now = Date.now }: AccessOptions) {
  const expected = serviceToken === undefined ? undefined : digest(serviceToken);
  const wrong = new Map<string, { count: number; since: number }>();

  const wrongOf = (address: string) => {
    const entry = wrong.get(address);
    if (entry && now() - entry.since < 60_000) return entry;
    wrong.delete(address);
    return undefined;
  };

  const noteWrong = (address: string) => {
    const entry = wrongOf(address) ?? { count: 0, since: now() };
    entry.count += 1;
    if (wrong.size >= mostAddresses) wrong.delete(wrong.keys().next().value ?? '');
    wrong.set(address, entry);
  };

  const requireToken = (request: FastifyRequest, token: Buffer): void => {
    const address = request.socket.remoteAddress ?? '';
    const known = wrongOf(address);
    if (known && known.count >= wrongTokensAMinute) {
      const retryAfterS = Math.max(1, Math.ceil((known.since + 60_000 - now()) / 1_000));
      throw new AppError('too_many_wrong_tokens', undefined, { retryAfterS });
    }
    const given = tokensOf(request);
    if (given.some((each) => timingSafeEqual(digest(each), token))) return;
    if (given.length === 0) throw new AppError('unauthorized');
    noteWrong(address);
    throw new AppError('unauthorized', 'The token is wrong.');
  };

  const requireThisMachine = (request: FastifyRequest): void => {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    if (!isLoopback(peer) && peer !== gateway) {
      throw new AppError('local_only', `Only the machine that runs this server is answered. ${noTokenHint}`);
    }
    const host = hostName(request.headers.host);
    if (host === null || !(isOwnName(host) || trustedHosts.includes(host))) {
      throw new AppError(
        'local_only',
        'The Host header names another machine. Use localhost, or list the name in TRUSTED_HOSTS.',
      );
    }
  };

  /** A page may use this server when it came from the same host, from this machine, or from a listed one. */
  const requireOwnOrigin = (request: FastifyRequest): void => {
    const { origin } = request.headers;
    if (origin === undefined) return;
    const page = originHost(origin);
    const isOwn =
      page !== null &&
      (page.host === request.headers.host?.toLowerCase() ||
        isOwnName(page.name) ||
        trustedHosts.includes(page.name));
    if (!isOwn) throw new AppError('foreign_origin');
  };

  return {
    /** Throws AppError unless the caller may use a path that does or does not need a token. */
    check(request: FastifyRequest, { needsToken }: { needsToken: boolean }): void {
      if (expected === undefined) {
        requireThisMachine(request);
        requireOwnOrigin(request);
        return;
      }
      if (needsToken) requireToken(request, expected);
      if (changesSomething(request)) requireOwnOrigin(request);
    },
  };
}

/** Our own WebSocket subprotocol. A browser lets a page set no other header on a socket, so the token travels beside it as a second one. */
const ourProtocol = 'hearth.v1';
const tokenProtocol = 'bearer.';

/** What a WebSocket is answered: our protocol when it was offered, and never the token. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(ourProtocol) && ourProtocol;
}

/** The token as it may be sent: in the header, in the query, on a socket as a subprotocol, or several of these. */
function tokensOf(request: FastifyRequest): string[] {
  const header = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const query = request.query;
  const param = typeof query === 'object' && query !== null && 'token' in query ? query.token : undefined;
  const params = Array.isArray(param) ? param : [param];
  return [header, ...params, ...offeredTokens(request)].filter(
    (token): token is string => typeof token === 'string' && token !== '',
  );
}

/** `bearer.` and the token in base64url, for a subprotocol takes no other characters. */
function offeredTokens({ headers }: FastifyRequest): string[] {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return [];
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(tokenProtocol))
    .map((each) => Buffer.from(each.slice(tokenProtocol.length), 'base64url').toString());
}

/** Digests are of one length, so that comparing them tells nothing, not even how long the token is. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function changesSomething(request: FastifyRequest): boolean {
  return request.headers.upgrade !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
}

/** IPv4 in IPv6's clothes, as a dual-stack socket reports it. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Names that always mean this machine. Others are not looked up: what a name resolves to is decided by whoever owns it, which is how DNS
 * rebinding gets in.
 */
function isOwnName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

/** The name in a Host header, lower case, without port and brackets; null when it is none. */
function hostName(host: string | undefined): string | null {
  if (host === undefined || host === '' || /[\s/@?#\\]/.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url ? url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null;
}

function originHost(origin: string): { host: string; name: string } | null {
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return { host: url.host, name: url.hostname.replace(/^\[|\]$/g, '') };
}
