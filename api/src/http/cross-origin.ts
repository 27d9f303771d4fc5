import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOwnOrigin, type Trusted } from './own-page.ts';

/** How long a browser may keep the answer to a preflight: it asks before every request otherwise. */
const preflightAgeS = 600;

/**
 * Lets pages and apps of trusted origins read the answers, and answers their preflights. Others get no header
 * of it.
 */
export function answerOtherOrigins(app: FastifyInstance, trusted: Trusted): void {
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
