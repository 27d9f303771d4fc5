import type { Silences } from '../audio/endpointer.ts';
import type { Listener } from '../audio/listener.ts';
import type { Pcm } from '../audio/pcm.ts';
import { AppError } from '../errors.ts';
import type { Chain } from '../jobs/chain.ts';
import { createAnnouncer, createReadySound } from './announcement.ts';
import { createAttention } from './attention.ts';
import type { Clock } from './clock.ts';
import { createCurrentResponse } from './current-response.ts';
import type { ClaimUtterance } from './duplicates.ts';
import type { Saying } from './echo.ts';
import { silencesFor } from './end-silences.ts';
import { createKnownPauses, type PausesByClient } from './known-pauses.ts';
import {
  audioFormat,
  type ClientEvent,
  type RunningTimer,
  type ServerEvent,
  type SessionState,
} from './listen-events.ts';
import type { StoodStill } from './old-sound.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import type { ResponseOptions } from './response.ts';
import { createRinging, type Ring } from './ringing.ts';
import { createRoomAnnouncer } from './room-announcer.ts';
import { conversationOf, createSessionChoice, type SessionChoice } from './session-choice.ts';
import { createSessionMicrophone } from './session-microphone.ts';
import { createSessionSpeaker, type KeptSpeakers } from './session-speaker.ts';
import { createMachine, type Moves } from './states.ts';
import { createTurnTaking, type Judgement, type TurnTakingSettings } from './turn-taking.ts';
import { createUtteranceFilter } from './utterance-filter.ts';
import { createWrittenQuestion } from './written-question.ts';

/** The limits of a connection, which its satellite is told. */
export interface SessionLimits {
  mostUtteranceMs: number;
  mostFrameBytes: number;
  aheadMs: number;
  pingEveryMs: number;
}

export interface SessionOptions extends Pick<ResponseOptions, 'onUsage'> {
  id: string;
  choice: SessionChoice;
  /** The satellite has chosen otherwise. */
  onChoice: (choice: SessionChoice) => void;
  clock: Clock;
  newTurnId: () => string;
  /** Opens the microphone; it is told whether the assistant can be heard at the moment. */
  openListener: (how: { silences: Silences; isPlaying: () => boolean }) => Listener;
  chain: Pick<Chain, 'startTurn' | 'transcribePartial' | 'warm'>;
  voice: OwnVoice;
  saying: Saying;
  claim: ClaimUtterance;
  judge: (transcript: string) => Judgement;
  /** How people pause inside their sentences, by client. */
  pauses: PausesByClient;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  /** The timers that run for a conversation or a room. */
  timers: (choice: SessionChoice) => RunningTimer[];
  /** The sound of a timer that rings. */
  tone: Pcm;
  /** The sound before the words of another room. */
  chime: Pcm;
  /** The sound that answers the assistant's name alone. */
  ready: Pcm;
  /** Somebody has stopped what rings here. */
  onStopped: () => void;
  /** Somebody has spoken with the assistant. */
  onAnswered: () => void;
  /** How loud the satellites are. */
  speakers: KeptSpeakers;
  /** The household's settings now. */
  settings: () => TurnTakingSettings;
  /** When this process last stood still. */
  standstill: () => StoodStill;
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
  const place = () => choice.now.room ?? id;
  const speaker = createSessionSpeaker({
    ...options,
    send,
    name: () => conversationOf(id, choice.now),
  });
  const { isMuted, loudness } = speaker;
  const currentResponse = createCurrentResponse({
    ...options,
    ...limits,
    send,
    loudspeaker,
    loudness,
    place,
    onAnswered: (done) => {
      // Who talks over an answer, or goes on, has begun to speak by now.
      if (done.status === 'completed' || done.reason === 'client_cancelled') pauses.answered();
      attention.done(done);
      options.onAnswered();
    },
  });

  const choice = createSessionChoice(options.choice);
  const attention = createAttention({
    ...options,
    send,
    mode: () => choice.now.wake,
    isHeard: () => currentResponse.isPlaying() || ringing.isRinging(),
    isBusy: () => turnTaking.isBusy(),
    onCalled: () => soundReady(),
  });
  const pauses = createKnownPauses({
    store: options.pauses,
    client: () => choice.now.client,
    isAnswering: currentResponse.isPlaying,
    onKnown: () => wait(),
  });
  const silences = (): Silences =>
    silencesFor({
      chosenMs: choice.now.end_silence_ms,
      patience: options.settings().patience,
      habit: pauses.habit(),
    });
  const listener = options.openListener({ silences: silences(), isPlaying: currentResponse.isPlaying });
  const microphone = createSessionMicrophone({
    ...options,
    listener,
    onSound: () => turnTaking.soundCame(),
    onOld: ({ ms }) => send(notHeard(ms)),
    onEdge: (edge) => {
      if (machine.state === 'closed') return;
      pauses.hear(edge);
      turnTaking.hear(edge);
    },
    onFault,
  });
  /** The microphone follows what the satellite, the household and the person want. */
  const wait = (): void =>
    microphone.set({ silences: silences(), isManual: choice.now.endpointing === 'manual' });

  const person = () => ({
    conversation: conversationOf(id, choice.now),
    room: choice.now.room,
    isManual: choice.now.endpointing === 'manual',
  });
  const turnTaking = createTurnTaking({
    ...options,
    send,
    currentResponse,
    attention,
    endsRinging: (speechMs) => ringing.endWith(speechMs),
    filter: createUtteranceFilter({ ...options, sessionId: id, place }),
    speaker: person,
    microphone: {
      ...microphone,
      wait: ({ endSilenceMs }) => {
        choice.endAfter(endSilenceMs);
        wait();
      },
    },
  });
  const unasked = { ...options, send, currentResponse, isMuted, isSomeoneSpeaking: turnTaking.isOpen };
  const ringing = createRinging(unasked);
  const announce = createAnnouncer(unasked);
  const announcer = createRoomAnnouncer(unasked);
  const soundReady = createReadySound(unasked);

  const tellState = (type: 'session.created' | 'session.updated'): void =>
    send({ type, session: { ...stateOf(options, choice.now), speaker: speaker.tellWith() } });

  wait();
  tellState('session.created');

  return {
    id,
    /** Sound as it comes; resolves when it has been listened to. */
    hear: (samples: Buffer): Promise<void> => microphone.hear(samples),
    /** An event of the satellite. `refuse` tells the satellite that it cannot be done, and why. */
    async take(event: ClientEvent, refuse: (error: AppError) => void): Promise<void> {
      if (machine.state === 'closed') return;
      switch (event.type) {
        case 'session.update':
          options.onChoice(choice.update(event.session));
          if (choice.now.wake !== 'name') attention.stop();
          wait();
          return tellState('session.updated');
        case 'speaker.update':
          return speaker.take(event);
        case 'input_audio_buffer.commit':
          return microphone.commit(() =>
            refuse(new AppError('no_audio', 'Nobody has spoken since the last utterance.')),
          );
        case 'input_audio_buffer.clear':
          return microphone.clear(() => send({ type: 'input_audio_buffer.cleared', turn_id: null }));
        case 'response.cancel':
          return currentResponse.cancel('client_cancelled', event.turn_id);
        case 'playback.finished':
          attention.played(event.turn_id);
          return currentResponse.playbackFinished(event.turn_id, event.played_ms);
      }
    },
    /** A question that was written. It is answered aloud. */
    ask: createWrittenQuestion({ ...unasked, speaker: person }),
    /** The timers that ring here, or are told here, from now on. */
    ring: (rings: readonly Ring[]): void => ringing.set(rings),
    /** Says something that nobody asked for. Resolves with whether it was heard. */
    announce: async (text: string): Promise<boolean> => machine.state === 'open' && announce(text),
    /** Says what another room wants to be heard here, when nobody speaks. */
    relay: announcer.say,
    /** Something has happened that the satellite may want to show. */
    tell: send,
    /** The loudspeaker may have been set otherwise. */
    lookAtSpeaker: speaker.look,
    /** How much sound waits to be listened to. */
    waitingMs: () => listener.waitingMs,
    /** Somebody speaks, or is being answered. */
    isBusy: () => currentResponse.isPending() || turnTaking.isBusy(),
    /** The satellite has gone: all work ends. */
    close(): void {
      if (!machine.move('closed')) return;
      speaker.stop();
      ringing.stop();
      announcer.stop();
      turnTaking.stop();
      attention.stop();
      currentResponse.cancel('client_cancelled');
      options.saying.leave(id);
    },
  };
}

/** Sound was left out. */
function notHeard(ms: number): ServerEvent {
  const error = new AppError(
    'queue_timeout',
    `The server stood still for ${Math.round(ms / 1_000)} s, and heard nothing that was said meanwhile. Say it again.`,
  );
  return { type: 'error', turn_id: null, event: 'audio', event_id: null, ...error.toBody() };
}

/** The session as its satellite is told of it. */
function stateOf({ id, limits, timers }: SessionOptions, choice: SessionChoice): SessionState {
  return {
    id,
    protocol_version: 1,
    ...choice,
    input_audio_format: audioFormat,
    output_audio_format: audioFormat,
    timers: timers(choice),
    limits: {
      max_utterance_ms: limits.mostUtteranceMs,
      max_frame_bytes: limits.mostFrameBytes,
      max_audio_ahead_ms: limits.aheadMs,
      ping_interval_ms: limits.pingEveryMs,
    },
  };
}
