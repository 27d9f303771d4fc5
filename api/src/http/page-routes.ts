import { existsSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { announcedName } from '../tls/machine-names.ts';
import { type PhoneHttps, registerPhone } from './phone-routes.ts';
import { pageScope } from './scopes.ts';

/** The built web page at `/`. It needs no token: it contains no secret and asks for the token itself. */
export interface Page {
  register(app: FastifyInstance): void;
}

interface PageOptions {
  folder: string;
  /** How phones reach https. */
  phone?: PhoneHttps;
}

const config = { need: pageScope };
const noHttps: PhoneHttps = { isOpen: () => false, httpsPort: () => null, caCertificate: () => null };

const aYearS = 31_536_000;
const assetName = /^[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg)$/;

/**
 * Files a phone needs to install the page as an app. Phones remember their names, so the names never change.
 */
const appFiles = [
  'manifest.webmanifest',
  'service-worker.js',
  'offline.html',
  'offline.css',
  'offline.js',
  'icon-192.png',
  'icon-512.png',
  'icon-filled.png',
] as const;

/**
 * Serves the build of console/ from a folder: two documents, assets whose names contain their hash, and the
 * app's files.
 */
export function createPage({ folder, phone = noHttps }: PageOptions): Page {
  const sendDocument = (reply: FastifyReply, name: string, policy: string): FastifyReply => {
    if (!existsSync(join(folder, name))) {
      throw new AppError(
        'not_found',
        'The page has not been built. "make run" and "make up" build it; everything else works without it.',
      );
    }
    guard(reply).header('content-security-policy', policy).header('cache-control', 'no-cache');
    reply.header('permissions-policy', 'microphone=(self), camera=(), geolocation=()');
    return reply.sendFile(name);
  };

  const sendAppFile = (reply: FastifyReply, name: string): FastifyReply => {
    if (!existsSync(join(folder, name))) throw new AppError('not_found');
    guard(reply).header('content-security-policy', policyFor(undefined)).header('cache-control', 'no-cache');
    return reply.sendFile(name);
  };

  return {
    register(app) {
      // Sends the compressed copies beside the originals, and whole files: "Range" is ignored.
      app.register(files, {
        root: folder,
        serve: false,
        cacheControl: false,
        preCompressed: true,
        acceptRanges: false,
      });
      app.get('/', { config }, ({ headers: { host } }, reply) =>
        sendDocument(reply, 'index.html', policyFor(host)),
      );
      for (const name of appFiles)
        app.get(`/${name}`, { config }, (_request, reply) => sendAppFile(reply, name));
      // Browsers request it for documents that name no icon, and some without reading any.
      app.get('/favicon.ico', { config }, (_request, reply) => sendAppFile(reply, 'icon-192.png'));
      registerPhone(app, {
        ...phone,
        sendPage: (reply, host) => sendDocument(reply, 'phone.html', policyFor(host, phone.httpsPort())),
      });
      app.get<{ Params: { name: string } }>('/assets/:name', { config }, (request, reply) => {
        const { name } = request.params;
        // Checked at every request: the page may be rebuilt while the server runs.
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

/** Allows no external or inline content, no framing, and no strings as markup or script. */
function policyFor(host: string | undefined, httpsPort: number | null = null): string {
  const known = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : undefined;
  // Browsers differ on whether 'self' includes WebSockets of the same host.
  const sockets = known === undefined ? [] : [`ws://${known}`, `wss://${known}`];
  // The phone's page checks whether the browser trusts https here.
  const bare = known?.replace(/:\d+$/, '');
  const secure =
    httpsPort === null ? [] : [bare, announcedName].map((name) => `https://${name}:${httpsPort}`);
  return [
    "default-src 'self'",
    `connect-src ${["'self'", ...sockets, ...secure].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    // The only string that becomes a script is the address of the service worker
    // (console/src/phone/app-worker.ts).
    'trusted-types service-worker',
  ].join('; ');
}
