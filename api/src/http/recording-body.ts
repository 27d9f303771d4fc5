import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** A recording that stops arriving is not waited for longer. */
const idleMs = 10_000;
/** Recordings in hand at once, in bytes: what arrives beyond it is refused rather than held. */
const mostInHand = 100 * 1024 * 1024;

/** Reads bodies that are no JSON, and never more of them at once than the machine can hold. */
export function createRecordingBody() {
  let inHandBytes = 0;

  return {
    /** Keeps room for a body until its response has ended. Throws `overloaded` when there is none. */
    keepRoom({ headers }: FastifyRequest, reply: FastifyReply, mostBytes: number): void {
      // Where the length is not told, it may be the longest.
      const bytes = Math.min(Number(headers['content-length'] ?? mostBytes), mostBytes);
      if (inHandBytes + bytes > mostInHand)
        throw new AppError('overloaded', 'Too many recordings are arriving at once.');
      inHandBytes += bytes;
      reply.raw.once('close', () => {
        inHandBytes -= bytes;
      });
    },

    /** The whole body. Rejects with `too_large`, or `request_timeout` when it stops arriving; the rest of it is not read then. */
    read(body: IncomingMessage, mostBytes: number): Promise<Buffer> {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const chunks: Buffer[] = [];
      let size = 0;
      const stalled = setTimeout(() => reject(new AppError('request_timeout')), idleMs);
      body.on('data', (chunk: Buffer) => {
        stalled.refresh();
        size += chunk.length;
        if (size > mostBytes) reject(new AppError('too_large'));
        else chunks.push(chunk);
      });
      body.once('end', () => resolve(Buffer.concat(chunks)));
      body.once('error', reject);
      body.once('close', () => reject(new AppError('turn_cancelled')));
      return promise.finally(() => {
        clearTimeout(stalled);
        body.removeAllListeners('data');
        body.pause();
      });
    },
  };
}
