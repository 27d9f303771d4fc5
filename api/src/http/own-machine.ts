import { existsSync, readFileSync } from 'node:fs';

/** Files by which Docker and Podman mark their containers. */
const containerMarks = ['/.dockerenv', '/run/.containerenv'];

/**
 * The address under which the host itself calls into this container, or null. The host's own calls to a published port come from the default
 * gateway. That says "the machine itself" only while the port is published on a loopback address: on an open one, Docker's proxy lets calls
 * from other machines come from the gateway too.
 */
export function trustedGateway(listenAddress: string | undefined): string | null {
  const isPublishedInside =
    listenAddress === undefined || /^(127\.|::1$|\[::1\]$|localhost$)/.test(listenAddress);
  if (!isPublishedInside || !containerMarks.some((mark) => existsSync(mark))) return null;
  return defaultGateway(readFileSync('/proc/net/route', 'utf8'));
}

/** Reads the kernel's table of routes: addresses are hexadecimal, in the machine's byte order (little-endian on all we run on). */
export function defaultGateway(routes: string): string | null {
  for (const line of routes.split('\n').slice(1)) {
    const [, destination, gateway] = line.split('\t');
    if (destination === '00000000' && gateway !== undefined && /^[0-9A-F]{8}$/i.test(gateway)) {
      return [...Buffer.from(gateway, 'hex')].reverse().join('.');
    }
  }
  return null;
}
