import type { Silences } from '../audio/endpointer.ts';
import type { UtteranceEdge } from '../audio/listener.ts';
import type { ServerEvent } from './events/listen-events.ts';
import { createMicrophoneLevel } from './microphone-level.ts';
import type { CurrentResponse } from './playback/current-response.ts';
import type { createSessionChoice } from './session-choice.ts';
import { createSessionMicrophone } from './session-microphone.ts';
import type { SessionOptions } from './session-options.ts';
import { isCalledAloud, microphoneMode } from './session-policy.ts';
import { droppedSoundError } from './session-state.ts';
import { silencesFor } from './utterance/end-silences.ts';
import { createKnownPauses } from './utterance/known-pauses.ts';
import { createWakeGate, type WakeGateOptions } from './wake-gate.ts';

interface SessionInputOptions
  extends Pick<
      SessionOptions,
      'clock' | 'openListener' | 'openMemory' | 'pauses' | 'settings' | 'suspension' | 'onFault'
    >,
    Pick<WakeGateOptions, 'words' | 'isWanted' | 'unmeantForMs' | 'onWord' | 'onOpeners'> {
  choice: ReturnType<typeof createSessionChoice>;
  currentResponse: Pick<CurrentResponse, 'audibleForMs' | 'isPlaying'>;
  send: (event: ServerEvent) => void;
  isClosed: () => boolean;
  /** Called for each batch of fresh sound, with or without speech. */
  onSound: () => void;
  onEdge: (edge: UtteranceEdge) => void;
}

/** Everything that one satellite hears: which sound is processed, and where speech starts and ends. */
export function createSessionInput(options: SessionInputOptions) {
  const { clock, choice, currentResponse, settings, send, onEdge } = options;

  const pauses = createKnownPauses({
    store: options.pauses,
    client: () => choice.now.client,
    audibleForMs: currentResponse.audibleForMs,
    isCalled: () => isCalledAloud(choice.now),
    onKnown: () => applySettings(),
  });
  const silences = (): Silences =>
    silencesFor({
      chosenMs: choice.now.end_silence_ms,
      patience: settings().patience,
      habit: pauses.habit(),
    });
  const listener = options.openListener({ silences: silences(), isPlaying: currentResponse.isPlaying });
  const wakeGate = createWakeGate({
    clock,
    openMemory: options.openMemory,
    send,
    words: options.words,
    names: () => settings().names,
    mode: () => microphoneMode(choice.now),
    isTold: () => choice.now.wake_detector === 'client',
    isWanted: options.isWanted,
    unmeantForMs: options.unmeantForMs,
    onWord: options.onWord,
    onOpeners: options.onOpeners,
  });
  const microphone = createSessionMicrophone({
    clock,
    suspension: options.suspension,
    listener,
    admit: wakeGate.admit,
    onGap: wakeGate.gap,
    onSound: options.onSound,
    onOld: ({ ms }) => send(droppedSoundError(ms)),
    onEdge: (edge) => {
      if (options.isClosed()) return;
      pauses.onEdge(edge);
      onEdge(edge);
    },
    onFault: options.onFault,
  });
  /** Applies the settings of the satellite, the household and the person to the microphone. */
  const applySettings = (): void =>
    microphone.set({ silences: silences(), isManual: choice.now.endpointing === 'manual' });
  const level = createMicrophoneLevel({ clock, send });

  return {
    wakeGate,
    level,
    applySettings,
    microphone: {
      ...microphone,
      wait: ({ endSilenceMs }: { endSilenceMs: number }): void => {
        choice.endAfter(endSilenceMs);
        applySettings();
      },
    },
    /** Accepts sound. Resolves when endpointing has processed it. */
    pushAudio(samples: Buffer): Promise<void> {
      level.measure(samples);
      return microphone.pushAudio(samples);
    },
    /** An answer was played to its end, so its sentence was complete. */
    answered: pauses.answered,
    /** The satellite plays this sound, so its echo may follow. */
    played: listener.played,
    /** How much sound is waiting to be processed. */
    waitingMs: () => listener.waitingMs,
  };
}
