import type { Silences } from '../audio/endpointer.ts';
import { AppError } from '../errors.ts';
import { createUtteranceFilter } from './admission/utterance-filter.ts';
import type { ClientEvent, ServerEvent, SessionChanges } from './events/listen-events.ts';
import { createHouseholdWatch } from './household-watch.ts';
import { createMicrophoneLevel } from './microphone-level.ts';
import { createCurrentResponse } from './playback/current-response.ts';
import { inLanguage } from './playback/own-voice.ts';
import type { Loudspeaker } from './playback/playback.ts';
import { createSessionSpeaker } from './playback/session-speaker.ts';
import { createAnnouncer, createShortSound } from './ringing/announcement.ts';
import { createRinging, type Ring } from './ringing/ringing.ts';
import { createRoomAnnouncer } from './ringing/room-announcer.ts';
import { conversationOf, createSessionChoice } from './session-choice.ts';
import { createSessionMicrophone } from './session-microphone.ts';
import type { SessionOptions } from './session-options.ts';
import { missingWords, notHeard, type SessionLimits, stateOf } from './session-state.ts';
import { createTurnTaking } from './turn-taking/turn-taking.ts';
import { createWrittenQuestion } from './turn-taking/written-question.ts';
import { createAttention } from './utterance/attention.ts';
import { silencesFor } from './utterance/end-silences.ts';
import { createKnownPauses } from './utterance/known-pauses.ts';
import { createMachine, type Transitions } from './utterance/states.ts';
import { createWakeGate, hasWords } from './wake-gate.ts';

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
    names: () => settings().names,
    phrases: () => words().map(({ phrase }) => phrase),
    isHeard: () => currentResponse.isPlaying() || ringing.isRinging(),
    isBusy: () => turnTaking.isBusy(),
    onCalled: () => soundReady(),
  });
  const pauses = createKnownPauses({
    store: options.pauses,
    client: () => choice.now.client,
    heardMs: currentResponse.heardMs,
    isCalled: () => (choice.now.wake ?? 'open') !== 'open' && choice.now.wake_detector !== 'client',
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
    onOld: ({ ms }) => send(notHeard(ms)),
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

  const person = () => ({
    conversation: conversationOf(id, choice.now),
    room: choice.now.room,
    language: choice.now.language,
    isManual: choice.now.endpointing === 'manual',
  });
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
  const { tone, onStopped } = options;
  const ringing = createRinging({ ...unasked, send, language, tone, onStopped });
  const announce = createAnnouncer({ ...unasked, language });
  const announcer = createRoomAnnouncer({ ...unasked, chime: options.chime });
  const soundReady = createShortSound({ ...unasked, sound: options.ready });
  const soundHere = createShortSound({ ...unasked, sound: options.chime });
  const wakeGate = createWakeGate({
    clock,
    openMemory: options.openMemory,
    send,
    words,
    mode: () => (choice.now.endpointing === 'manual' ? undefined : choice.now.wake),
    isTold: () => choice.now.wake_detector === 'client',
    isWanted: () =>
      attention.isListening() ||
      turnTaking.isBusy() ||
      currentResponse.isPending() ||
      currentResponse.isPlaying() ||
      ringing.isRinging(),
    unmeantForMs: turnTaking.unmeantForMs,
    onWord: (heard, isAnew) => {
      attention.heard(heard);
      if (!isAnew) turnTaking.wordHeard();
    },
    onWords: () => tellState('session.updated'),
  });

  /** Resets listening after a change of the wake mode or the wake word detector. */
  const listenAnew = (): void => {
    attention.stop();
    wakeGate.reset();
  };
  const update = (changes: SessionChanges): void => {
    const before = choice.now.wake;
    const { wake } = choice.update(changes);
    options.onChoice(choice.now);
    if (wake !== before || ['wake', 'wake_detector', 'endpointing'].some((each) => each in changes))
      listenAnew();
    householdWatch.isKnown();
  };
  const householdWatch = createHouseholdWatch({
    now: () => choice.now,
    onChange: (now, hasOtherMode) => {
      options.onChoice(now);
      if (hasOtherMode) listenAnew();
      tellState('session.updated');
    },
  });
  const tellState = (type: 'session.created' | 'session.updated'): void => {
    const state = stateOf(options, choice.now, words());
    send({ type, session: { ...state, speaker: speaker.tellWith() } });
    const missing = hasWords(choice.now.wake) ? missingWords(settings().wakeWords, words()) : null;
    if (missing !== null) send(missing);
  };

  const handleEvent = createEventHandler({
    onUpdate: (changes) => {
      update(changes);
      wait();
      tellState('session.updated');
    },
    ...{ send, attention, wakeGate, speaker, level, microphone, ringing, currentResponse },
  });

  wakeGate.reset();
  wait();
  tellState('session.created');

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
    lookAtHousehold: householdWatch.look,
    /** The session choice in effect now. */
    choice: () => choice.now,
    /** Returns the microphone level for someone who watches it. */
    lookAtLevel: level.look,
    /** Plays a short sound. False: the satellite is muted or busy. */
    sound: soundHere,
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

interface EventHandlerOptions {
  onUpdate: (changes: SessionChanges) => void;
  send: (event: ServerEvent) => void;
  attention: Pick<ReturnType<typeof createAttention>, 'played'>;
  wakeGate: Pick<ReturnType<typeof createWakeGate>, 'told'>;
  speaker: Pick<ReturnType<typeof createSessionSpeaker>, 'take'>;
  level: Pick<ReturnType<typeof createMicrophoneLevel>, 'told'>;
  microphone: Pick<ReturnType<typeof createSessionMicrophone>, 'commit' | 'clear'>;
  ringing: Pick<ReturnType<typeof createRinging>, 'pressed'>;
  currentResponse: Pick<
    ReturnType<typeof createCurrentResponse>,
    'isPending' | 'cancel' | 'playbackFinished'
  >;
}

/** Passes each client event to the part that it is for. `refuse` reports why it was rejected. */
function createEventHandler(options: EventHandlerOptions) {
  const { onUpdate, send, attention, wakeGate, speaker, level, microphone, ringing, currentResponse } =
    options;
  return async (event: ClientEvent, refuse: (error: AppError) => void): Promise<void> => {
    switch (event.type) {
      case 'session.update':
        return onUpdate(event.session);
      case 'wake.heard': {
        const fault = wakeGate.told(event);
        return fault === null ? undefined : refuse(fault);
      }
      case 'speaker.update':
        return speaker.take(event);
      case 'microphone.level':
        return level.told(event.level_db);
      case 'input_audio_buffer.commit':
        return microphone.commit(() =>
          refuse(new AppError('no_audio', 'There was no speech since the last utterance.')),
        );
      case 'input_audio_buffer.clear':
        return microphone.clear(() => send({ type: 'input_audio_buffer.cleared', turn_id: null }));
      case 'response.cancel':
        if (!currentResponse.isPending()) ringing.pressed(event.turn_id);
        return currentResponse.cancel('client_cancelled', event.turn_id);
      case 'playback.finished':
        attention.played(event.turn_id);
        return currentResponse.playbackFinished(event.turn_id, event.played_ms);
    }
  };
}
