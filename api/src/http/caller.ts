import type { DeviceToken, Scope } from '../tokens/device-token.ts';

/** The caller, as the access check identified it. */
export interface Caller {
  /** The name of the device's or program's token, or `SERVICE_TOKEN`. Null: no token was needed. */
  tokenName: string | null;
  scope: Scope;
  /** The token of a device or program. */
  device: DeviceToken | null;
}

/** The owner's token in logs. No other token can have this name. */
export const ownersTokenName = 'SERVICE_TOKEN';

/** Any caller, at an address that is open to all. */
export const anybody: Caller = { tokenName: null, scope: 'talk', device: null };

/** A caller on this machine, where no token is needed. */
export const thisMachine: Caller = { tokenName: null, scope: 'administer', device: null };

/** A caller with the `SERVICE_TOKEN`. */
export const owner: Caller = { tokenName: ownersTokenName, scope: 'administer', device: null };

/** A revoked token and a new one with the same name are different callers. */
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
 * The full name of the conversation or satellite that a caller means. The names of a token with the scope
 * `talk` lie below the token's own name. So it cannot continue another caller's conversation or replace
 * another satellite.
 */
export function ownName(caller: Caller, name: string): string {
  return isOwn(caller, name) ? name : `${prefixOf(caller)}${name}`;
}

/** Whether a caller may use this name. Only a token with the scope `talk` is limited to its own names. */
export function isOwn(caller: Caller, name: string | null): boolean {
  return name !== null ? name.startsWith(prefixOf(caller)) : prefixOf(caller) === '';
}

/** A token name contains no slash, so no other prefix can start with this one. */
function prefixOf({ device }: Caller): string {
  return device?.scope === 'talk' ? `${device.name}/` : '';
}

/** The token name that prefixes a name, or null. */
export function tokenNameIn(name: string): string | null {
  const at = name.indexOf('/');
  return at < 0 ? null : name.slice(0, at);
}
