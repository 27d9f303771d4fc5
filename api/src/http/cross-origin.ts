import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOwnOrigin, type TrustedNames } from './own-page.ts';

/** How long a browser may cache the answer to a preflight. Otherwise it asks before every request. */
const preflightAgeS = 600;

/**
 * Lets pages and apps of trusted origins read responses, and answers their preflights. Other origins get no
 * CORS header.
 */
export function answerOtherOrigins(app: FastifyInstance, trusted: TrustedNames): void {
  app.register(cors, {
    delegator: (request: FastifyRequest, done) => {
      const { origin, host } = request.headers;
      const isTrusted = origin !== undefined && isOwnOrigin(origin, host, trusted);
      done(null, {
        origin: isTrusted && origin,
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        exposedHeaders: ['x-request-id', 'retry-after', 'etag'],
        maxAge: preflightAgeS,
        strictPreflight: false,
      });
    },
  });
}
