import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { RequestClaim } from '../turn-client/chain.ts';
import { identityOf } from './caller.ts';

/** Names a request, so that it is done once however often it is sent. In the letters of Node's headers. */
const idempotencyHeader = 'idempotency-key';

/** Headers that change what a request means. */
const meaningfulHeaders = ['content-type', 'x-openwebui-chat-id'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the body as it came, where the request has an `Idempotency-Key`; else null. */
    bodyDigest: string | null;
  }
}

/** Notes what a body is, byte by byte, before it is read. */
export function noteBody(request: FastifyRequest, body: Buffer): void {
  if (request.headers[idempotencyHeader] === undefined) return;
  request.bodyDigest = createHash('sha256').update(body).digest('base64url');
}

/** What a request claims to be; null: it has no key, and is done whenever it comes. */
export function requestClaimOf(request: FastifyRequest): RequestClaim | null {
  const key = request.headers[idempotencyHeader];
  if (typeof key !== 'string') return null;
  const caller = hashOf([identityOf(request.caller)]);
  return { caller, id: hashOf([caller, key]), fingerprint: fingerprintOf(request, key) };
}

/** Made with the key, which is kept nowhere: nobody can find out the words of a request by trying them. */
function fingerprintOf({ routeOptions, query, headers, bodyDigest }: FastifyRequest, key: string): string {
  const { token: _token, ...parameters } = Object(query);
  const asked = [
    routeOptions.config.operation,
    Object.entries(parameters).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    meaningfulHeaders.map((name) => headers[name] ?? null),
    bodyDigest,
  ];
  return createHmac('sha256', key).update(JSON.stringify(asked)).digest('base64url');
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
