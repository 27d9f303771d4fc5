import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { putLatest } from '../latest.ts';

/** Maximum number of sounds waiting for download: one round for each room. */
const maxKept = 50;

/** A sound at an unguessable address. */
interface FetchedSound {
  path: string;
  /** Resolves when the download begins. Never rejects. */
  fetched: Promise<void>;
  /** Removes the sound. */
  drop(): void;
}

interface Kept {
  file: Buffer;
  onFetched: () => void;
}

interface Range {
  from: number;
  to: number;
}

export type FetchedSounds = ReturnType<typeof createFetchedSounds>;

/**
 * Serves WAV files to players. Some request the length first, some a range, some twice. Each file is
 * available for a limited time.
 */
export function createFetchedSounds({ clock }: { clock: Pick<Clock, 'after'> }) {
  const kept = new Map<string, Kept>();

  return {
    /** Keeps a WAV file for this time in ms. */
    keep(file: Buffer, forMs: number): FetchedSound {
      const path = `/${randomBytes(16).toString('base64url')}.wav`;
      const { promise: fetched, resolve: onFetched } = Promise.withResolvers<void>();
      const cancelTimeout = clock.after(forMs, () => kept.delete(path));
      putLatest(kept, [path, { file, onFetched }], maxKept);
      return {
        path,
        fetched,
        drop(): void {
          cancelTimeout();
          kept.delete(path);
        },
      };
    },

    /** Serves a request for a sound. False: there is none at this address. */
    serve(request: IncomingMessage, reply: ServerResponse): boolean {
      const sound = kept.get(request.url ?? '');
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (sound === undefined || !isRead) return false;
      send(sound, request, reply);
      return true;
    },
  };
}

function send({ file, onFetched }: Kept, { method, headers }: IncomingMessage, reply: ServerResponse): void {
  const range = rangeOf(headers.range, file.length);
  const { from, to } = range ?? { from: 0, to: file.length - 1 };
  reply.on('error', () => reply.destroy());
  reply.writeHead(range === null ? 200 : 206, {
    'content-type': 'audio/wav',
    'content-length': to - from + 1,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    connection: 'close',
    ...(range !== null && { 'content-range': `bytes ${from}-${to}/${file.length}` }),
  });
  if (method === 'HEAD') {
    reply.end();
    return;
  }
  onFetched();
  reply.end(file.subarray(from, to + 1));
}

/** Parses the requested range. Null: the whole file, also for an invalid range, as HTTP allows. */
function rangeOf(header: string | undefined, length: number): Range | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '') return null;
  const from = Number(first);
  const to = last === '' ? length - 1 : Math.min(Number(last), length - 1);
  return from <= to ? { from, to } : null;
}
