import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { awaitFirstByte } from './first-byte.ts';
import { limitHandshakes } from './handshakes.ts';

/** The first byte of every TLS connection: a record of its handshake. */
export const tlsBegins = 0x16;
const handshakeMs = 10_000;
/** So long somebody who speaks plain HTTP to this port may take. */
const plainMs = 5_000;

export interface SecureFrontOptions {
  /** Answers what comes in here, as it does on its own port. */
  server: HttpServer;
  cert: string;
  key: string;
  /** A handshake failed, mostly because a device does not trust the certificate. */
  onRefused: (from: string) => void;
}

export type SecureFront = ReturnType<typeof createSecureFront>;

/**
 * The port for https. Its connections become the HTTP server's own, so the same rules and limits hold. Plain
 * HTTP is sent on to https.
 */
export function createSecureFront({ server, cert, key, onRefused }: SecureFrontOptions) {
  const handshakes = limitHandshakes();
  const secure = createTlsServer({ cert, key, handshakeTimeout: handshakeMs, ALPNProtocols: ['http/1.1'] });
  secure.on('secureConnection', (socket) => {
    handshakes.leave(socket);
    server.emit('connection', socket);
  });
  secure.on('tlsClientError', (_error, socket) => {
    onRefused(socket.remoteAddress ?? '');
    socket.destroy();
  });
  const plain = createHttpServer({ maxHeaderSize: 16 * 1024, keepAlive: false }, sendOn);
  const takePlain = (socket: Socket): void => {
    socket.setTimeout(plainMs, () => socket.destroy());
    setTimeout(() => socket.destroy(), 2 * plainMs).unref();
    plain.emit('connection', socket);
  };
  const front = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    handshakes.join(socket);
    awaitFirstByte(socket, handshakeMs, (byte) => {
      if (byte === tlsBegins) secure.emit('connection', socket);
      else takePlain(socket);
    });
  });

  return {
    /** Resolves with the port. Rejects with the system's error. */
    listen: (at: { host: string; port: number }) => listen(front, at),
    /** From now on. Whoever is connected keeps the old one. */
    use: (pair: { cert: string; key: string }) => secure.setSecureContext(pair),
    /** Takes nobody new, and resolves when everybody has gone. */
    close: () =>
      new Promise<void>((resolve) => {
        front.close(() => resolve());
        handshakes.end();
        // The server itself does so when it closes, which it does after us.
        server.closeIdleConnections();
      }),
  };
}

type Answer = Parameters<NonNullable<Parameters<typeof createHttpServer>[1]>>[1];

/** To the same address with https. Nothing else is done for a call that anybody could read or change. */
function sendOn({ headers: { host = '' }, url = '/', method }: IncomingMessage, answer: Answer): void {
  const isKnown = /^[\w.:[\]-]+$/.test(host) && url.startsWith('/');
  answer.setHeader('connection', 'close');
  if (isKnown && (method === 'GET' || method === 'HEAD'))
    answer.writeHead(308, { location: `https://${host}${url}` }).end();
  else
    answer
      .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      .end('This port speaks https. Begin the address with https://\n');
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}
