import { randomUUID } from 'node:crypto';
import { createListener } from '../audio/listener.ts';
import type { Vad } from '../audio/vad.ts';
import type { Notices } from '../listen/notices.ts';
import { createRecentSentences } from '../listen/playback/echo.ts';
import type { OwnVoice } from '../listen/playback/own-voice.ts';
import type { Announcing } from '../listen/ringing/announcing.ts';
import type { Ringer } from '../listen/ringing/ringer.ts';
import type { Ring } from '../listen/ringing/ringing.ts';
import type { SatelliteOrders } from '../listen/satellite-orders.ts';
import {
  createSession,
  type EnteredSession,
  type Session,
  type SessionLimits,
  type SessionOptions,
} from '../listen/session.ts';
import { conversationOf, type SessionChoice } from '../listen/session-choice.ts';
import type { Logger } from '../log.ts';
import type { ChoicesHere } from '../satellites/choices-here.ts';
import type { SpeakersHere } from '../speakers/speakers-here.ts';
import type { Line } from './live-connection.ts';
import type { SatelliteRegistry } from './satellite-registry.ts';
import { systemClock as clock } from './system-clock.ts';

export const sessionLimits: SessionLimits = {
  maxUtteranceMs: 30_000,
  maxFrameBytes: 65_536,
  aheadMs: 2_000,
  pingIntervalMs: 15_000,
};

/** Parts that every session gets unchanged. */
export type SessionParts =
  | 'turnClient'
  | 'transcribePartial'
  | 'preloadConversation'
  | 'judge'
  | 'wakeWords'
  | 'pauses'
  | 'cutOffs'
  | 'undo'
  | 'canBeUndone'
  | 'claim'
  | 'rivals'
  | 'calls'
  | 'tone'
  | 'chime'
  | 'ready'
  | 'goOn'
  | 'settings'
  | 'suspension';

interface EntryOptions extends Pick<SessionOptions, SessionParts> {
  log: Logger;
  ringer: Ringer;
  notices: Notices;
  announcing: Announcing;
  speakers: SpeakersHere;
  choices: ChoicesHere;
  orders: SatelliteOrders;
  voice: OwnVoice;
  vad: Vad;
  registry: SatelliteRegistry;
  onFault: (error: unknown) => void;
}

/** A satellite that enters, of any kind. */
interface Entering {
  choice: SessionChoice;
  line: Line;
  /** Fields for the log. */
  about: Readonly<Record<string, unknown>>;
  /** Called when a newer satellite with the same name enters. */
  replaced: () => void;
  /** The satellite stops listening at the end of an utterance, so the end must not come early. */
  isDeafAfterwards?: boolean;
  /** The satellite cancels echo itself. The guard against our own voice would mistake people for it. */
  takesEchoOut?: boolean;
  /** Maximum time by which sound is sent ahead of playback. Undefined: the default. */
  aheadMs?: number;
  /** The satellite decides when it wakes: the household cannot set its wake words. */
  wakesItself?: boolean;
  /** A program, which may connect while no person is there. */
  isProgram?: boolean;
  /** Returns the rings that the satellite does not handle itself. */
  ringsItself?: (rings: readonly Ring[]) => readonly Ring[];
}

export type EnterSession = (entering: Entering) => EnteredSession;

/** Opens a satellite's session and reports it to the registry and the timers until it leaves. */
export function createSessionEntry(options: EntryOptions): EnterSession {
  const { log, ringer, notices, announcing, speakers, choices, orders, registry } = options;
  const { turnClient, transcribePartial, preloadConversation } = options;
  const { voice, vad, onFault, judge, wakeWords, pauses, cutOffs, undo, canBeUndone } = options;
  const { claim, rivals, calls, tone, chime, ready, goOn, suspension } = options;
  const saying = createRecentSentences();

  return ({
    choice,
    line,
    about: kind,
    replaced,
    isDeafAfterwards = false,
    takesEchoOut = false,
    aheadMs = sessionLimits.aheadMs,
    wakesItself = false,
    isProgram = false,
    ringsItself = (rings) => rings,
  }) => {
    const id = randomUUID();
    const placeOf = (chosen: SessionChoice) => ({
      room: chosen.room,
      conversation: conversationOf(id, chosen),
      ...(!wakesItself && { wake: chosen.wake ?? 'open' }),
    });
    const session: Session = createSession({
      ...{ turnClient, transcribePartial, preloadConversation },
      ...{ id, choice, clock, voice, saying, speakers, onFault },
      ...{ judge, wakeWords, pauses, cutOffs, undo, canBeUndone, claim, rivals, calls },
      ...{ tone, chime, ready, goOn, suspension },
      send: line.send,
      loudspeaker: line.loudspeaker,
      onUsage: line.onUsage,
      limits: { ...sessionLimits, aheadMs },
      newTurnId: randomUUID,
      settings: () => ({ ...options.settings(), ...(isDeafAfterwards && { endsEarly: false }) }),
      openListener: (given) =>
        createListener({ vad, ...given, ...(takesEchoOut && { isPlaying: () => false }) }),
      household: (client) => ({ ...choices.now(client), ...(wakesItself && { wake: null }) }),
      timers: (chosen) => ringer.running(placeOf(chosen)),
      onChoice: (chosen) => {
        registry.rename(id, chosen.client);
        ringer.move(id, placeOf(chosen));
        announcing.put(id, { ...placeOf(chosen), say: session.relay });
      },
      onStopped: () => ringer.stopped(id),
      onAnswered: () => {
        ringer.spokenWith(id);
        notices.spokenWith({ announce: session.announce, language: session.choice().language });
      },
    });
    const ring = (rings: readonly Ring[]) => session.ring(ringsItself(rings));
    registry.join({ sessionId: id, client: choice.client, connectedAt: Date.now(), replaced });
    const place = placeOf(session.choice());
    ringer.join({ sessionId: id, place, isProgram, ring, tell: session.tell });
    announcing.put(id, { ...place, say: session.relay });
    speakers.follow(id, session.refreshSpeaker);
    choices.follow(id, session.refreshHousehold);
    orders.put(id, {
      client: () => session.choice().client,
      level: session.watchLevel,
      sound: session.sound,
    });
    const about = { session: id, ...kind };
    log.info({ ...about, client: choice.client, room: choice.room }, 'satellite connected');
    return {
      session,
      tookOver: (timerId) => ringer.stopped(id, timerId),
      leave(why) {
        registry.leave(id);
        ringer.leave(id);
        announcing.leave(id);
        speakers.leave(id);
        choices.leave(id);
        orders.leave(id);
        speakers.forget(conversationOf(id, { ...choice, client: null }));
        log.info({ ...about, ...why }, 'satellite disconnected');
      },
    };
  };
}
