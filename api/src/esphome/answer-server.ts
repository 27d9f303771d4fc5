import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../listen/clock.ts';
import { createSoundCoder, type WantedSound } from './answer-sound.ts';

/** A device that has not come for its answer by then does not come at all. */
const maxWaitMs = 30_000;
/** Sound that waits to be fetched: a minute. Sound comes no faster than it is heard, so more means that nobody reads. */
const maxWaitingBytes = 60 * 32_000;
const maxConnections = 64;
/** A line as short as ours is sent at once. */
const headersMs = 5_000;

/** What can be wrong with a fetch. Each is said once of a device. */
export type AnswerFault = 'twice' | 'never' | 'foreign' | 'slow';

interface AnswerOptions {
  /** The address of the device, from which alone it can be fetched; null: the network between hides it. */
  from: string | null;
  wanted: WantedSound;
  onFault: (fault: AnswerFault) => void;
  /** The device has hung up before the end: somebody has stopped it there. */
  onLeft: () => void;
}

/** An answer that a device fetches while it is spoken. */
export interface DeviceAnswer {
  /** Where it is, without the name of this machine. */
  path: string;
  push(samples: Buffer): void;
  /** There is no more sound. */
  end(): void;
  /** Nobody is to hear any more of it. */
  drop(): void;
}

interface Kept extends Pick<AnswerOptions, 'from' | 'onFault'> {
  serve(reply: ServerResponse): void;
  isServed: () => boolean;
}

interface ServerOptions {
  clock: Clock;
  port: number;
  /** Answers what is asked for and is no answer of a device, if it can: other sounds at addresses of their own. */
  others?: (request: IncomingMessage, reply: ServerResponse) => boolean;
}

/** The server from which devices fetch what is said to them: nothing else is there, each answer has an address that nobody guesses, and is given out once. */
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

    const forget = (): void => {
      waiting = [];
      callOff();
      callOff = clock.after(maxWaitMs, () => kept.delete(path));
    };
    const notFetched = (): void => {
      kept.delete(path);
      waiting = [];
      if (reply === null && state !== 'dropped' && waitingBytes > 0) onFault('never');
    };
    let callOff = clock.after(maxWaitMs, notFetched);
    const give = (bytes: Buffer): void => {
      if (bytes.length === 0) return;
      waitingBytes += bytes.length;
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
          callOff();
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
        kept.delete(path);
        callOff();
        waiting = [];
        reply?.destroy();
      },
    };
  };

  return {
    open,
    /** Resolves with the port. Rejects with the system's error. */
    listen: () =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port }, () => {
          server.off('error', reject);
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
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

/** An IPv4 caller of a socket that listens on both is shown as ::ffff:192.168.1.5. */
function plainAddress({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}
