import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import type { Clock } from '../clock.ts';
import { inBetaWords } from '../realtime/beta-session.ts';
import type { TranscribeSpeech } from '../realtime/early-transcription.ts';
import { createRealtimeClient } from '../realtime/realtime-client.ts';
import type { PictureSupport } from '../turn/shown-pictures.ts';
import { createLine, createLiveConnection, type LiveConnection, type Protocol } from './live-connection.ts';

interface RealtimeConnectionOptions {
  socket: WebSocket;
  clock: Clock;
  pingIntervalMs: number;
  /** The client uses the event names of OpenAI's beta. */
  isBeta: boolean;
  sight: PictureSupport;
  greetMe: string;
  voices: () => readonly string[] | undefined;
  transcribe: TranscribeSpeech;
  onFault: (error: unknown) => void;
}

/** A live connection in OpenAI's Realtime format. It uses the same session as a satellite. */
export function realtimeProtocol({
  socket,
  clock,
  pingIntervalMs,
  isBeta,
  sight,
  greetMe,
  voices,
  transcribe,
  onFault,
}: RealtimeConnectionOptions): Protocol {
  const { loudspeaker } = createLine(socket);
  const connection = createLiveConnection({ socket, clock, pingIntervalMs });
  const client = createRealtimeClient({
    send: sendTo(socket, connection, isBeta),
    sight,
    greetMe,
    voices,
    clock,
    transcribe,
    onFault,
    onSound: connection.pushAudio,
  });
  socket.on('close', client.close);

  return {
    line: {
      send: client.tell,
      onUsage: client.tellUsage,
      loudspeaker: {
        play: client.play,
        unreadBytes: loudspeaker.unreadBytes,
        giveUp: loudspeaker.giveUp,
        isReadOnly: client.isReadOnly,
      },
    },
    serve(session) {
      connection.serve(session, (data) => client.read(session, String(data)));
    },
  };
}

/** Sends events in the words of the client, with a limit on error replies. */
export function sendTo(socket: WebSocket, connection: LiveConnection, isBeta: boolean) {
  const line = createLine(socket);
  return (event: object): void => {
    const outgoing = isBeta ? inBetaWords(event) : event;
    if (outgoing && (!('error' in outgoing) || connection.maySendError())) line.send(outgoing);
  };
}

/** Sends the reason for a refusal as an event. OpenAI's clients show events, and rarely a close reason. */
export function sendRefusal(socket: WebSocket, message: string): void {
  const error = { type: 'server_error', code: 'overloaded', message, param: null, event_id: null };
  socket.send(JSON.stringify({ type: 'error', event_id: `event_${randomUUID()}`, error }));
}
