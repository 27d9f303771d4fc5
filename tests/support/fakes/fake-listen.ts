import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { examplesOf, faultOfEvent } from '../clients/listen-events.ts';
import { listenOnFreePort } from '../servers/listen.ts';
import { waitFor } from '../wait-for.ts';

const clientEventSchema = z.looseObject({ type: z.string() });

interface Refusal {
  status: number;
  message: string;
}

export type FakeListen = Awaited<ReturnType<typeof startFakeListen>>;
export type FakeSession = ReturnType<typeof createSession>;

/**
 * A server that speaks the /listen protocol and obeys the test; with a refusal it rejects every handshake.
 */
export async function startFakeListen(options: { refusal?: Refusal } = {}) {
  let refusal = options.refusal;
  const sessions: FakeSession[] = [];
  let refusals = 0;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const server = createServer((_request, response) => {
    const { status, message } = refusal ?? { status: 426, message: 'A WebSocket is expected here.' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(errorBody(message));
  });
  server.on('upgrade', (request, stream: Duplex, head) => {
    if (refusal) {
      refusals += 1;
      stream.end(
        `HTTP/1.1 ${refusal.status} Refused\r\nconnection: close\r\n\r\n${errorBody(refusal.message)}`,
      );
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => sessions.push(createSession(socket, request)));
  });

  return {
    url: await listenOnFreePort(server),
    sessions,
    /** Rejects every handshake from now on. */
    refuse: (next: Refusal) => {
      refusal = next;
    },
    /** Number of refused handshakes. */
    refusals: () => refusals,
    /** The nth connection (from 0), once it exists. */
    session: (nth = 0): Promise<FakeSession> =>
      waitFor(() => sessions[nth] ?? false, { what: `connection number ${nth + 1}` }),
    stop: () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: 'server_error', code: 'refused', param: null } });
}

interface Answer {
  turnId: string;
  transcript: string;
  reply: string;
  sound: Buffer;
}

function createSession(socket: WebSocket, request: IncomingMessage) {
  const events: z.infer<typeof clientEventSchema>[] = [];
  const faults: string[] = [];
  const sounds: Buffer[] = [];
  const closed = new Promise<number>((done) => socket.on('close', done));
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      sounds.push(data);
      return;
    }
    const event = clientEventSchema.parse(JSON.parse(data.toString()));
    const fault = faultOfEvent('client', event);
    if (fault) faults.push(fault);
    events.push(event);
  });

  /** Sends the schema's example of an event, with these fields changed. */
  const send = (type: string, changes: object = {}) => {
    const event = { ...examplesOf(type)[0], ...changes };
    const fault = faultOfEvent('server', event);
    if (fault) throw new Error(`the script is wrong: ${fault}`);
    socket.send(JSON.stringify(event));
  };
  const speak = (sound: Buffer) => {
    for (let at = 0; at < sound.length; at += 3_200) socket.send(sound.subarray(at, at + 3_200));
  };
  send('session.created');

  return {
    query: new URL(request.url ?? '/', 'http://localhost').searchParams,
    headers: request.headers,
    events,
    faults,
    /** The code with which the connection ended. */
    closed,
    send,
    speak,
    soundBytes: () => sounds.reduce((sum, { length }) => sum + length, 0),
    sound: () => Buffer.concat(sounds),
    /** The nth event of this type from the satellite, once it has arrived. */
    event: (type: string, nth = 0) =>
      waitFor(() => events.filter((event) => event.type === type)[nth] ?? false, { what: type }),
    /** Reports a question and begins to answer it. */
    begin: ({ turnId, transcript, reply, sound }: Answer) => {
      const turn = { turn_id: turnId };
      send('input_audio_buffer.speech_started', turn);
      send('input_audio_buffer.speech_stopped', turn);
      send('input_audio_buffer.committed', turn);
      send('conversation.item.input_audio_transcription.completed', { ...turn, transcript });
      send('response.created', turn);
      send('response.output_audio.started', turn);
      send('response.output_audio_transcript.delta', { ...turn, delta: reply });
      speak(sound);
    },
    /** Ends the current answer. */
    end: (
      { turnId, reply, sound }: Answer,
      how: { status: string; reason: string | null } = { status: 'completed', reason: null },
    ) => {
      const turn = { turn_id: turnId };
      send('response.output_audio.done', { ...turn, audio_duration_ms: Math.round(sound.length / 32) });
      send('response.done', { ...turn, reply, ...how });
    },
    close: (code: number) => socket.close(code),
    drop: () => socket.terminate(),
  };
}
