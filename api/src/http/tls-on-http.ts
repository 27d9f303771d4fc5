import type { FastifyBaseLogger } from 'fastify';
import { tlsBegins } from './secure-front.ts';

const tellEveryMs = 60_000;

/** Whether bytes that are no HTTP are the beginning of https: somebody has written the wrong address. */
export function beginsTls(error: Error & { rawPacket?: unknown }): boolean {
  return Buffer.isBuffer(error.rawPacket) && error.rawPacket[0] === tlsBegins;
}

/**
 * The browser shows nothing but an error of its own, so the log says what is wrong, and how often: once a
 * minute at the most.
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
