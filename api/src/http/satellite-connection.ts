import type { WebSocket } from '@fastify/websocket';
import type { RawData } from 'ws';
import type { Clock } from '../clock.ts';
import { type AppError, toAppError } from '../errors.ts';
import type { EventReader } from '../listen/events/client-events.ts';
import type { ErrorEvent } from '../listen/events/listen-events.ts';
import type { Session } from '../listen/session.ts';
import { createSoundCheck } from '../listen/sound-check.ts';
import { closeCodes, createAllowance, createInlet, keepAlive, type Line } from './live-connection.ts';

interface ConnectionOptions {
  socket: WebSocket;
  maxFrameBytes: number;
  clock: Clock;
  readEvent: EventReader;
  pingEveryMs: number;
  onFault: (error: unknown) => void;
}

/** Passes frames to the session in order. Only an oversized frame closes the connection. */
export function serveSatellite(session: Session, line: Line, options: ConnectionOptions): void {
  const { socket, maxFrameBytes, clock, readEvent, pingEveryMs, onFault } = options;
  const check = createSoundCheck(clock);
  const mayTell = createAllowance(clock);
  const pings = keepAlive({ socket, clock, everyMs: pingEveryMs });
  const gate = createInlet({ socket, clock, onHold: pings.excuse });

  const refuse = (error: AppError, about: Pick<ErrorEvent, 'event' | 'event_id'>): void => {
    if (mayTell()) line.send({ type: 'error', turn_id: null, ...about, ...error.toBody() });
  };
  const hear = (samples: Buffer): void => {
    const fault = check.faultOf(samples);
    const about = { event: 'audio', event_id: null };
    if (fault) refuse(fault, about);
    else void session.hear(samples).then(() => gate.release(session.waitingMs()));
    const complaint = check.complaint();
    if (complaint) refuse(complaint, about);
    gate.hold(session.waitingMs(), check.waitMs());
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

  socket.on('message', (data, isBinary) => {
    const bytes = toBuffer(data);
    if (bytes.length > maxFrameBytes) socket.close(closeCodes.tooLarge, 'a frame is too large');
    else if (isBinary) hear(bytes);
    else read(bytes.toString());
  });
  socket.on('close', () => {
    pings.stop();
    gate.stop();
    session.close();
  });
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
