import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { isOwnName } from './own-machine.ts';

/** Endings of names that the internet does not know: nobody outside decides what they resolve to. */
const homeEndings = ['.local', '.lan', '.home', '.internal', '.home.arpa'];

/** Names of this server, and origins of pages and apps, that the household trusts. */
export interface Trusted {
  trustedHosts: readonly string[];
  /** Lower case, as in an Origin header: `app://obsidian.md`, `https://chat.example`. */
  trustedOrigins: readonly string[];
}

/**
 * A page may use this server when it came from the same host, from this machine, or from a listed host or
 * origin.
 */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  { trustedHosts, trustedOrigins }: Trusted,
): boolean {
  if (trustedOrigins.includes(origin.toLowerCase())) return true;
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return url.host === host?.toLowerCase() || isOwnName(name) || trustedHosts.includes(name);
}

/**
 * Throws unless the request may come from where the browser says it does. A page of another site can make a
 * browser ask without an Origin, as an image or a script. It cannot read the answer, but it has no business
 * to ask at all. Programs that are no browsers say nothing.
 */
export function requireOwnSite({ headers }: FastifyRequest, trusted: Trusted): void {
  if (headers['sec-fetch-site'] !== 'cross-site') return;
  const { origin, host } = headers;
  if (origin === undefined || !isOwnOrigin(origin, host, trusted)) throw new AppError('foreign_origin');
}

/** The name in a Host header, lower case, without port and brackets; null when it is none. */
export function hostName(host: string | undefined): string | null {
  if (host === undefined || host === '' || /[\s/@?#\\]/.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url ? url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') : null;
}

/**
 * Whether a stranger's page cannot have brought this Host along: it is an address, a name of this machine, a
 * listed one, or one that only a home network knows. Any other may be a stranger's own, which he lets point
 * here (DNS rebinding).
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
