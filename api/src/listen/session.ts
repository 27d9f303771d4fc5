import type { Listener, UtteranceEdge } from '../audio/listener.ts';
import type { Pcm } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import type { Chain } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';
import { createCurrentResponse } from './current-response.ts';
import type { ClaimUtterance } from './duplicates.ts';
import type { Saying } from './echo.ts';
import {
  audioFormat,
  type ClientEvent,
  type RunningTimer,
  type ServerEvent,
  type SessionChanges,
  type SessionState,
} from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import { createRinging, type Ring } from './ringing.ts';
import { createMachine, type Moves } from './states.ts';
import { createTurnTaking, type Judgement, type TurnTakingSettings } from './turn-taking.ts';
import { createUtteranceFilter } from './utterance-filter.ts';

/** What one satellite is told about the limits of its connection. */
export interface SessionLimits {
  mostUtteranceMs: number;
  mostFrameBytes: number;
  aheadMs: number;
  pingEveryMs: number;
}

/** What a satellite may change while it is connected. */
export type SessionChoice = Pick<SessionState, 'client' | 'room' | 'endpointing' | 'end_silence_ms'>;

export interface SessionOptions {
  id: string;
  choice: SessionChoice;
  /** The satellite has chosen otherwise. */
  onChoice: (choice: SessionChoice) => void;
  clock: Clock;
  newTurnId: () => string;
  /** Opens the microphone; it is told whether the assistant can be heard at the moment. */
  openListener: (choice: { endSilenceMs: number; isPlaying: () => boolean }) => Listener;
  chain: Pick<Chain, 'startTurn' | 'transcribePartial' | 'warm'>;
  voice: OwnVoice;
  saying: Saying;
  claim: ClaimUtterance;
  judge: (transcript: string) => Judgement;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  /** The timers that run for a conversation or a room. */
  timers: (choice: SessionChoice) => RunningTimer[];
  /** What is heard when a timer rings. */
  tone: Pcm;
  /** What somebody who is there has done: stopped what rings, or spoken with the assistant. */
  onStopped: () => void;
  onAnswered: () => void;
  /** How the household wants it now. */
  settings: () => TurnTakingSettings;
  limits: SessionLimits;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  onFault: (error: unknown) => void;
}

type State = 'open' | 'closed';
const moves: Moves<State> = { open: ['closed'], closed: [] };

export type Session = ReturnType<typeof createSession>;

/** One connection of a satellite: sound and events in, events and sound out. */
export function createSession(options: SessionOptions) {
  const { id, limits, onFault } = options;
  const machine = createMachine(moves, 'open');
  let choice = options.choice;
  /** The satellite has said itself how much silence ends an utterance. */
  let hasOwnSilence = false;

  const send = (event: ServerEvent) => {
    if (machine.state === 'open') options.send(event);
  };
  const loudspeaker: Loudspeaker = {
    ...options.loudspeaker,
    play: (samples) => {
      if (machine.state === 'closed') return;
      options.loudspeaker.play(samples);
      listener.played(samples);
    },
  };
  const place = () => choice.room ?? id;
  const currentResponse = createCurrentResponse({ ...options, ...limits, send, loudspeaker, place });

  const listener = options.openListener({
    endSilenceMs: choice.end_silence_ms,
    isPlaying: currentResponse.isPlaying,
  });
  const hearAll = (edges: readonly UtteranceEdge[]): void => {
    for (const edge of edges) if (machine.state === 'open') turnTaking.hear(edge);
  };
  /** What the microphone makes of something, after all that came before. */
  const listen = (told: Promise<readonly UtteranceEdge[]>): Promise<void> =>
    told.then(hearAll).catch(onFault);
  const toList = (edge: UtteranceEdge | null) => (edge ? [edge] : []);

  const turnTaking = createTurnTaking({
    ...options,
    send,
    currentResponse,
    endsRinging: (speechMs) => ringing.endWith(speechMs),
    filter: createUtteranceFilter({ ...options, sessionId: id, place }),
    speaker: () => ({
      conversation: conversationOf(id, choice),
      room: choice.room,
      isManual: choice.endpointing === 'manual',
    }),
    microphone: {
      soFar: listener.soFar,
      expect: (outlook, transcribedUntilMs) => void listen(listener.expect(outlook, transcribedUntilMs)),
      commit: () => void listen(listener.commit().then(toList)),
      clear: () => void listen(listener.clear().then(toList)),
      endAfter: (silenceMs) => {
        if (hasOwnSilence || choice.end_silence_ms === silenceMs) return;
        choice = { ...choice, end_silence_ms: silenceMs };
        tellListener();
      },
    },
  });

  const ringing = createRinging({ ...options, send, currentResponse, isSomeoneSpeaking: turnTaking.isOpen });

  const told = (): SessionState => ({
    id,
    protocol_version: 1,
    ...choice,
    input_audio_format: audioFormat,
    output_audio_format: audioFormat,
    timers: options.timers(choice),
    limits: {
      max_utterance_ms: limits.mostUtteranceMs,
      max_frame_bytes: limits.mostFrameBytes,
      max_audio_ahead_ms: limits.aheadMs,
      ping_interval_ms: limits.pingEveryMs,
    },
  });

  const update = ({ client, room, endpointing, end_silence_ms }: SessionChanges): void => {
    choice = {
      client: client === undefined ? choice.client : client,
      room: room === undefined ? choice.room : room,
      endpointing: endpointing ?? choice.endpointing,
      end_silence_ms: end_silence_ms ?? choice.end_silence_ms,
    };
    hasOwnSilence ||= end_silence_ms !== undefined;
    tellListener();
    options.onChoice(choice);
    send({ type: 'session.updated', session: told() });
  };
  const tellListener = (): void => {
    const { end_silence_ms: endSilenceMs, endpointing } = choice;
    listener.set({ endSilenceMs, isManual: endpointing === 'manual' }).catch(onFault);
  };
  const commit = (refuse: (error: AppError) => void): Promise<void> =>
    listen(
      listener.commit().then((edge) => {
        if (edge === null) refuse(new AppError('no_audio', 'Nobody has spoken since the last utterance.'));
        return toList(edge);
      }),
    );
  const clear = (): Promise<void> =>
    listen(
      listener.clear().then((edge) => {
        if (edge === null) send({ type: 'input_audio_buffer.cleared', turn_id: null });
        return toList(edge);
      }),
    );

  tellListener();
  send({ type: 'session.created', session: told() });

  return {
    id,
    /** Sound as it comes; resolves when it has been listened to. */
    hear(samples: Buffer): Promise<void> {
      turnTaking.soundCame();
      return listen(listener.push(samples));
    },
    /** An event of the satellite. `refuse` tells it what is wrong with that. */
    async take(event: ClientEvent, refuse: (error: AppError) => void): Promise<void> {
      if (machine.state === 'closed') return;
      switch (event.type) {
        case 'session.update':
          return update(event.session);
        case 'input_audio_buffer.commit':
          return commit(refuse);
        case 'input_audio_buffer.clear':
          return clear();
        case 'response.cancel':
          return currentResponse.cancel('client_cancelled', event.turn_id);
        case 'playback.finished':
          return currentResponse.playbackFinished(event.turn_id, event.played_ms);
      }
    },
    /** What rings here, or is to be told of a timer, from now on. */
    ring: (rings: readonly Ring[]): void => ringing.set(rings),
    /** Something has happened that the satellite may want to show. */
    tell: send,
    /** How much sound waits to be listened to. */
    waitingMs: () => listener.waitingMs,
    /** Somebody speaks, or is being answered. */
    isBusy: () => currentResponse.isPending() || turnTaking.isBusy(),
    /** Nobody is there any more: all work ends. */
    close(): void {
      if (!machine.move('closed')) return;
      ringing.stop();
      turnTaking.stop();
      currentResponse.cancel('client_cancelled');
      options.saying.leave(id);
    },
  };
}

/** A satellite without a name has a conversation of its own, which ends with the connection. */
export function conversationOf(id: string, { client }: SessionChoice): string {
  return client ?? `listen-${id}`;
}
