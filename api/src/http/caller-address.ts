import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The address from which a request comes. Behind proxies that the household trusts, Fastify has found the one
 * that they name; if that is no address, because such a proxy passes on what callers write, it is the proxy's
 * own.
 */
export function callerAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const named = plainAddress(ip ?? '');
  return isIP(named) > 0 ? named : plainAddress(socket.remoteAddress ?? '');
}

/** IPv4 in IPv6's clothes, as a dual-stack socket reports it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
