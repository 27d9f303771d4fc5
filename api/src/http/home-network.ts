import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { callerAddress } from './caller-address.ts';
import { wasForwarded } from './forwarded.ts';

/** Addresses that no router forwards to the internet (RFC 1918, 3927, 4193, 4291), and this machine's own. */
const home = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  home.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const)
  home.addSubnet(network, bits, 'ipv6');

/** Whether an address belongs to the home network. */
function isHomeAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  const version = isIP(bare);
  return version !== 0 && home.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Throws unless a device of the home network calls directly. A call through a proxy may come from anywhere.
 */
export function requireHomeNetwork(request: FastifyRequest): void {
  if (!isHomeAddress(callerAddress(request)) || wasForwarded(request)) throw new AppError('not_from_home');
}
