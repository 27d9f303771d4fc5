import { randomUUID } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { createListener } from '../audio/listener.ts';
import type { Vad } from '../audio/vad.ts';
import type { Chain } from '../jobs/chain.ts';
import type { Announcing } from '../listen/announcing.ts';
import type { EventReader } from '../listen/client-events.ts';
import { createSaying } from '../listen/echo.ts';
import type { Notices } from '../listen/notices.ts';
import type { OwnVoice } from '../listen/own-voice.ts';
import type { Ringer } from '../listen/ringer.ts';
import { createSession, type Session, type SessionLimits, type SessionOptions } from '../listen/session.ts';
import { conversationOf, type SessionChoice } from '../listen/session-choice.ts';
import type { Logger } from '../log.ts';
import type { SpeakersHere } from '../speakers/speakers-here.ts';
import { type Caller, ownName } from './caller.ts';
import { realtimeProtocol } from './realtime-connection.ts';
import { closeCodes, createLine, type Protocol, serveSatellite } from './satellite-connection.ts';
import type { Roster } from './satellite-roster.ts';
import { systemClock as clock } from './system-clock.ts';

const limits: SessionLimits = {
  mostUtteranceMs: 30_000,
  mostFrameBytes: 65_536,
  aheadMs: 2_000,
  pingEveryMs: 15_000,
};

export interface DoorOptions
  extends Pick<
    SessionOptions,
    'judge' | 'pauses' | 'undo' | 'claim' | 'tone' | 'chime' | 'ready' | 'settings' | 'standstill'
  > {
  log: Logger;
  chain: Chain;
  readEvent: EventReader;
  ringer: Ringer;
  notices: Notices;
  announcing: Announcing;
  speakers: SpeakersHere;
  voice: OwnVoice;
  vad: Vad;
  roster: Roster;
  onFault: (error: unknown) => void;
}

/** The words in which a connection is spoken on: ours, or OpenAI's. */
export type ProtocolKind = 'listen' | 'realtime';

interface Opening {
  caller: Caller;
  kind: ProtocolKind;
}

type Named = (client: string | null) => string | null;

/** Opens the session of a connection, and tells the roster and the timers of it until it closes. */
export function createSessionDoor(options: DoorOptions) {
  const { log, readEvent, ringer, notices, announcing, speakers, roster, vad, onFault } = options;
  const saying = createSaying();

  const satelliteProtocol = (socket: WebSocket, named: Named): Protocol => {
    const line = createLine(socket);
    const { mostFrameBytes, pingEveryMs } = limits;
    const own = { readEvent: renaming(readEvent, named), mostFrameBytes, pingEveryMs };
    return { line, serve: (session) => serveSatellite(session, line, { socket, clock, onFault, ...own }) };
  };
  const protocolOf = (socket: WebSocket, kind: ProtocolKind, named: Named): Protocol =>
    kind === 'listen'
      ? satelliteProtocol(socket, named)
      : realtimeProtocol({ socket, clock, pingEveryMs: limits.pingEveryMs, onFault });

  return (socket: WebSocket, wish: SessionChoice, { caller, kind }: Opening): Session => {
    const id = randomUUID();
    const named = (client: string | null) => (client === null ? null : ownName(caller, client));
    const choice = { ...wish, client: named(wish.client) };
    const { line, serve } = protocolOf(socket, kind, named);
    const placeOf = (chosen: SessionChoice) => ({
      room: chosen.room,
      conversation: conversationOf(id, chosen),
    });
    const session: Session = createSession({
      ...options,
      ...line,
      id,
      choice,
      clock,
      limits,
      saying,
      newTurnId: randomUUID,
      openListener: (given) => createListener({ vad, ...given }),
      timers: (chosen) => ringer.running(placeOf(chosen)),
      onChoice: (chosen) => {
        roster.rename(id, chosen.client);
        ringer.move(id, placeOf(chosen));
        announcing.put(id, { ...placeOf(chosen), say: session.relay });
      },
      onStopped: () => ringer.stopped(id),
      onAnswered: () => {
        ringer.spokenWith(id);
        notices.spokenWith(session.announce);
      },
    });
    serve(session);
    const replaced = () => socket.close(closeCodes.replaced, 'a newer connection of this client');
    roster.join({ sessionId: id, client: choice.client, connectedAt: Date.now(), replaced });
    ringer.join({ sessionId: id, place: placeOf(choice), ring: session.ring, tell: session.tell });
    announcing.put(id, { ...placeOf(choice), say: session.relay });
    speakers.follow(id, session.lookAtSpeaker);
    const about = { session: id, ...(caller.tokenName && { token_name: caller.tokenName }) };
    log.info({ ...about, kind, client: choice.client, room: choice.room }, 'a satellite has connected');
    socket.on('close', (code) => {
      roster.leave(id);
      ringer.leave(id);
      announcing.leave(id);
      speakers.leave(id);
      speakers.forget(conversationOf(id, { ...choice, client: null }));
      log.info({ ...about, code }, 'a satellite has left');
    });
    return session;
  };
}

/** A satellite that gives itself another name gets one that it may have. */
function renaming(read: EventReader, named: Named): EventReader {
  return (text) => {
    const given = read(text);
    if ('error' in given || given.event.type !== 'session.update') return given;
    const { client, ...others } = given.event.session;
    if (client === undefined) return given;
    return { event: { ...given.event, session: { ...others, client: named(client) } } };
  };
}
