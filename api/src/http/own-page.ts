import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isOwnName } from './own-machine.ts';

/** Name endings outside the public DNS: no outsider controls what they resolve to. */
const homeEndings = ['.local', '.lan', '.home', '.internal', '.home.arpa'];

/** Names of this server and origins of pages and apps that the household trusts. */
export interface TrustedNames {
  trustedHosts: readonly string[];
  /** In lower case, as in an Origin header: `app://obsidian.md`, `https://chat.example`. */
  trustedOrigins: readonly string[];
}

/** A page may use this server if it came from this machine, or from a listed host or origin. */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  { trustedHosts, trustedOrigins }: TrustedNames,
): boolean {
  if (trustedOrigins.includes(origin.toLowerCase())) return true;
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return url.host === host?.toLowerCase() || isOwnName(name) || trustedHosts.includes(name);
}

/**
 * Throws if a page of another site makes the request. Such a page can request a picture or a script without
 * an Origin. It cannot read the answer, but it must not send requests either. Programs other than browsers do
 * not send this header.
 */
export function requireOwnSite({ headers }: FastifyRequest, trusted: TrustedNames): void {
  if (headers['sec-fetch-site'] !== 'cross-site') return;
  const { origin, host } = headers;
  if (origin === undefined || !isOwnOrigin(origin, host, trusted)) throw new AppError('foreign_origin');
}

/** The name in a Host header, in lower case, without port and brackets; null if there is none. */
export function hostName(host: string | undefined): string | null {
  if (host === undefined || host === '' || /[\s/@?#\\]/.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url ? url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null;
}

/**
 * Whether this Host cannot be a stranger's. It is an address, a name of this machine, a listed name, or a
 * name only a home network knows. A stranger may own any other name and point it here (DNS rebinding).
 */
export function isHouseholdHost(host: string | undefined, trustedHosts: readonly string[]): boolean {
  const name = hostName(host);
  if (name === null) return false;
  return (
    isIP(name) !== 0 ||
    isOwnName(name) ||
    trustedHosts.includes(name) ||
    !name.includes('.') ||
    homeEndings.some((ending) => name.endsWith(ending))
  );
}
