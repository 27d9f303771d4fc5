/** @module-tag slow */
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLine } from '../../api/src/http/live-connection.ts';
import { serveSatellite } from '../../api/src/http/satellite-connection.ts';
import { createEventReader } from '../../api/src/listen/events/client-events.ts';
import { listenSchema } from '../support/clients/listen-events.ts';
import { createFakeClock } from '../support/fakes/fake-clock.ts';
import { openLiveSession } from '../support/live-session.ts';
import { waitFor } from '../support/wait-for.ts';

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
});

const pingIntervalMs = 15_000;

/** A connection whose clock the test advances, and the session behind it. */
async function connect({ autoPong }: { autoPong: boolean }) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  await once(server, 'listening');
  const live = await openLiveSession();
  const clock = createFakeClock();
  const opened = once(server, 'connection');
  server.on('connection', (socket) =>
    serveSatellite(live.session, createLine(socket), {
      socket,
      clock,
      readEvent: createEventReader(listenSchema),
      maxFrameBytes: 65_536,
      pingIntervalMs,
      onFault: (error) => {
        throw error;
      },
    }),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const satellite = new WebSocket(`ws://127.0.0.1:${address.port}`, { autoPong });
  await Promise.all([opened, once(satellite, 'open')]);
  const [socket] = server.clients;
  if (!socket) throw new Error('no connection');
  return { satellite, live, socket, clock };
}

describe('pings', () => {
  test('end a connection without pongs, though sound still arrives', async () => {
    const { satellite, socket, clock } = await connect({ autoPong: false });
    const closed = once(satellite, 'close');

    await clock.pass(pingIntervalMs);
    satellite.send(Buffer.alloc(640));
    await once(socket, 'message');
    await clock.pass(pingIntervalMs);

    expect((await closed)[0]).toBe(1006);
  });

  test('keep an idle connection open', async () => {
    const { satellite, socket, clock } = await connect({ autoPong: true });

    for (let pings = 0; pings < 5; pings += 1) {
      const answered = once(socket, 'pong');
      await clock.pass(pingIntervalMs);
      await answered;
    }

    expect(satellite.readyState).toBe(WebSocket.OPEN);
  });
});

test('sound that comes much faster than speech waits at the satellite', async () => {
  const { satellite, live, socket } = await connect({ autoPong: true });

  for (let count = 0; count < 200; count += 1) satellite.send(Buffer.alloc(64_000));
  await waitFor(() => socket.isPaused, { what: 'nothing is read' });

  expect(live.session.waitingMs()).toBeLessThan(5_000);
});
