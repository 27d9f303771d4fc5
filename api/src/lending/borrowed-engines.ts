import { connect } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { endWhenSilent, joinStreams, listenAt } from './remote-streams.ts';

interface BorrowOptions {
  /** The connection that the machine has opened. */
  line: Socket;
  /** The path of the Unix socket to open for each engine of the machine. */
  sockets: Readonly<Record<string, string>>;
  /** The machine takes no new calls. Running ones may still end. */
  onLeaving: () => void;
  onEnd: () => void;
}

/**
 * Opens a Unix socket for each engine of another machine. Their connections share one HTTP/2 session, with
 * this side as the client. So the other machine needs no open port.
 */
export function borrowEngines({ line, sockets, onLeaving, onEnd }: BorrowOptions) {
  const session = connect('http://machine', { createConnection: () => line });
  endWhenSilent(session);

  const passOn = (engine: string, socket: Socket): void => {
    if (session.closed || session.destroyed) return void socket.destroy();
    joinStreams(session.request({ ':method': 'POST', ':path': `/${engine}` }), socket);
  };
  const servers = Object.entries(sockets).map(([engine, path]) => {
    const server = createServer((socket) => passOn(engine, socket));
    return { server, listening: listenAt(server, path) };
  });
  const leave = () => {
    for (const { server } of servers) server.close();
    onLeaving();
  };
  session.once('goaway', leave);
  session.on('error', () => undefined); // `close` follows
  line.on('error', () => undefined);
  line.once('close', () => session.destroy());
  session.once('close', () => {
    leave();
    line.destroy();
    onEnd();
  });

  return {
    /** Resolves when every socket takes connections. */
    listening: Promise.all(servers.map(({ listening }) => listening)),
    end: () => session.destroy(),
  };
}
