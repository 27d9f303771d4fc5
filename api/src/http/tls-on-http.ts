import type { FastifyBaseLogger } from 'fastify';
import { tlsBegins } from './secure-front.ts';

const tellEveryMs = 60_000;

/** Whether bytes that are not HTTP start a TLS connection: the caller used https on the http port. */
export function beginsTls(error: Error & { rawPacket?: unknown }): boolean {
  return Buffer.isBuffer(error.rawPacket) && error.rawPacket[0] === tlsBegins;
}

/**
 * Logs https calls on the http port, at most once a minute. The browser itself shows only a generic error.
 */
export function createTlsNote(log: FastifyBaseLogger) {
  let times = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (from: string): void => {
    times += 1;
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    log.warn(
      { from, times },
      'got https on the http port: use http://, or set HTTPS=1 and use the https port (docs/phone.md)',
    );
  };
}
