import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once, in all and of one address. A new one beyond it is closed. */
  most: number;
  maxOfAddress: number;
  /**
   * Those of them on which nothing is being answered: half a request has come, or none. A new one closes the
   * oldest.
   */
  maxWaiting: number;
  maxWaitingOfAddress: number;
}

/** Far more than a household has, even where a proxy in front of it makes all calls come from one address. */
const household: ConnectionLimits = {
  most: 4_096,
  maxOfAddress: 1_024,
  maxWaiting: 1_024,
  maxWaitingOfAddress: 256,
};

interface Options {
  limits?: ConnectionLimits | undefined;
  /** An address has reached a limit, and loses a connection. */
  onLimit?: (from: string) => void;
}

interface Place {
  address: string;
  /** What its handshake took, where it is a secure one. */
  bytesBefore: number;
  /** Requests that are being answered. */
  open: number;
}

/**
 * Bounds what callers cost who only connect: half a request takes memory before anybody is asked for a token.
 * Whoever asks in one go is answered in milliseconds, and is not affected by a crowd from elsewhere.
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
    const isFull = places.size > limits.most || (openOf.get(place.address) ?? 0) > limits.maxOfAddress;
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
  // A satellite's connection is answered as long as it is open.
  server.on('upgrade', ({ socket }) => {
    const place = places.get(socket);
    if (place) stopWaiting(socket, place);
  });

  return {
    /**
     * Ends the connections on which nothing was ever asked: Node waits for them as for those that are being
     * answered.
     */
    endUnused(): void {
      for (const [socket, { bytesBefore }] of places) if (socket.bytesRead === bytesBefore) socket.destroy();
    },
  };
}
