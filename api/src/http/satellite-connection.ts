import type { WebSocket } from '@fastify/websocket';
import type { RawData } from 'ws';
import type { Clock } from '../clock.ts';
import { type AppError, toAppError } from '../errors.ts';
import type { EventReader } from '../listen/events/client-events.ts';
import type { ErrorEvent } from '../listen/events/listen-events.ts';
import type { Session } from '../listen/session.ts';
import { closeCodes, createLiveConnection, type Line } from './live-connection.ts';

interface ConnectionOptions {
  socket: WebSocket;
  maxFrameBytes: number;
  clock: Clock;
  readEvent: EventReader;
  pingIntervalMs: number;
  onFault: (error: unknown) => void;
}

/** Passes frames to the session in order. Only an oversized frame closes the connection. */
export function serveSatellite(session: Session, line: Line, options: ConnectionOptions): void {
  const { socket, maxFrameBytes, clock, readEvent, pingIntervalMs, onFault } = options;
  const connection = createLiveConnection({ socket, clock, pingIntervalMs });

  const refuse = (error: AppError, about: Pick<ErrorEvent, 'event' | 'event_id'>): void => {
    if (connection.maySendError()) line.send({ type: 'error', turn_id: null, ...about, ...error.toBody() });
  };
  const pushAudio = (samples: Buffer): void => {
    for (const fault of connection.pushCheckedAudio(session, samples))
      refuse(fault, { event: 'audio', event_id: null });
  };
  const read = (text: string): void => {
    const given = readEvent(text);
    if ('error' in given) {
      refuse(given.error, { event: given.event, event_id: given.eventId });
      return;
    }
    const about = { event: given.event.type, event_id: given.event.event_id ?? null };
    session
      .take(given.event, (error) => refuse(error, about))
      .catch((error) => {
        onFault(error);
        refuse(toAppError(error), about);
      });
  };

  connection.serve(session, (data, isBinary) => {
    const bytes = toBuffer(data);
    if (bytes.length > maxFrameBytes) socket.close(closeCodes.tooLarge, 'a frame is too large');
    else if (isBinary) pushAudio(bytes);
    else read(bytes.toString());
  });
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
