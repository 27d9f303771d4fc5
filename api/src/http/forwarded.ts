import type { FastifyRequest } from 'fastify';

/** Prefixes of headers that only proxies write. */
const families = ['x-forwarded', 'cf-', 'tailscale-'];

const others: ReadonlySet<string> = new Set([
  'forwarded',
  'forwarded-for',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-original-url',
  'x-originating-ip',
  'x-remote-ip',
  'x-proxyuser-ip',
  'x-nginx-proxy',
  'x-arr-log-id',
  'x-azure-clientip',
  'x-envoy-external-address',
  'x-varnish',
  'client-ip',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cdn-loop',
  'max-forwards',
]);

/**
 * Whether a proxy forwarded this request, as far as one can tell. The signs are headers that most proxies
 * add, and HTTP/1.0. By default, nginx up to 1.28 sends HTTP/1.0, and no client program does any more. Byte
 * forwarders (ssh -R, socat) leave no sign.
 */
export function wasForwarded({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  return raw.httpVersion === '1.0' || Object.keys(headers).some(isForwardingHeader);
}

function isForwardingHeader(name: string): boolean {
  return others.has(name) || families.some((beginning) => name.startsWith(beginning));
}
