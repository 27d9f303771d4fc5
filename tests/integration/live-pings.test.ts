/** @module-tag slow */
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLine } from '../../api/src/http/live-connection.ts';
import { serveSatellite } from '../../api/src/http/satellite-connection.ts';
import { createEventReader } from '../../api/src/listen/events/client-events.ts';
import { listenSchema } from '../support/clients/listen-events.ts';
import { openLiveSession } from '../support/live-session.ts';
import { waitFor } from '../support/wait-for.ts';

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
});

/** A connection that is pinged every few ms, and the session behind it. */
async function connect({ autoPong }: { autoPong: boolean }) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  await once(server, 'listening');
  const live = await openLiveSession();
  server.on('connection', (socket) =>
    serveSatellite(live.session, createLine(socket), {
      socket,
      clock: {
        nowMs: () => performance.now(),
        after: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      },
      readEvent: createEventReader(listenSchema),
      maxFrameBytes: 65_536,
      pingEveryMs: 50,
      onFault: (error) => {
        throw error;
      },
    }),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const satellite = new WebSocket(`ws://127.0.0.1:${address.port}`, { autoPong });
  await once(satellite, 'open');
  return { satellite, live, server };
}

describe('pings', () => {
  test('end a connection without pongs, though sound still arrives', async () => {
    const { satellite } = await connect({ autoPong: false });
    const microphone = setInterval(() => satellite.send(Buffer.alloc(640)), 10);

    const [code] = await once(satellite, 'close');
    clearInterval(microphone);

    expect(code).toBe(1006);
  });

  test('keep an idle connection open', async () => {
    const { satellite } = await connect({ autoPong: true });
    let pings = 0;
    satellite.on('ping', () => {
      pings += 1;
    });

    await waitFor(() => pings >= 5, { what: 'five pings' });

    expect(satellite.readyState).toBe(WebSocket.OPEN);
  });
});

test('sound that comes much faster than speech waits at the satellite', async () => {
  const { satellite, live, server } = await connect({ autoPong: true });
  const [socket] = server.clients;

  for (let count = 0; count < 200; count += 1) satellite.send(Buffer.alloc(64_000));
  await waitFor(() => socket?.isPaused === true, { what: 'nothing is read' });

  expect(live.session.waitingMs()).toBeLessThan(5_000);
});
