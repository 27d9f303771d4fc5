import type { FastifyRequest } from 'fastify';

/** Beginnings of the headers that only proxies write. */
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
 * Whether a proxy has passed this request on, as far as that can be told: by what most of them add, or by
 * HTTP/1.0, in which nginx up to 1.28 calls unless told otherwise, and no program for people does any more.
 * What passes bytes on as they are (ssh -R, socat) leaves no mark.
 */
export function wasForwarded({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  return raw.httpVersion === '1.0' || Object.keys(headers).some(isForwardingHeader);
}

function isForwardingHeader(name: string): boolean {
  return others.has(name) || families.some((beginning) => name.startsWith(beginning));
}
