import type { SessionChoice } from '../listen/session-choice.ts';
import type { SessionParams } from './client-events.ts';
import {
  firstInput,
  type InputState,
  ignoredFields,
  inputBody,
  turnDetectionBody,
  updatedInput,
} from './input-state.ts';
import { formatBody, soundFormatOf, usualFormat, type WireFormat } from './sound-formats.ts';

/** The session settings of a Realtime client that Hearth supports. */
export interface RealtimeState extends InputState {
  output: WireFormat;
  /** Answers are text only. */
  isSilent: boolean;
  /** Send transcripts of the speech. */
  transcribes: boolean;
  /** Fields without effect, because the household's settings apply. */
  ignored: readonly string[];
}

export const firstState: RealtimeState = {
  ...firstInput,
  output: usualFormat,
  isSilent: false,
  transcribes: false,
  ignored: [],
};

const understood = {
  session: new Set(['type', 'object', 'id', 'model', 'output_modalities']),
  input: new Set(['format', 'transcription', 'turn_detection']),
  transcription: new Set(['model']),
  detection: new Set(['type', 'silence_duration_ms']),
  output: new Set(['format']),
};

/** Applies an update: missing fields stay unchanged. */
export function updatedState(state: RealtimeState, params: SessionParams): RealtimeState {
  const { output_modalities: modalities, audio } = params;
  const transcription = audio?.input?.transcription;
  const next = { ...updatedInput(state, params), ignored: ignoredFields(params, understood) };
  if (modalities) next.isSilent = !modalities.includes('audio');
  if (audio?.output?.format) next.output = soundFormatOf(audio.output.format);
  if (transcription !== undefined) next.transcribes = transcription !== null;
  return next;
}

/** The settings that the listening side of the session needs. */
export function choiceOfState({
  isManual,
  endSilenceMs,
}: RealtimeState): Pick<SessionChoice, 'endpointing'> & Partial<Pick<SessionChoice, 'end_silence_ms'>> {
  return {
    endpointing: isManual ? 'manual' : 'server',
    ...(endSilenceMs !== null && { end_silence_ms: endSilenceMs }),
  };
}

/**
 * The session as reported to the client. Instructions, tools and voice are the household's; `hearth.ignored`
 * lists the fields without effect.
 */
export function sessionBody(id: string, state: RealtimeState, usualSilenceMs: number): object {
  const detection = turnDetectionBody(state, usualSilenceMs);
  const answers = {
    ...(state.detection === 'server_vad' && { idle_timeout_ms: null }),
    create_response: true,
    interrupt_response: true,
  };
  return {
    type: 'realtime',
    object: 'realtime.session',
    id: `sess_${id}`,
    model: 'assistant',
    output_modalities: [state.isSilent ? 'text' : 'audio'],
    instructions: '',
    tools: [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    tracing: null,
    truncation: 'auto',
    prompt: null,
    include: null,
    audio: {
      input: {
        ...inputBody(state),
        transcription: state.transcribes ? { model: 'whisper-1', language: null, prompt: null } : null,
        turn_detection: detection && { ...detection, ...answers },
      },
      output: { format: formatBody(state.output), voice: 'alloy', speed: 1 },
    },
    hearth: { ignored: [...state.ignored] },
  };
}
