import type { DeviceToken, Scope } from '../tokens/device-token.ts';

/** Who calls, as the access check has found. */
export interface Caller {
  /** The name of the token: of a device or program, or `SERVICE_TOKEN`. Null: none was needed. */
  tokenName: string | null;
  scope: Scope;
  /** The token of a device or program. */
  device: DeviceToken | null;
}

/** The owner's token, in logs. No other can have this name. */
export const ownersTokenName = 'SERVICE_TOKEN';

/** Anybody, at an address that is open to all. */
export const anybody: Caller = { tokenName: null, scope: 'talk', device: null };

/** Whoever is at the machine itself, where no token is needed. */
export const thisMachine: Caller = { tokenName: null, scope: 'administer', device: null };

/** Whoever has the `SERVICE_TOKEN`. */
export const owner: Caller = { tokenName: ownersTokenName, scope: 'administer', device: null };

/** A token that was revoked and made anew under the same name is another caller. */
export function identityOf({ device, tokenName }: Caller): string {
  if (device) return `device ${device.hash}`;
  return tokenName === null ? 'this machine' : 'owner';
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/**
 * The name of a conversation or satellite that a caller means. A token that may only talk has names of its
 * own, below its own name: it neither continues the conversation of somebody else, nor takes the place of
 * another satellite.
 */
export function ownName(caller: Caller, name: string): string {
  return isOwn(caller, name) ? name : `${prefixOf(caller)}${name}`;
}

/**
 * Whether a caller may go on with what has this name. Only a token that may do no more than talk is confined
 * to its own.
 */
export function isOwn(caller: Caller, name: string | null): boolean {
  return name !== null ? name.startsWith(prefixOf(caller)) : prefixOf(caller) === '';
}

/** The name of a token has no slash, so nobody else's begins like it. */
function prefixOf({ device }: Caller): string {
  return device?.scope === 'talk' ? `${device.name}/` : '';
}

/** The name of the token below which a name is, if it is below one. */
export function tokenNameIn(name: string): string | null {
  const at = name.indexOf('/');
  return at < 0 ? null : name.slice(0, at);
}
