import { text } from 'node:stream/consumers';
import { type RawData, WebSocket } from 'ws';
import type { ServerEvent, WakeMode } from '../../../api/src/listen/events/listen-events.ts';
import { openMicrophone } from '../audio/microphone.ts';
import { waitFor } from '../wait-for.ts';
import { readServerEvent } from './listen-events.ts';
import { createOrderCheck } from './listen-order.ts';

interface ConnectOptions {
  client?: string;
  room?: string;
  token?: string;
  wake?: WakeMode;
  language?: string;
  headers?: Record<string, string>;
  withinMs?: number;
}

/** The server answered the handshake with something other than a socket. */
export class HandshakeRefused extends Error {
  override readonly name = 'HandshakeRefused';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the handshake was answered with ${status}: ${body}`);
    this.status = status;
    this.body = body;
  }
}

/**
 * A frame or event, and the time of its arrival: in milliseconds of performance.now(), and as Unix time in
 * ms. A busy machine may stop a program between two clock readings, so neither is computed from the other.
 */
interface At<T> {
  atMs: number;
  unixMs: number;
  event: T;
}

type Matching<Event extends ServerEvent, Type> = Event extends { type: infer Own }
  ? Type extends Own
    ? Event & { type: Type }
    : never
  : never;
export type EventOf<Type extends ServerEvent['type']> = Matching<ServerEvent, Type>;

/** One response from beginning to end. */
export interface Exchange {
  turnId: string;
  transcript: string | null;
  done: EventOf<'response.done'>;
  createdAtMs: number;
  doneAtMs: number;
  /** All sound of the turn, and the arrival times of its chunks. */
  sound: Buffer;
  soundAtMs: number[];
}

/** Everything received over a connection. */
interface Received {
  events: At<ServerEvent>[];
  sounds: { atMs: number; turnId: string; samples: Buffer }[];
  /** Frames that no server may send; every wait fails with them. */
  faults: string[];
}

export type ListenClient = Awaited<ReturnType<typeof connectListen>>;

/**
 * A satellite for tests. Every frame that it gets is checked against listen-events.schema.json and against
 * the order of events.
 */
export async function connectListen(address: string, options: ConnectOptions = {}) {
  const socket = new WebSocket(listenAddress(address, options), { headers: options.headers ?? {} });
  const received: Received = { events: [], sounds: [], faults: [] };
  const order = createOrderCheck();
  socket.on('message', (data, isBinary) => take(received, order, { data, isBinary }));
  const closed = new Promise<{ code: number; reason: string; atMs: number }>((done) => {
    socket.on('close', (code, reason) => done({ code, reason: String(reason), atMs: performance.now() }));
  });
  await opened(socket, options.withinMs ?? 30_000);
  const { events, sounds, faults } = received;

  const until = async <T>(look: () => T | undefined, what: string, withinMs = 30_000): Promise<T> => {
    const found = await waitFor(
      () => {
        if (faults.length > 0) return { faults };
        const value = look();
        return value === undefined ? false : { value };
      },
      { what, withinMs },
    );
    if ('value' in found) return found.value;
    throw new Error(found.faults.join('\n'));
  };
  const find = <Type extends ServerEvent['type']>(type: Type, nth = 0): At<EventOf<Type>> | undefined =>
    events.filter((each): each is At<EventOf<Type>> => each.event.type === type)[nth];

  return {
    /** Everything received, in order, with its time. */
    events,
    sounds,
    faults,
    /** Resolves when either side has ended the connection. */
    closed,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (event: object) => socket.send(JSON.stringify(event)),
    /** Sends a frame unchanged: text or bytes. */
    sendRaw: (frame: string | Buffer) => socket.send(frame),
    openMicrophone: (more: { speed?: number } = {}) =>
      openMicrophone({
        send: (samples) => socket.readyState === WebSocket.OPEN && socket.send(samples),
        ...more,
      }),
    /** The first event of this type, or the nth (from 0), once it has arrived. */
    event: <Type extends ServerEvent['type']>(type: Type, nth = 0, withinMs?: number) =>
      until(() => find(type, nth), `${type} number ${nth + 1}`, withinMs),
    /** The nth response (from 0), once it has ended. */
    exchange: (nth = 0, withinMs?: number): Promise<Exchange> =>
      until(() => exchangeOf(received, nth), `the end of response number ${nth + 1}`, withinMs),
    /** Turns whose answer has begun and not ended. */
    openResponses: order.openResponses,
    /** Stops reading, like a hanging satellite. */
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    /** Disconnects without a close frame. */
    terminate: () => socket.terminate(),
    /** Closes the connection properly; fails if any frame was wrong. */
    close: async () => {
      socket.close(1000);
      await closed;
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  };
}

function listenAddress(address: string, { client, room, token, wake, language }: ConnectOptions): URL {
  const url = new URL('/listen', address.replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries({ client, room, token, wake, language })) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

function opened(socket: WebSocket, withinMs: number): Promise<void> {
  return new Promise((done, fail) => {
    const late = setTimeout(() => {
      fail(new Error(`no handshake within ${withinMs} ms`));
      socket.terminate();
    }, withinMs);
    socket.on('open', done);
    socket.on('error', fail); // After the handshake this changes nothing: the close code carries the reason.
    socket.on('unexpected-response', (_request, response) => {
      text(response).then((body) => fail(new HandshakeRefused(response.statusCode ?? 0, body)), fail);
    });
    socket.on('close', () => clearTimeout(late));
    socket.on('open', () => clearTimeout(late));
  });
}

function take(
  { events, sounds, faults }: Received,
  order: ReturnType<typeof createOrderCheck>,
  { data, isBinary }: { data: RawData; isBinary: boolean },
): void {
  const [atMs, unixMs] = [performance.now(), Date.now()];
  const bytes = wholeOf(data);
  try {
    if (isBinary) {
      const fault = order.faultOfSound(bytes.length);
      if (fault) faults.push(fault);
      sounds.push({ atMs, turnId: order.speaking() ?? '', samples: bytes });
      return;
    }
    const event = readServerEvent(bytes.toString());
    events.push({ atMs, unixMs, event });
    const fault = order.faultOf(event);
    if (fault) faults.push(`${fault}: ${bytes}`);
  } catch (error) {
    faults.push(String(error));
  }
}

function wholeOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

function exchangeOf({ events, sounds }: Received, nth: number): Exchange | undefined {
  const created = events.filter(({ event }) => event.type === 'response.created')[nth];
  if (created?.event.type !== 'response.created') return undefined;
  const turnId = created.event.turn_id;
  const ofTurn = events.filter(({ event }) => 'turn_id' in event && event.turn_id === turnId);
  const done = ofTurn.find(({ event }) => event.type === 'response.done');
  if (done?.event.type !== 'response.done') return undefined;
  const transcribed = ofTurn.find(
    ({ event }) => event.type === 'conversation.item.input_audio_transcription.completed',
  );
  const pieces = sounds.filter((piece) => piece.turnId === turnId);
  return {
    turnId,
    transcript: transcribed && 'transcript' in transcribed.event ? transcribed.event.transcript : null,
    done: done.event,
    createdAtMs: created.atMs,
    doneAtMs: done.atMs,
    sound: Buffer.concat(pieces.map(({ samples }) => samples)),
    soundAtMs: pieces.map(({ atMs }) => atMs),
  };
}
