import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Files that mark a Docker or Podman container. */
const containerMarks = ['/.dockerenv', '/run/.containerenv'];

/**
 * The address from which the host calls into this container, or null. The host's calls to a published port
 * come from the default gateway.
 * A call from there comes from this machine only if the port is published on a loopback address. Otherwise
 * Docker's proxy makes calls from other machines come from the gateway too. If the published address is
 * unknown, assume it is open.
 */
export function trustedGateway(listenAddress: string | undefined): string | null {
  if (!isOnLoopback(listenAddress) || !containerMarks.some((mark) => existsSync(mark))) return null;
  return defaultGateway(readFileSync('/proc/net/route', 'utf8'));
}

/** Whether only this machine can reach a port published on this address. */
export function isOnLoopback(listenAddress: string | undefined): boolean {
  const bare = listenAddress?.replace(/^\[(.*)\]$/, '$1') ?? '';
  return bare === 'localhost' || isLoopback(bare);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Names that always mean this machine. Don't resolve other names: their owner chooses the address, which is
 * how DNS rebinding works.
 */
export function isOwnName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

/**
 * Reads the kernel's routing table. Addresses are hexadecimal in machine byte order, little-endian on all
 * supported machines.
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
