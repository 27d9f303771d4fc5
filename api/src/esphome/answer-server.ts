import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { listenOnPort } from '../listen-on-port.ts';
import { createSoundCoder, type WantedSound } from './answer-sound.ts';

/** Time limit for fetching an answer, in ms. A later fetch never comes. */
const maxWaitMs = 30_000;
/** A device fetches an answer at once. After this time, in ms, it probably cannot reach this machine. */
const usualWaitMs = 5_000;
/**
 * Maximum backlog: a minute of sound. Sound is produced in real time, so a larger backlog means that the
 * device has stopped reading.
 */
const maxWaitingBytes = 60 * 32_000;
const maxConnections = 64;
/** Timeout for the request headers, which are short. */
const headersMs = 5_000;

/** Faults of a download. Each is logged once per device. */
export type AnswerFault = 'twice' | 'never' | 'foreign' | 'slow';

interface AnswerOptions {
  /** The device's address, the only one that may fetch it. Null: the network hides the address. */
  from: string | null;
  wanted: WantedSound;
  onFault: (fault: AnswerFault) => void;
  /** Called when the device disconnects before the end, because someone stopped it there. */
  onLeft: () => void;
}

/** An answer that a device downloads while it is spoken. */
export interface DeviceAnswer {
  /** Its path, without the host. */
  path: string;
  push(samples: Buffer): void;
  /** Call at the end of the sound. */
  end(): void;
  /** Drops the rest of the sound. */
  drop(): void;
}

interface Kept extends Pick<AnswerOptions, 'from' | 'onFault'> {
  serve(reply: ServerResponse): void;
  isServed: () => boolean;
}

interface ServerOptions {
  clock: Clock;
  port: number;
  /** Serves other paths if it can, such as sounds for Home Assistant's players. */
  others?: (request: IncomingMessage, reply: ServerResponse) => boolean;
}

/**
 * The server from which devices download answers. It serves nothing else. Each answer has an unguessable path
 * and is served once.
 */
export function createAnswerServer({ clock, port, others = () => false }: ServerOptions) {
  const kept = new Map<string, Kept>();

  const server = createServer({ headersTimeout: headersMs, requestTimeout: headersMs }, (request, reply) => {
    const answer = kept.get(request.url ?? '');
    const isFrom = answer?.from == null || plainAddress(request) === answer.from;
    if (answer === undefined && others(request, reply)) return;
    if (answer === undefined || request.method !== 'GET') refuse(reply, 404);
    else if (!isFrom) {
      answer.onFault('foreign');
      refuse(reply, 403);
    } else if (answer.isServed()) {
      answer.onFault('twice');
      refuse(reply, 410);
    } else answer.serve(reply);
  });
  server.maxConnections = maxConnections;

  const open = ({ from, wanted, onFault, onLeft }: AnswerOptions): DeviceAnswer => {
    const path = `/${randomBytes(16).toString('base64url')}.${wanted.format}`;
    const coder = createSoundCoder(wanted);
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    let reply: ServerResponse | null = null;
    let state: 'open' | 'ended' | 'dropped' = 'open';
    /** When the device could begin to fetch the sound. */
    let offeredAtMs: number | null = null;

    const forget = (): void => {
      waiting = [];
      cancelTimeout();
      cancelTimeout = clock.after(maxWaitMs, () => kept.delete(path));
    };
    const notFetched = (): void => {
      kept.delete(path);
      waiting = [];
      if (reply === null && state !== 'dropped' && waitingBytes > 0) onFault('never');
    };
    let cancelTimeout = clock.after(maxWaitMs, notFetched);
    const give = (bytes: Buffer): void => {
      if (bytes.length === 0) return;
      waitingBytes += bytes.length;
      offeredAtMs ??= clock.nowMs();
      if (reply !== null) {
        reply.write(bytes);
        if (reply.writableLength > maxWaitingBytes) {
          onFault('slow');
          reply.destroy();
        }
      } else if (waitingBytes <= maxWaitingBytes * 3) waiting.push(bytes);
    };
    const finish = (): void => {
      reply?.end();
      forget();
    };

    kept.set(path, {
      from,
      onFault,
      isServed: () => reply !== null,
      serve(to) {
        reply = to;
        to.on('error', () => to.destroy());
        to.on('close', () => {
          if (state !== 'dropped' && !to.writableFinished) onLeft();
        });
        to.writeHead(200, {
          'content-type': coder.contentType,
          'cache-control': 'no-store',
          connection: 'close',
        });
        to.flushHeaders();
        if (waiting.length > 0) to.write(Buffer.concat(waiting));
        if (state === 'open') {
          waiting = [];
          cancelTimeout();
        } else finish();
      },
    });
    return {
      path,
      push(samples) {
        if (state === 'open') give(coder.push(samples));
      },
      end() {
        if (state !== 'open') return;
        state = 'ended';
        give(coder.end());
        if (reply !== null) finish();
      },
      drop() {
        if (state === 'dropped') return;
        state = 'dropped';
        // A person who hears nothing asks again before the time limit.
        const waitedMs = offeredAtMs === null ? 0 : clock.nowMs() - offeredAtMs;
        if (reply === null && kept.has(path) && waitedMs >= usualWaitMs) onFault('never');
        kept.delete(path);
        cancelTimeout();
        waiting = [];
        reply?.destroy();
      },
    };
  };

  return {
    open,
    /** Resolves with the port. Rejects with the system's error. */
    listen: () => listenOnPort(server, { port }),
    stop(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refuse(reply: ServerResponse, status: number): void {
  reply.writeHead(status, { connection: 'close' });
  reply.end();
}

/** A dual-stack socket shows an IPv4 client as ::ffff:192.168.1.5. */
function plainAddress({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}
