import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Files by which Docker and Podman mark their containers. */
const containerMarks = ['/.dockerenv', '/run/.containerenv'];

/**
 * The address under which the host itself calls into this container, or null. The host's own calls to a
 * published port come from the default gateway. That says "the machine itself" only while the port is
 * published on a loopback address: on an open one, Docker's proxy lets calls from other machines come from
 * the gateway too. Where nobody says on which one it is, it may be an open one.
 */
export function trustedGateway(listenAddress: string | undefined): string | null {
  if (!isOnLoopback(listenAddress) || !containerMarks.some((mark) => existsSync(mark))) return null;
  return defaultGateway(readFileSync('/proc/net/route', 'utf8'));
}

/** Whether a port that is published on this address can be reached from this machine alone. */
export function isOnLoopback(listenAddress: string | undefined): boolean {
  const bare = listenAddress?.replace(/^\[(.*)\]$/, '$1') ?? '';
  return bare === 'localhost' || isLoopback(bare);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Names that always mean this machine. Others are not looked up: what a name resolves to is decided by
 * whoever owns it, which is how DNS rebinding gets in.
 */
export function isOwnName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

/**
 * Reads the kernel's table of routes: addresses are hexadecimal, in the machine's byte order (little-endian
 * on all we run on).
 */
export function defaultGateway(routes: string): string | null {
  for (const line of routes.split('\n').slice(1)) {
    const [, destination, gateway] = line.split('\t');
    if (destination === '00000000' && gateway !== undefined && /^[0-9A-F]{8}$/i.test(gateway)) {
      return [...Buffer.from(gateway, 'hex')].reverse().join('.');
    }
  }
  return null;
}
