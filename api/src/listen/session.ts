import type { Silences } from '../audio/endpointer.ts';
import type { AppError } from '../errors.ts';
import { createUtteranceFilter } from './admission/utterance-filter.ts';
import type { ClientEvent, ServerEvent } from './events/listen-events.ts';
import { createMicrophoneLevel } from './microphone-level.ts';
import { createCurrentResponse } from './playback/current-response.ts';
import { inLanguage } from './playback/own-voice.ts';
import type { Loudspeaker } from './playback/playback.ts';
import { createSessionSpeaker } from './playback/session-speaker.ts';
import type { Ring } from './ringing/ringing.ts';
import { createUnpromptedSounds } from './ringing/unprompted-sounds.ts';
import { conversationOf, createSessionChoice } from './session-choice.ts';
import { createEventHandler } from './session-events.ts';
import { createSessionMicrophone } from './session-microphone.ts';
import type { SessionOptions } from './session-options.ts';
import { isCalledAloud, microphoneMode, speakerOf } from './session-policy.ts';
import { droppedSoundError, type SessionLimits } from './session-state.ts';
import { createSessionUpdates } from './session-updates.ts';
import { createTurnTaking } from './turn-taking/turn-taking.ts';
import { createWrittenQuestion } from './turn-taking/written-question.ts';
import { createAttention } from './utterance/attention.ts';
import { silencesFor } from './utterance/end-silences.ts';
import { createKnownPauses } from './utterance/known-pauses.ts';
import { createMachine, type Transitions } from './utterance/states.ts';
import { createWakeGate } from './wake-gate.ts';

type State = 'open' | 'closed';
const moves: Transitions<State> = { open: ['closed'], closed: [] };

export type { SessionLimits, SessionOptions };
export type Session = ReturnType<typeof createSession>;

/** A session that the other parts of this process know. */
export interface EnteredSession {
  session: Session;
  /** The satellite rings for this timer itself: no other one needs to. */
  tookOver: (timerId: string) => void;
  leave: (about: Readonly<Record<string, unknown>>) => void;
}

/** One satellite connection: sound and events in both directions. */
export function createSession(options: SessionOptions) {
  const { id, clock, newTurnId, saying, settings, limits, onFault } = options;
  const machine = createMachine(moves, 'open');

  const send = (event: ServerEvent) => {
    if (machine.state === 'closed') return;
    options.send(event);
    // Every event may change whether sound is wanted.
    wakeGate.look();
  };
  const loudspeaker: Loudspeaker = {
    ...options.loudspeaker,
    play: (samples) => {
      if (machine.state === 'closed') return;
      options.loudspeaker.play(samples);
      listener.played(samples);
      wakeGate.look();
    },
  };
  const language = () => choice.now.language;
  const voice = inLanguage(options.voice, language);
  const place = () => choice.now.room ?? id;
  const speaker = createSessionSpeaker({
    speakers: options.speakers,
    clock,
    send,
    name: () => conversationOf(id, choice.now),
    isReadOnly: options.loudspeaker.isReadOnly,
  });
  const { isMuted, loudness } = speaker;
  const currentResponse = createCurrentResponse({
    clock,
    newTurnId,
    voice,
    saying,
    aheadMs: limits.aheadMs,
    onUsage: options.onUsage,
    send,
    loudspeaker,
    loudness,
    place,
    onAudible: options.cutOffs.answered,
    onAnswered: (done) => {
      // After an interruption or a revision, the next sentence has already begun.
      if (done.status === 'completed' || done.reason === 'client_cancelled') pauses.answered();
      attention.done(done);
      options.onAnswered();
    },
  });

  const choice = createSessionChoice(options.choice, options.household);
  const words = () => options.wakeWords(settings().wakeWords);
  const attention = createAttention({
    clock,
    send,
    mode: () => choice.now.wake,
    names: () => [...settings().names, ...settings().nameSpellings],
    phrases: () => words().map(({ phrase }) => phrase),
    isHeard: () => currentResponse.isPlaying() || ringing.isRinging(),
    isBusy: () => turnTaking.isBusy(),
    onCalled: () => playReady(),
  });
  const pauses = createKnownPauses({
    store: options.pauses,
    client: () => choice.now.client,
    heardMs: currentResponse.heardMs,
    isCalled: () => isCalledAloud(choice.now),
    onKnown: () => wait(),
  });
  const silences = (): Silences =>
    silencesFor({
      chosenMs: choice.now.end_silence_ms,
      patience: settings().patience,
      habit: pauses.habit(),
    });
  const listener = options.openListener({ silences: silences(), isPlaying: currentResponse.isPlaying });
  const microphone = createSessionMicrophone({
    clock,
    suspension: options.suspension,
    listener,
    admit: (samples) => wakeGate.admit(samples),
    onGap: () => wakeGate.gap(),
    onSound: () => turnTaking.soundCame(),
    onOld: ({ ms }) => send(droppedSoundError(ms)),
    onEdge: (edge) => {
      if (machine.state === 'closed') return;
      pauses.hear(edge);
      turnTaking.hear(edge);
    },
    onFault,
  });
  /** Applies the settings of the satellite, the household and the person to the microphone. */
  const wait = (): void =>
    microphone.set({ silences: silences(), isManual: choice.now.endpointing === 'manual' });

  const level = createMicrophoneLevel({ clock, send });

  const person = () => speakerOf(id, choice.now);
  const turnTaking = createTurnTaking({
    clock,
    newTurnId,
    chain: options.chain,
    judge: (transcript) => options.judge(transcript, choice.now.language),
    undo: options.undo,
    canBeUndone: options.canBeUndone,
    cutOffs: options.cutOffs,
    settings,
    suspension: options.suspension,
    send,
    currentResponse,
    attention,
    endsRinging: (speechMs) => ringing.endWith(speechMs),
    filter: createUtteranceFilter({
      sessionId: id,
      place,
      saying,
      claim: options.claim,
      rivals: options.rivals,
      clock,
    }),
    speaker: person,
    behindMs: () => listener.waitingMs,
    microphone: {
      ...microphone,
      wait: ({ endSilenceMs }) => {
        choice.endAfter(endSilenceMs);
        wait();
      },
    },
  });
  const unasked = {
    clock,
    newTurnId,
    voice,
    currentResponse,
    isMuted,
    isSomeoneSpeaking: turnTaking.isOpen,
  };
  const { ringing, announce, announcer, playReady, playChime } = createUnpromptedSounds({
    ...unasked,
    send,
    language,
    tone: options.tone,
    chime: options.chime,
    ready: options.ready,
    onStopped: options.onStopped,
  });
  const wakeGate = createWakeGate({
    clock,
    openMemory: options.openMemory,
    send,
    words,
    names: () => settings().names,
    mode: () => microphoneMode(choice.now),
    isTold: () => choice.now.wake_detector === 'client',
    isWanted: () =>
      attention.isListening() ||
      turnTaking.isBusy() ||
      currentResponse.isPending() ||
      currentResponse.isPlaying() ||
      ringing.isRinging(),
    unmeantForMs: turnTaking.unmeantForMs,
    onWord: (hit, isAnew) => {
      attention.heard(hit);
      if (!isAnew) turnTaking.wordHeard();
    },
    onOpeners: () => updates.report('session.updated'),
  });

  const updates = createSessionUpdates({
    id,
    limits,
    settings,
    timers: options.timers,
    onChoice: options.onChoice,
    send,
    choice,
    speaker,
    words,
    resetListening: () => {
      attention.stop();
      wakeGate.reset();
    },
    setMicrophone: wait,
  });
  const handleEvent = createEventHandler({
    onUpdate: updates.update,
    ...{ send, attention, wakeGate, speaker, level, microphone, ringing, currentResponse },
  });

  wakeGate.reset();
  wait();
  updates.report('session.created');

  return {
    id,
    /** Accepts sound. Resolves when endpointing has processed it. */
    hear(samples: Buffer): Promise<void> {
      level.hear(samples);
      return microphone.hear(samples);
    },
    /** Handles a client event. `refuse` reports why it was rejected. */
    async take(event: ClientEvent, refuse: (error: AppError) => void): Promise<void> {
      if (machine.state !== 'closed') await handleEvent(event, refuse);
    },
    /** The length of the sound of a turn's answer. Null: it is none of the latest answers. */
    soundOf: currentResponse.soundOf,
    /** Asks a written question. The answer is spoken. */
    ask: createWrittenQuestion({ ...unasked, chain: options.chain, settings, speaker: person }),
    /** Replaces the timers that ring or are reported here. */
    ring: (rings: readonly Ring[]): void => ringing.set(rings),
    /** Speaks a sentence unprompted. Resolves to true if it was played. */
    announce: async (text: string): Promise<boolean> => machine.state === 'open' && announce(text),
    /** Plays an announcement from another room once no one speaks. */
    relay: announcer.say,
    /** Sends an event that the satellite may want to show. */
    tell: send,
    /** Call when the loudspeaker may have been set elsewhere. */
    lookAtSpeaker: speaker.look,
    /** Call when the household may have set another room or wake mode. */
    lookAtHousehold: updates.lookAtHousehold,
    /** The session choice in effect now. */
    choice: () => choice.now,
    /** Returns the microphone level for someone who watches it. */
    lookAtLevel: level.look,
    /** Plays a short sound. False: the satellite is muted or busy. */
    sound: playChime,
    /** How much sound is waiting to be processed. */
    waitingMs: () => listener.waitingMs,
    /** A request is being answered. */
    isAnswering: currentResponse.isAsked,
    /** Someone speaks, or a response is in progress. */
    isBusy: () => currentResponse.isPending() || turnTaking.isBusy(),
    /** The satellite has disconnected: stops all work. */
    close(): void {
      if (!machine.move('closed')) return;
      speaker.stop();
      ringing.stop();
      announcer.stop();
      turnTaking.stop();
      attention.stop();
      wakeGate.stop();
      currentResponse.cancel('client_cancelled');
      saying.leave(id);
    },
  };
}
