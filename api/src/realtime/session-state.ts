import type { SessionChoice } from '../listen/session-choice.ts';
import type { SessionWish } from './client-events.ts';
import { type SoundName, toldFormat } from './sound-formats.ts';

/** How a Realtime client wants its session, as far as we follow it. */
export interface RealtimeState {
  input: SoundName;
  output: SoundName;
  /** The answers come as text alone. */
  isSilent: boolean;
  /** What was said is told in words. */
  transcribes: boolean;
  /** The client says itself when somebody has finished. */
  isManual: boolean;
  /** Its name for the kind of turn detection. */
  detection: 'server_vad' | 'semantic_vad';
  /** Null: as the household has set it. */
  endSilenceMs: number | null;
  /** Fields that changed nothing, because the household's own count. */
  ignored: readonly string[];
}

export const firstState: RealtimeState = {
  input: 'audio/pcm',
  output: 'audio/pcm',
  isSilent: false,
  transcribes: false,
  isManual: false,
  detection: 'server_vad',
  endSilenceMs: null,
  ignored: [],
};

/** OpenAI's limits are wider than what a conversation can bear. */
const silenceMs = { least: 200, most: 3_000 };

const understood = new Set(['type', 'object', 'id', 'model', 'output_modalities', 'audio']);
const understoodOfInput = new Set(['format', 'transcription', 'turn_detection']);
const understoodOfOutput = new Set(['format']);

/** The session after an update: a field that is missing stays as it was. */
export function updatedState(state: RealtimeState, wish: SessionWish): RealtimeState {
  const { output_modalities: modalities, audio } = wish;
  const { format, transcription, turn_detection: detection } = audio?.input ?? {};
  const next = { ...state, ignored: ignoredOf(wish) };
  if (modalities) next.isSilent = !modalities.includes('audio');
  if (format) next.input = format.type;
  if (audio?.output?.format) next.output = audio.output.format.type;
  if (transcription !== undefined) next.transcribes = transcription !== null;
  if (detection === null || detection === false) next.isManual = true;
  else if (detection !== undefined) {
    next.isManual = false;
    next.detection = detection.type ?? state.detection;
    if (detection.silence_duration_ms != null) next.endSilenceMs = within(detection.silence_duration_ms);
  }
  return next;
}

function within(ms: number): number {
  return Math.min(silenceMs.most, Math.max(silenceMs.least, ms));
}

/** The fields of a wish that change nothing, by their names. */
function ignoredOf({ audio, ...session }: SessionWish): string[] {
  const others = (fields: object | null | undefined, known: ReadonlySet<string>, path: string) =>
    Object.entries(fields ?? {})
      .filter(([name, value]) => !known.has(name) && !isEmpty(value))
      .map(([name]) => `${path}${name}`);
  return [
    ...others(session, understood, ''),
    ...others(audio?.input, understoodOfInput, 'audio.input.'),
    ...others(audio?.output, understoodOfOutput, 'audio.output.'),
  ];
}

/** What wishes for nothing: null, "", an empty list. */
function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** What the listening side of the session has to know of it. */
export function choiceOfState({
  isManual,
  endSilenceMs,
}: RealtimeState): Pick<SessionChoice, 'endpointing'> & Partial<Pick<SessionChoice, 'end_silence_ms'>> {
  return {
    endpointing: isManual ? 'manual' : 'server',
    ...(endSilenceMs !== null && { end_silence_ms: endSilenceMs }),
  };
}

/** The session as its client is told of it. Instructions, tools and voice are the household's; `hearth.ignored` names what was sent for nothing. */
export function toldSession(id: string, state: RealtimeState, usualSilenceMs: number): object {
  const detection = {
    type: state.detection,
    ...(state.detection === 'server_vad' && {
      threshold: 0.5,
      prefix_padding_ms: 300,
      silence_duration_ms: state.endSilenceMs ?? usualSilenceMs,
      idle_timeout_ms: null,
    }),
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
        format: toldFormat(state.input),
        transcription: state.transcribes ? { model: 'whisper-1', language: null, prompt: null } : null,
        noise_reduction: null,
        turn_detection: state.isManual ? null : detection,
      },
      output: { format: toldFormat(state.output), voice: 'alloy', speed: 1 },
    },
    hearth: { ignored: [...state.ignored] },
  };
}
