import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Maximum gap in an upload. */
const idleMs = 5_000;
/** Minimum upload rate. The slowest speech codec is faster, even during live speech. */
const slowestBytesPerS = 500;
/** Maximum bytes of recordings in memory. Beyond it, uploads are refused. */
const maxInHand = 100 * 1024 * 1024;

/** Reads bodies that are not JSON within a memory limit for all of them. Only received bytes count. */
export function createRecordingBody() {
  const arrived = new Map<IncomingMessage, number>();
  let inHandBytes = 0;

  const take = (body: IncomingMessage, bytes: number): void => {
    inHandBytes += bytes;
    arrived.set(body, (arrived.get(body) ?? 0) + bytes);
  };

  return {
    /**
     * Reserves memory for a body until its response has ended. Throws `overloaded` if the whole body does not
     * fit.
     */
    keepRoom({ raw }: FastifyRequest, reply: FastifyReply, maxBytes: number): void {
      const bytes = Math.min(Number(raw.headers['content-length'] ?? 0), maxBytes);
      if (inHandBytes + bytes > maxInHand) throw noRoom();
      arrived.set(raw, 0);
      reply.raw.once('close', () => {
        inHandBytes -= arrived.get(raw) ?? 0;
        arrived.delete(raw);
      });
    },

    /**
     * The whole body. Rejects with `too_large`, `overloaded`, or `request_timeout` if it stalls or is too
     * slow. Then the rest stays unread.
     */
    read(body: IncomingMessage, maxBytes: number): Promise<Buffer> {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const chunks: Buffer[] = [];
      let size = 0;
      const pace = watchPace(() => reject(new AppError('request_timeout', stalled)));
      body.on('data', (chunk: Buffer) => {
        pace.came(chunk.length);
        size += chunk.length;
        take(body, chunk.length);
        if (size > maxBytes) reject(new AppError('too_large'));
        else if (inHandBytes > maxInHand) reject(noRoom());
        else chunks.push(chunk);
      });
      body.once('end', () => resolve(Buffer.concat(chunks)));
      body.once('error', reject);
      body.once('close', () => reject(new AppError('turn_cancelled')));
      return promise.finally(() => {
        pace.stop();
        body.removeAllListeners('data');
        body.pause();
      });
    },
  };
}

const stalled = 'The upload stalled or was too slow.';

const noRoom = () => new AppError('overloaded', 'Too many recordings are arriving at once.');

/** Calls `onStall` when the upload pauses or is too slow. */
function watchPace(onStall: () => void) {
  let bytes = 0;
  const silence = setTimeout(onStall, idleMs);
  const pace = setInterval(() => {
    if (bytes < (slowestBytesPerS * idleMs) / 1_000) onStall();
    bytes = 0;
  }, idleMs);
  return {
    came(more: number): void {
      bytes += more;
      silence.refresh();
    },
    stop(): void {
      clearTimeout(silence);
      clearInterval(pace);
    },
  };
}
