import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { callerAddress, plainAddress } from './caller-address.ts';
import { wasForwarded } from './forwarded.ts';
import { createGuesses } from './guesses.ts';
import { isLoopback, isOwnName } from './own-machine.ts';
import { hostName, isOwnOrigin } from './own-page.ts';
import { tokenOf } from './sent-token.ts';

export interface AccessOptions {
  /** Undefined: only the machine itself is answered. */
  serviceToken: string | undefined;
  trustedHosts: readonly string[];
  /** The host as it is seen from inside a container whose port is published on a loopback address; else null. */
  gateway: string | null;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
}

const noTokenHint = 'To open it to your network, run "make token" and restart.';
const forwardedHint =
  'This call came through a proxy, or uses HTTP/1.0 like one, so Hearth cannot tell who is asking. Set a SERVICE_TOKEN first: run "make token" and restart.';

export type Access = ReturnType<typeof createAccess>;

/** Who may call. What forwarding headers say is never believed: anybody can write them. */
export function createAccess(options: AccessOptions) {
  const { serviceToken, trustedHosts, gateway, now = () => performance.now() } = options;
  const expected = serviceToken === undefined ? undefined : digest(serviceToken);
  const guesses = createGuesses({ now });

  const requireToken = (request: FastifyRequest, token: Buffer): void => {
    const sent = tokenOf(request);
    if (sent === undefined) throw new AppError('unauthorized');
    const given = digest(sent);
    // The right one opens whatever others sent from the same address: everybody behind a proxy shares one.
    if (timingSafeEqual(given, token)) return;
    const retryAfterS = isFromForeignPage(request)
      ? 0
      : guesses.note(callerAddress(request), given.toString('base64'));
    if (retryAfterS > 0) throw new AppError('too_many_wrong_tokens', undefined, { retryAfterS });
    throw new AppError('unauthorized', 'The token is wrong.');
  };

  const requireThisMachine = (request: FastifyRequest): void => {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    if (!isLoopback(peer) && peer !== gateway) {
      throw new AppError('local_only', `This server answers only the machine it runs on. ${noTokenHint}`);
    }
    if (wasForwarded(request)) throw new AppError('local_only', forwardedHint);
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
    if (!isOwnOrigin(origin, request.headers.host, trustedHosts)) throw new AppError('foreign_origin');
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

/** Digests are of one length, so that comparing them tells nothing, not even how long the token is. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A page anywhere can make a browser send any number of tokens. Browsers say so to addresses that they hold for safe: https, and localhost. */
function isFromForeignPage({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

function changesSomething(request: FastifyRequest): boolean {
  return request.headers.upgrade !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
}
