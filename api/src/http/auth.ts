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
import { hostName, isOwnOrigin, type TrustedNames } from './own-page.ts';
import type { RequiredScope } from './scopes.ts';
import { tokenOf } from './sent-token.ts';

export interface AccessOptions extends TrustedNames {
  /** The owner's token. If undefined and no tokens exist, only this machine may call, unless it is open. */
  serviceToken: string | undefined;
  /** Tokens of devices and programs. */
  tokens: Pick<KnownTokens, 'find' | 'isRead' | 'isEmpty'>;
  /** Whether the page opened Hearth to the home network, where other devices need a token. */
  isOpenToHome: () => boolean;
  /** The host's address as seen from a container whose port is published on a loopback address; else null. */
  gateway: string | null;
  /** Monotonic time in ms. */
  now?: () => number;
}

const noTokenHint = 'To open it to your network, run "make token" and restart.';
const forwardedHint =
  'This call came through a proxy, or uses HTTP/1.0 like one. Hearth cannot tell who is asking. Set a SERVICE_TOKEN first: run "make token" and restart.';
const notYetHint =
  'Redis, the database of this server, cannot be reached, so Hearth cannot tell yet whether it knows this token.';

export type Access = ReturnType<typeof createAccess>;

/** Returns the function that finds the caller of a token. It throws AppError for an unknown token. */
function createTokenCheck(
  { tokens, now = () => performance.now() }: Pick<AccessOptions, 'tokens' | 'now'>,
  owners: Buffer | undefined,
) {
  const guesses = createGuesses({ now });

  const callerOf = (sent: Buffer): Caller | undefined => {
    // Compare both in every case, so that the time does not reveal which one matched.
    const isOwner = owners !== undefined && timingSafeEqual(sent, owners);
    const device = tokens.find(sent);
    if (isOwner) return owner;
    return device && { tokenName: device.name, scope: device.scope, device };
  };

  /** Throws the error for an unknown token. */
  const refuse = (request: FastifyRequest, sent: Buffer): never => {
    const retryAfterS = isFromForeignPage(request)
      ? 0
      : guesses.note(callerAddress(request), sent.toString('base64'));
    if (retryAfterS > 0) throw new AppError('too_many_wrong_tokens', undefined, { retryAfterS });
    // Don't answer `unauthorized` yet: a satellite gives up when its token is refused.
    if (!tokens.isRead) throw new AppError('redis_unavailable', notYetHint);
    throw new AppError('unauthorized', 'The access key is wrong.');
  };

  // A valid token works even after wrong ones from the same address: callers behind a proxy share one
  // address.
  return (request: FastifyRequest, sent: Buffer): Caller => callerOf(sent) ?? refuse(request, sent);
}

/** Decides who may call. Never trusts forwarding headers, because any caller can write them. */
export function createAccess(options: AccessOptions) {
  const { serviceToken, tokens, isOpenToHome } = options;
  const { requireThisMachine, requireOwnOrigin } = createLocalRules(options);
  const owners = serviceToken === undefined ? undefined : digestOf(serviceToken);
  const identify = createTokenCheck(options, owners);

  const admitThisMachine = (request: FastifyRequest): Caller => {
    requireThisMachine(request);
    requireOwnOrigin(request);
    return thisMachine;
  };

  /** Without a SERVICE_TOKEN, this machine needs no token, even if device tokens exist. */
  const admitWithout = (request: FastifyRequest): Caller => {
    if (owners !== undefined) throw new AppError('unauthorized');
    try {
      requireThisMachine(request);
    } catch (error) {
      // Device tokens exist, so answer 401: the page then asks for a token.
      throw new AppError('unauthorized', undefined, { cause: error });
    }
    requireOwnOrigin(request);
    return thisMachine;
  };

  const admitByToken = (request: FastifyRequest, need: Scope): Caller => {
    const token = tokenOf(request);
    if (token === undefined) return admitWithout(request);
    const caller = identify(request, digestOf(token));
    if (!covers(caller.scope, need)) throw new AppError('insufficient_scope', tooSmall(caller, need));
    return caller;
  };

  /** The rule while no token exists. */
  const admitLocally = (request: FastifyRequest, need: RequiredScope): Caller => {
    try {
      return admitThisMachine(request);
    } catch (error) {
      const mayBeKnown = !tokens.isRead && need !== 'open' && isRefusal(error) && tokenOf(request);
      throw mayBeKnown ? new AppError('redis_unavailable', notYetHint) : error;
    }
  };

  return {
    /** Returns the caller. Throws AppError if the caller lacks the needed scope. */
    check(request: FastifyRequest, need: RequiredScope): Caller {
      if (owners === undefined && tokens.isEmpty && !isOpenToHome()) return admitLocally(request, need);
      const caller = need === 'open' ? anybody : admitByToken(request, need);
      if (changesSomething(request)) requireOwnOrigin(request);
      return caller;
    },
  };
}

/** Checks that depend on where a call comes from: for calls without a token, and for all pages. */
function createLocalRules({
  trustedHosts,
  trustedOrigins,
  gateway,
}: Pick<AccessOptions, keyof TrustedNames | 'gateway'>) {
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

  /** A page may use this server if it came from the same host, this machine, or a listed origin. */
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
  return `The access key "${tokenName}" has the scope ${scope}. This needs one with the scope ${need}.`;
}

/**
 * Any page can make a browser send wrong tokens. Browsers send this header only to addresses that they
 * consider secure: https and localhost.
 */
function isFromForeignPage({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

function changesSomething(request: FastifyRequest): boolean {
  return request.headers.upgrade !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
}
