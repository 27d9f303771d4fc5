import { createHash, createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdempotentRequest } from '../turn-client/turn-client.ts';
import { identityOf } from './caller.ts';

/** Identifies a request, so that repeats run it only once. In lower case, like Node's headers. */
const idempotencyHeader = 'idempotency-key';

/** Headers that change the meaning of a request. */
const meaningfulHeaders = ['content-type', 'x-openwebui-chat-id'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the raw body if the request has an `Idempotency-Key`; else null. */
    bodyDigest: string | null;
  }
}

/** Hashes the raw body before it is parsed. */
export function noteBody(request: FastifyRequest, body: Buffer): void {
  if (request.headers[idempotencyHeader] === undefined) return;
  request.bodyDigest = createHash('sha256').update(body).digest('base64url');
}

/** The identity of a request with a key. Null: it has no key and always runs. */
export function idempotentRequestOf(request: FastifyRequest): IdempotentRequest | null {
  const key = request.headers[idempotencyHeader];
  if (typeof key !== 'string') return null;
  const caller = hashOf([identityOf(request.caller)]);
  return { caller, id: hashOf([caller, key]), fingerprint: fingerprintOf(request, key) };
}

/**
 * A hash keyed with the idempotency key. The key is not stored, so guessing cannot reveal the request's
 * words.
 */
function fingerprintOf({ routeOptions, query, raw, bodyDigest }: FastifyRequest, key: string): string {
  const { token: _token, ...parameters } = Object(query);
  const identity = [
    routeOptions.config.operation,
    Object.entries(parameters).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    meaningfulHeaders.map((name) => raw.headers[name] ?? null),
    bodyDigest,
  ];
  return createHmac('sha256', key).update(JSON.stringify(identity)).digest('base64url');
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
