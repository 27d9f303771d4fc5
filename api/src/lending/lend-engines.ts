import { constants, performServerHandshake } from 'node:http2';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { endWhenSilent, joinStreams } from './remote-streams.ts';

interface LendOptions {
  /** The connection to the household. */
  line: Socket;
  /** The address of each engine here. */
  servers: ReadonlyMap<string, { at: NetConnectOpts }>;
}

/** Lets the household call the engines of this machine, and nothing else, over a connection from here. */
export function lendEngines({ line, servers }: LendOptions) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const session = performServerHandshake(line);
  endWhenSilent(session);
  session.on('stream', (far, { ':path': path = '' }) => {
    const server = servers.get(path.slice(1));
    far.on('error', () => undefined);
    if (server === undefined) return far.close(constants.NGHTTP2_REFUSED_STREAM);
    far.respond({ ':status': 200 });
    joinStreams(far, connect(server.at));
  });
  session.on('error', () => undefined); // `close` follows
  line.on('error', () => undefined);
  line.once('close', () => session.destroy());
  session.once('close', () => {
    line.destroy();
    resolve();
  });

  return {
    /** Resolves when the connection has ended. */
    ended,
    /** Takes no new calls, and ends when the running ones have ended. */
    leave: () => session.close(),
    end: () => session.destroy(),
  };
}
