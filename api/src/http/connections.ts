import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Maximum open connections, in total and per address. Excess connections are closed. */
  maxOpen: number;
  maxOfAddress: number;
  /**
   * Maximum connections without a running request: idle or with half a request. A new one closes the oldest.
   */
  maxWaiting: number;
  maxWaitingOfAddress: number;
}

/** Far above a household's needs, even if all calls come from the address of one proxy. */
const household: ConnectionLimits = {
  maxOpen: 4_096,
  maxOfAddress: 1_024,
  maxWaiting: 1_024,
  maxWaitingOfAddress: 256,
};

interface Options {
  limits?: ConnectionLimits | undefined;
  /** Called when an address reaches a limit and loses a connection. */
  onLimit?: (from: string) => void;
}

interface Place {
  address: string;
  /** Bytes of the TLS handshake, if there was one. */
  bytesBefore: number;
  /** Requests in progress. */
  open: number;
}

/**
 * Limits the cost of callers that connect without a complete request: half a request takes memory before the
 * token check. Complete requests are answered within milliseconds and are not affected by floods from other
 * addresses.
 */
export function limitConnections(
  server: Server,
  { limits = household, onLimit = () => undefined }: Options = {},
) {
  const places = new Map<Socket, Place>();
  const openOf = new Map<string, number>();
  const waiting = new Set<Socket>();
  const waitingOf = new Map<string, Set<Socket>>();

  const stopWaiting = (socket: Socket, { address }: Place): void => {
    waiting.delete(socket);
    const here = waitingOf.get(address);
    here?.delete(socket);
    if (here?.size === 0) waitingOf.delete(address);
  };
  const wait = (socket: Socket, place: Place): void => {
    const here = waitingOf.get(place.address) ?? new Set();
    waitingOf.set(place.address, here.add(socket));
    waiting.add(socket);
    const crowded = here.size > limits.maxWaitingOfAddress ? here : waiting;
    if (here.size <= limits.maxWaitingOfAddress && waiting.size <= limits.maxWaiting) return;
    const [oldest] = crowded;
    if (oldest !== undefined) drop(oldest);
  };
  const drop = (socket: Socket): void => {
    const place = places.get(socket);
    if (place) onLimit(place.address);
    socket.destroy();
    leave(socket);
  };
  const leave = (socket: Socket): void => {
    const place = places.get(socket);
    if (!place) return;
    places.delete(socket);
    stopWaiting(socket, place);
    const left = (openOf.get(place.address) ?? 1) - 1;
    if (left === 0) openOf.delete(place.address);
    else openOf.set(place.address, left);
  };
  const join = (socket: Socket): void => {
    const place = { address: socket.remoteAddress ?? '', bytesBefore: socket.bytesRead, open: 0 };
    places.set(socket, place);
    openOf.set(place.address, (openOf.get(place.address) ?? 0) + 1);
    socket.once('close', () => leave(socket));
    const isFull = places.size > limits.maxOpen || (openOf.get(place.address) ?? 0) > limits.maxOfAddress;
    if (isFull) drop(socket);
    else wait(socket, place);
  };
  const beginAnswer = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const place = places.get(socket);
    if (!place) return;
    place.open += 1;
    stopWaiting(socket, place);
    response.once('close', () => {
      place.open -= 1;
      if (place.open === 0 && places.has(socket)) wait(socket, place);
    });
  };

  server.on('connection', join);
  server.on('request', beginAnswer);
  // A satellite's connection counts as answered while it is open.
  server.on('upgrade', ({ socket }) => {
    const place = places.get(socket);
    if (place) stopWaiting(socket, place);
  });

  return {
    /** Ends connections that never sent a request. Node would wait for them as for active ones. */
    endUnused(): void {
      for (const [socket, { bytesBefore }] of places) if (socket.bytesRead === bytesBefore) socket.destroy();
    },
  };
}
