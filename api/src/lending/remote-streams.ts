import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { constants, type Http2Session, type Http2Stream } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';

const pingIntervalMs = 250;
/** Unanswered pings after which the other machine counts as gone. */
const maxUnanswered = 4;

/**
 * Ends a session within about a second after the other machine falls silent. The other machine may never
 * close the connection, because it sleeps or lost power. A suspension of this process counts as one ping.
 */
export function endWhenSilent(session: Http2Session): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (session.destroyed) return clearInterval(timer);
    if (unanswered >= maxUnanswered) return session.destroy();
    unanswered += 1;
    session.ping((error) => {
      if (error === null) unanswered = 0;
    });
  }, pingIntervalMs).unref();
}

/**
 * A system socket for the other end of a stream. Node's HTTP/2 throws uncaught errors when another kind of
 * stream ends during a write. `path`: a free path for a Unix socket, needed only until this resolves.
 */
export async function systemSocket(stream: Duplex, path: string): Promise<Socket> {
  const server = await listenAt(createServer(), path);
  const accepted = once(server, 'connection');
  const here = connect(path);
  const [there] = await accepted;
  server.close();
  await rm(path, { force: true });
  pipeline(stream, there, () => undefined);
  pipeline(there, stream, () => undefined);
  return here;
}

/** Resolves when the server takes connections at a Unix socket. */
export async function listenAt(server: Server, path: string): Promise<Server> {
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** Passes bytes on in both directions. If one side closes, the other closes too. */
export function joinStreams(far: Http2Stream, near: Socket): void {
  far.on('error', () => undefined);
  near.on('error', () => undefined);
  far.once('close', () => {
    if (!far.readableEnded) near.destroy();
  });
  near.once('close', () =>
    far.close(near.readableEnded ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL),
  );
  far.pipe(near);
  near.pipe(far);
}
