import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address a request comes from. Behind trusted proxies, it is the one Fastify reads from their headers.
 * If that is not an address, because a proxy forwards callers' headers, it is the proxy's own.
 */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const named = plainAddress(ip ?? '');
  return isIP(named) > 0 ? named : plainAddress(socket.remoteAddress ?? '');
}

/** Turns an IPv4-mapped IPv6 address, as a dual-stack socket reports it, into plain IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
