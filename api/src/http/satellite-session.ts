import type { WebSocket } from '@fastify/websocket';
import type { EventReader } from '../listen/events/client-events.ts';
import type { Session } from '../listen/session.ts';
import type { SessionChoice } from '../listen/session-choice.ts';
import type { TranscribeSpeech } from '../realtime/early-transcription.ts';
import type { PictureSupport } from '../turn/shown-pictures.ts';
import { type Caller, ownName } from './caller.ts';
import { closeCodes, createLine, type Protocol } from './live-connection.ts';
import { realtimeProtocol } from './realtime-connection.ts';
import { serveSatellite } from './satellite-connection.ts';
import { type EnterSession, sessionLimits } from './session-entry.ts';
import { systemClock as clock } from './system-clock.ts';

interface SessionOpenerOptions {
  readEvent: EventReader;
  enter: EnterSession;
  sight: PictureSupport;
  greetMe: string;
  voices: () => readonly string[] | undefined;
  transcribe: TranscribeSpeech;
  onFault: (error: unknown) => void;
}

/** The format of a connection: ours or OpenAI's. */
export type ProtocolKind = 'listen' | 'realtime';

interface Opening {
  caller: Caller;
  kind: ProtocolKind;
  /** The client knows only the event names of OpenAI's beta. */
  isBeta: boolean;
  /** The satellite cancels echo itself. Our echo guard would then mistake people for our own voice. */
  takesEchoOut: boolean;
}

type Named = (client: string | null) => string | null;

/** Opens the session of a connection until the connection closes. */
export function createSessionOpener(options: SessionOpenerOptions) {
  const { readEvent, onFault, sight, greetMe, voices, transcribe, enter } = options;
  const satelliteProtocol = (socket: WebSocket, named: Named): Protocol => {
    const line = createLine(socket);
    const { maxFrameBytes, pingIntervalMs } = sessionLimits;
    const own = { readEvent: renaming(readEvent, named), maxFrameBytes, pingIntervalMs };
    return { line, serve: (session) => serveSatellite(session, line, { socket, clock, onFault, ...own }) };
  };
  const protocolOf = (socket: WebSocket, { kind, isBeta }: Opening, named: Named): Protocol =>
    kind === 'listen'
      ? satelliteProtocol(socket, named)
      : realtimeProtocol({
          socket,
          clock,
          pingIntervalMs: sessionLimits.pingIntervalMs,
          isBeta,
          sight,
          greetMe,
          voices,
          transcribe,
          onFault,
        });

  return (socket: WebSocket, choice: SessionChoice, opening: Opening): Session => {
    const { caller, kind, takesEchoOut } = opening;
    const named = (client: string | null) => (client === null ? null : ownName(caller, client));
    const { line, serve } = protocolOf(socket, opening, named);
    const { session, leave } = enter({
      choice: { ...choice, client: named(choice.client) },
      line,
      about: { kind, ...(caller.tokenName && { token_name: caller.tokenName }) },
      replaced: () => socket.close(closeCodes.replaced, 'a newer connection of this client'),
      takesEchoOut,
      isProgram: kind === 'realtime',
    });
    serve(session);
    socket.on('close', (code) => leave({ code }));
    return session;
  };
}

/** Maps the name in a `session.update` to one the caller may use. */
function renaming(read: EventReader, named: Named): EventReader {
  return (text) => {
    const given = read(text);
    if ('error' in given || given.event.type !== 'session.update') return given;
    const { client, ...others } = given.event.session;
    if (client === undefined) return given;
    return { event: { ...given.event, session: { ...others, client: named(client) } } };
  };
}
