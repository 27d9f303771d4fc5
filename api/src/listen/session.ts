import type { AppError } from '../errors.ts';
import { createUtteranceFilter } from './admission/utterance-filter.ts';
import type { ClientEvent } from './events/listen-events.ts';
import type { Ring } from './ringing/ringing.ts';
import { createUnpromptedSounds } from './ringing/unprompted-sounds.ts';
import { createSessionChoice } from './session-choice.ts';
import { createEventHandler } from './session-events.ts';
import { createSessionInput } from './session-input.ts';
import type { SessionOptions } from './session-options.ts';
import { createSessionOutput } from './session-output.ts';
import { speakerOf } from './session-policy.ts';
import type { SessionLimits } from './session-state.ts';
import { createSessionUpdates } from './session-updates.ts';
import { createTurnTaking } from './turn-taking/turn-taking.ts';
import { createWrittenQuestion } from './turn-taking/written-question.ts';
import { createAttention } from './utterance/attention.ts';
import { createMachine, type Transitions } from './utterance/states.ts';

type State = 'open' | 'closed';
const moves: Transitions<State> = { open: ['closed'], closed: [] };

export type { SessionLimits, SessionOptions };
export type Session = ReturnType<typeof createSession>;

/** A session that the other parts of this process know. */
export interface EnteredSession {
  session: Session;
  /** The satellite rings for this timer itself, so no other satellite has to. */
  tookOver: (timerId: string) => void;
  leave: (about: Readonly<Record<string, unknown>>) => void;
}

/** One satellite connection: sound and events in both directions. */
export function createSession(options: SessionOptions) {
  const { id, clock, newTurnId, saying, settings, limits } = options;
  const machine = createMachine(moves, 'open');
  const isClosed = () => machine.state === 'closed';
  const choice = createSessionChoice(options.choice, options.household);
  const words = () => options.wakeWords(settings().wakeWords);
  const person = () => speakerOf(id, choice.now);

  const { send, speaker, currentResponse, voice, language, place } = createSessionOutput({
    id,
    clock,
    newTurnId,
    saying,
    limits,
    voice: options.voice,
    speakers: options.speakers,
    cutOffs: options.cutOffs,
    loudspeaker: options.loudspeaker,
    send: options.send,
    onUsage: options.onUsage,
    choice,
    isClosed,
    onPlayed: (samples) => input.played(samples),
    // Every event may change whether sound is wanted.
    onSent: () => input.wakeGate.look(),
    onAnswered: (done) => {
      // After an interruption or a revision, the next sentence has already begun.
      if (done.status === 'completed' || done.reason === 'client_cancelled') input.answered();
      attention.done(done);
      options.onAnswered();
    },
  });
  const attention = createAttention({
    clock,
    send,
    mode: () => choice.now.wake,
    names: () => [...settings().names, ...settings().nameSpellings],
    phrases: () => words().map(({ phrase }) => phrase),
    isAudible: () => currentResponse.isPlaying() || ringing.isRinging(),
    isBusy: () => turnTaking.isBusy(),
    onCalled: () => playReady(),
    onGoOn: () => {
      if (settings().followUpSound) playGoOn(() => !isClosed() && attention.isListening());
    },
  });
  const input = createSessionInput({
    clock,
    openListener: options.openListener,
    openMemory: options.openMemory,
    pauses: options.pauses,
    settings,
    suspension: options.suspension,
    onFault: options.onFault,
    choice,
    currentResponse,
    send,
    isClosed,
    words,
    isWanted: () =>
      attention.isListening() ||
      turnTaking.isBusy() ||
      currentResponse.isPending() ||
      currentResponse.isPlaying() ||
      ringing.isRinging(),
    unmeantForMs: () => turnTaking.unmeantForMs(),
    onWord: (hit, isAnew) => {
      attention.wakeWordDetected(hit);
      if (!isAnew) turnTaking.wakeWordDetected();
    },
    onOpeners: () => updates.report('session.updated'),
    onSound: () => turnTaking.soundCame(),
    onEdge: (edge) => turnTaking.onEdge(edge),
  });
  const { wakeGate, microphone } = input;
  const turnTaking = createTurnTaking({
    clock,
    newTurnId,
    turnClient: options.turnClient,
    transcribePartial: options.transcribePartial,
    preloadConversation: options.preloadConversation,
    judge: (transcript) => options.judge(transcript, choice.now.language),
    isTooFast: options.isTooFast,
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
      calls: options.calls,
      clock,
    }),
    speaker: person,
    behindMs: input.waitingMs,
    microphone,
  });
  const unasked = {
    clock,
    newTurnId,
    voice,
    currentResponse,
    isMuted: speaker.isMuted,
    isSomeoneSpeaking: turnTaking.isOpen,
  };
  const { ringing, announce, announcer, playReady, playGoOn, playChime } = createUnpromptedSounds({
    ...unasked,
    send,
    language,
    tone: options.tone,
    chime: options.chime,
    ready: options.ready,
    goOn: options.goOn,
    onStopped: options.onStopped,
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
    setMicrophone: input.applySettings,
  });
  const handleEvent = createEventHandler({
    onUpdate: updates.update,
    ...{ send, attention, wakeGate, speaker, level: input.level, microphone, turnTaking },
    ...{ ringing, currentResponse },
  });

  wakeGate.reset();
  input.applySettings();
  updates.report('session.created');

  return {
    id,
    /** Accepts sound. Resolves when endpointing has processed it. */
    pushAudio: input.pushAudio,
    /** Handles a client event. `refuse` reports why it was rejected. */
    async take(event: ClientEvent, refuse: (error: AppError) => void): Promise<void> {
      if (!isClosed()) await handleEvent(event, refuse);
    },
    /** Audio duration of a turn's answer. Null: not one of the latest answers. */
    soundOf: currentResponse.soundOf,
    /** Asks a written question. The answer is spoken. */
    ask: createWrittenQuestion({ ...unasked, turnClient: options.turnClient, settings, speaker: person }),
    /** Replaces the timers that ring or are reported here. */
    ring: (rings: readonly Ring[]): void => ringing.set(rings),
    /** Speaks a sentence unprompted. Resolves to true if it was played. */
    announce: async (text: string): Promise<boolean> => !isClosed() && announce(text),
    /** Plays an announcement from another room once no one speaks. */
    relay: announcer.say,
    /** Sends an event that the satellite may want to show. */
    tell: send,
    /** Call when another client may have changed the volume or mute. */
    refreshSpeaker: speaker.look,
    /** Call when the household may have set another room or wake mode. */
    refreshHousehold: updates.refreshHousehold,
    /** The session choice in effect now. */
    choice: () => choice.now,
    /** Returns the microphone level for someone who watches it. */
    watchLevel: input.level.watch,
    /** Plays a short sound. False: the satellite is muted or busy. */
    sound: playChime,
    /** How much sound is waiting to be processed. */
    waitingMs: input.waitingMs,
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
