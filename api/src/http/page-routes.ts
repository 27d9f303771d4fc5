import { existsSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { pageNeed } from './scopes.ts';

/** The page at `/`, as it was built. It is answered without a token: it holds nothing secret, and it is what asks for the token. */
export interface Page {
  register(app: FastifyInstance): void;
}

const config = { need: pageNeed };

const aYearS = 31_536_000;
const assetName = /^[\w-]+\.(?:js|css|svg)$/;

/** Serves what the build of console/ has left in a folder: one document, and files whose names change with their content. */
export function createPage({ folder }: { folder: string }): Page {
  const sendDocument = (reply: FastifyReply, host: string | undefined): FastifyReply => {
    if (!existsSync(join(folder, 'index.html'))) {
      throw new AppError(
        'not_found',
        'The page has not been built. "make run" and "make up" build it; everything else works without it.',
      );
    }
    guard(reply).header('content-security-policy', policyFor(host)).header('cache-control', 'no-cache');
    reply.header('permissions-policy', 'microphone=(self), camera=(), geolocation=()');
    return reply.sendFile('index.html');
  };

  return {
    register(app) {
      // Packed copies lie beside their originals, and are sent in their place.
      app.register(files, { root: folder, serve: false, cacheControl: false, preCompressed: true });
      app.get('/', { config }, (request, reply) => sendDocument(reply, request.headers.host));
      app.get<{ Params: { name: string } }>('/assets/:name', { config }, (request, reply) => {
        const { name } = request.params;
        // Looked for at every request: the page may be built anew while the server runs.
        if (!assetName.test(name) || !existsSync(join(folder, 'assets', name)))
          throw new AppError('not_found');
        guard(reply).header('cache-control', `public, max-age=${aYearS}, immutable`);
        return reply.sendFile(`assets/${name}`);
      });
    },
  };
}

function guard(reply: FastifyReply): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin');
}

/** Nothing from elsewhere, nothing inline, in nobody's frame; and no string ever becomes markup or script. */
function policyFor(host: string | undefined): string {
  // Browsers differ on whether 'self' means the WebSockets of the same host too.
  const sockets = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'self'",
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
