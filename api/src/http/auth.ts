import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { covers, digestOf, type Scope } from '../tokens/device-token.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import { anybody, type Caller, owner, thisMachine } from './caller.ts';
import { callerAddress, plainAddress } from './caller-address.ts';
import { wasForwarded } from './forwarded.ts';
import { createGuesses } from './guesses.ts';
import { isLoopback, isOwnName } from './own-machine.ts';
import { hostName, isOwnOrigin, type Trusted } from './own-page.ts';
import type { Need } from './scopes.ts';
import { tokenOf } from './sent-token.ts';

export interface AccessOptions extends Trusted {
  /** The owner's. Undefined, and no tokens: only the machine itself is answered. */
  serviceToken: string | undefined;
  /** Those of devices and programs. */
  tokens: Pick<KnownTokens, 'find' | 'isRead' | 'isEmpty'>;
  /**
   * The host as it is seen from inside a container whose port is published on a loopback address; else null.
   */
  gateway: string | null;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
}

const noTokenHint = 'To open it to your network, run "make token" and restart.';
const forwardedHint =
  'This call came through a proxy, or uses HTTP/1.0 like one, so Hearth cannot tell who is asking. Set a SERVICE_TOKEN first: run "make token" and restart.';
const notYetHint =
  'Redis, the memory of this server, cannot be reached, so Hearth cannot tell yet whether it knows this token.';

export type Access = ReturnType<typeof createAccess>;

/** Who may call. What forwarding headers say is never believed: anybody can write them. */
export function createAccess(options: AccessOptions) {
  const { serviceToken, tokens, now = () => performance.now() } = options;
  const { requireThisMachine, requireOwnOrigin } = createLocalRules(options);
  const owners = serviceToken === undefined ? undefined : digestOf(serviceToken);
  const guesses = createGuesses({ now });

  const callerOf = (sent: Buffer): Caller | undefined => {
    // Both are always compared, so that the time does not tell which it was.
    const isOwner = owners !== undefined && timingSafeEqual(sent, owners);
    const device = tokens.find(sent);
    if (isOwner) return owner;
    return device && { tokenName: device.name, scope: device.scope, device };
  };

  /** Throws the refusal of a token that opens nothing. */
  const refuse = (request: FastifyRequest, sent: Buffer): never => {
    const retryAfterS = isFromForeignPage(request)
      ? 0
      : guesses.note(callerAddress(request), sent.toString('base64'));
    if (retryAfterS > 0) throw new AppError('too_many_wrong_tokens', undefined, { retryAfterS });
    // A satellite that is told that its token is wrong gives up.
    if (!tokens.isRead) throw new AppError('redis_unavailable', notYetHint);
    throw new AppError('unauthorized', 'The token is wrong.');
  };

  const admitThisMachine = (request: FastifyRequest): Caller => {
    requireThisMachine(request);
    requireOwnOrigin(request);
    return thisMachine;
  };

  /** Without a SERVICE_TOKEN the machine itself needs none, whatever tokens there are. */
  const admitWithout = (request: FastifyRequest): Caller => {
    if (owners !== undefined) throw new AppError('unauthorized');
    try {
      requireThisMachine(request);
    } catch (error) {
      // Now there are tokens that would open: a page that is told so asks for one.
      throw new AppError('unauthorized', undefined, { cause: error });
    }
    requireOwnOrigin(request);
    return thisMachine;
  };

  const admitByToken = (request: FastifyRequest, need: Scope): Caller => {
    const token = tokenOf(request);
    if (token === undefined) return admitWithout(request);
    const sent = digestOf(token);
    // The right one opens whatever others sent from the same address: everybody behind a proxy shares one.
    const caller = callerOf(sent) ?? refuse(request, sent);
    if (!covers(caller.scope, need)) throw new AppError('insufficient_scope', tooSmall(caller, need));
    return caller;
  };

  /** As long as there is no token at all. */
  const admitLocally = (request: FastifyRequest, need: Need): Caller => {
    try {
      return admitThisMachine(request);
    } catch (error) {
      const mayBeKnown = !tokens.isRead && need !== 'open' && isRefusal(error) && tokenOf(request);
      throw mayBeKnown ? new AppError('redis_unavailable', notYetHint) : error;
    }
  };

  return {
    /** Who calls. Throws AppError unless they may use a path that needs this. */
    check(request: FastifyRequest, need: Need): Caller {
      if (owners === undefined && tokens.isEmpty) return admitLocally(request, need);
      const caller = need === 'open' ? anybody : admitByToken(request, need);
      if (changesSomething(request)) requireOwnOrigin(request);
      return caller;
    },
  };
}

/** What is asked of calls by where they come from: without a token, and of pages always. */
function createLocalRules({
  trustedHosts,
  trustedOrigins,
  gateway,
}: Pick<AccessOptions, keyof Trusted | 'gateway'>) {
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
    if (!isOwnOrigin(origin, request.headers.host, { trustedHosts, trustedOrigins }))
      throw new AppError('foreign_origin');
  };

  return { requireThisMachine, requireOwnOrigin };
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'local_only';
}

function tooSmall({ tokenName, scope }: Caller, need: Scope): string {
  return `The token "${tokenName}" has the scope ${scope}. This needs a token with the scope ${need}.`;
}

/**
 * A page anywhere can make a browser send any number of tokens. Browsers say so to addresses that they hold
 * for safe: https, and localhost.
 */
function isFromForeignPage({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

function changesSomething(request: FastifyRequest): boolean {
  return request.headers.upgrade !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
}
