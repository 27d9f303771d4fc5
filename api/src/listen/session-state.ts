import { AppError } from '../errors.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import {
  audioFormat,
  type RunningTimer,
  type ServerEvent,
  type SessionState,
} from './events/listen-events.ts';
import type { SessionChoice } from './session-choice.ts';
import { hasNames, hasWords } from './wake-gate.ts';

/** The limits of a connection, as sent to its satellite. */
export interface SessionLimits {
  maxUtteranceMs: number;
  maxFrameBytes: number;
  aheadMs: number;
  pingIntervalMs: number;
}

interface StateOptions {
  id: string;
  limits: SessionLimits;
  timers: (choice: SessionChoice) => RunningTimer[];
}

/** Builds the session state that is sent to the satellite. */
export function stateOf(
  { id, limits, timers }: StateOptions,
  choice: SessionChoice,
  { words, names }: { words: readonly WakeWord[]; names: readonly string[] },
): SessionState {
  return {
    id,
    protocol_version: 1,
    ...choice,
    ...(hasWords(choice.wake) && {
      wake_words: words.map((word) => ({ word: word.id, phrase: word.phrase })),
    }),
    ...(hasNames(choice.wake) && { names: [...names] }),
    input_audio_format: audioFormat,
    output_audio_format: audioFormat,
    timers: timers(choice),
    limits: {
      max_utterance_ms: limits.maxUtteranceMs,
      max_frame_bytes: limits.maxFrameBytes,
      max_audio_ahead_ms: limits.aheadMs,
      ping_interval_ms: limits.pingIntervalMs,
    },
  };
}

/** The error event for dropped sound. */
export function droppedSoundError(ms: number): ServerEvent {
  const error = new AppError(
    'queue_timeout',
    `The server was suspended for ${Math.round(ms / 1_000)} s and missed all speech in that time. Say it again.`,
  );
  return { type: 'error', turn_id: null, event: 'audio', event_id: null, ...error.toBody() };
}

/** The error event for chosen wake words without a model. Null if there are none. */
export function missingWords(chosen: readonly string[], words: readonly WakeWord[]): ServerEvent | null {
  const missing = chosen.filter((each) => !words.some(({ id }) => id === each));
  if (missing.length === 0) return null;
  const error = new AppError(
    'not_possible',
    `There is no model for the wake word ${missing.join(', ')} here, so the satellite cannot detect it. "make models" downloads the included ones.`,
  );
  return { type: 'error', turn_id: null, event: null, event_id: null, ...error.toBody() };
}
