import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listenOnPort } from '../listen-on-port.ts';
import { awaitFirstByte } from './first-byte.ts';
import { limitHandshakes } from './handshakes.ts';

/** The first byte of every TLS connection: a handshake record. */
export const tlsBegins = 0x16;
const handshakeMs = 10_000;
/** Maximum time for a plain HTTP request on this port. */
const plainMs = 5_000;

interface SecureFrontOptions {
  /** Answers requests from this port too. */
  server: HttpServer;
  cert: string;
  key: string;
  /** Called when a handshake fails, usually because a device does not trust the certificate. */
  onRefused: (from: string) => void;
}

export type SecureFront = ReturnType<typeof createSecureFront>;

/**
 * The https port. It passes its connections to the HTTP server, so the same rules and limits apply. Redirects
 * plain HTTP to https.
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
  const take = (socket: Socket): void => {
    socket.on('error', () => socket.destroy());
    handshakes.join(socket);
    awaitFirstByte(socket, handshakeMs, (byte) => {
      if (byte === tlsBegins) secure.emit('connection', socket);
      else takePlain(socket);
    });
  };
  const front = createServer(take);

  return {
    /** Takes a connection of another listener. */
    take,
    /** Resolves with the port. Rejects with the system error. */
    listen: (at: { host: string; port: number }) => listenOnPort(front, at),
    /** Sets the certificate for new connections. Open connections keep the old one. */
    use: (pair: { cert: string; key: string }) => secure.setSecureContext(pair),
    /** Stops accepting connections. Resolves when all have ended. */
    close: () =>
      new Promise<void>((resolve) => {
        front.close(() => resolve());
        handshakes.end();
        // The HTTP server closes idle connections on close, but it closes after this.
        server.closeIdleConnections();
      }),
  };
}

type Answer = Parameters<NonNullable<Parameters<typeof createHttpServer>[1]>>[1];

/**
 * Redirects to the same address with https. Does nothing else, because anyone could read or change the call.
 */
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
