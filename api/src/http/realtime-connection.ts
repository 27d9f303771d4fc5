import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import type { Clock } from '../clock.ts';
import { createSoundCheck } from '../listen/sound-check.ts';
import { inBetaWords } from '../realtime/beta-session.ts';
import { createRealtimeClient } from '../realtime/realtime-client.ts';
import type { Sight } from '../turn/shown-pictures.ts';
import {
  createAllowance,
  createInlet,
  createLine,
  keepAlive,
  type Protocol,
} from './live-connection.ts';

interface RealtimeConnectionOptions {
  socket: WebSocket;
  clock: Clock;
  pingEveryMs: number;
  /** The client uses the event names of OpenAI's beta. */
  isBeta: boolean;
  sight: Sight;
  greetMe: string;
  onFault: (error: unknown) => void;
}

/** A live connection in OpenAI's Realtime format. It uses the same session as a satellite. */
export function realtimeProtocol({
  socket,
  clock,
  pingEveryMs,
  isBeta,
  sight,
  greetMe,
  onFault,
}: RealtimeConnectionOptions): Protocol {
  const line = createLine(socket);
  const check = createSoundCheck(clock);
  const mayTell = createAllowance(clock);
  const client = createRealtimeClient({
    send: (event) => {
      const told = isBeta ? inBetaWords(event) : event;
      // Limits error replies to a client that sends invalid events.
      if (told && (!('error' in told) || mayTell())) line.send(told);
    },
    sight,
    greetMe,
    onFault,
    onSound: (session, samples) => {
      // Measured only to throttle fairly: a recording may arrive faster than real time.
      check.faultOf(samples);
      void session.hear(samples).then(() => gate.release(session.waitingMs()));
      gate.hold(session.waitingMs(), check.waitMs());
    },
  });
  const pings = keepAlive({ socket, clock, everyMs: pingEveryMs });
  const gate = createInlet({ socket, clock, onHold: pings.excuse });

  return {
    line: {
      send: client.tell,
      onUsage: client.tellUsage,
      loudspeaker: { ...line.loudspeaker, play: client.play },
    },
    serve(session) {
      socket.on('message', (data) => client.read(session, String(data)));
      socket.on('close', () => {
        pings.stop();
        gate.stop();
        session.close();
      });
    },
  };
}

/** Sends the reason for a refusal as an event. OpenAI's clients show events, and rarely a close reason. */
export function tellRefusal(socket: WebSocket, message: string): void {
  const error = { type: 'server_error', code: 'overloaded', message, param: null, event_id: null };
  socket.send(JSON.stringify({ type: 'error', event_id: `event_${randomUUID()}`, error }));
}
