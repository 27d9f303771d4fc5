import type { SessionParams } from './client-events.ts';
import { formatBody, soundFormatOf, usualFormat, type WireFormat } from './sound-formats.ts';

/** The input settings of a client of OpenAI's Realtime interface. */
export interface InputState {
  input: WireFormat;
  /** The client commits utterances itself. */
  isManual: boolean;
  /** The client's name for the kind of turn detection. */
  detection: 'server_vad' | 'semantic_vad';
  /** Null: the household's setting. */
  endSilenceMs: number | null;
}

export const firstInput: InputState = {
  input: usualFormat,
  isManual: false,
  detection: 'server_vad',
  endSilenceMs: null,
};

/** Narrower than OpenAI's limits, to keep a conversation usable. */
const silenceMs = { min: 200, max: 3_000 };

/** Applies an update: missing fields stay unchanged. */
export function updatedInput<State extends InputState>(state: State, { audio }: SessionParams): State {
  const { format, turn_detection: detection } = audio?.input ?? {};
  const next = { ...state };
  if (format) next.input = soundFormatOf(format);
  if (detection === null) next.isManual = true;
  else if (detection !== undefined) {
    next.isManual = false;
    next.detection = detection.type ?? state.detection;
    if (detection.silence_duration_ms != null) next.endSilenceMs = within(detection.silence_duration_ms);
  }
  return next;
}

function within(ms: number): number {
  return Math.min(silenceMs.max, Math.max(silenceMs.min, ms));
}

/** The turn detection as reported to the client. Null: the client commits utterances itself. */
export function turnDetectionBody(state: InputState, usualSilenceMs: number): object | null {
  if (state.isManual) return null;
  return {
    type: state.detection,
    ...(state.detection === 'server_vad' && {
      threshold: 0.5,
      prefix_padding_ms: 300,
      silence_duration_ms: state.endSilenceMs ?? usualSilenceMs,
    }),
  };
}

/** The input settings as reported to the client, without turn detection. */
export function inputBody({ input }: InputState): object {
  return { format: formatBody(input), noise_reduction: null };
}

/** Parts of a session whose fields Hearth may ignore. */
type Part = 'session' | 'input' | 'transcription' | 'detection' | 'output';

/** Names of fields in a request that have no effect. `known` lists the effective fields of each part. */
export function ignoredFields(
  { audio, ...session }: SessionParams,
  known: Readonly<Record<Part, ReadonlySet<string>>>,
): string[] {
  const input = audio?.input;
  return [
    ...othersIn(session, known.session, ''),
    ...othersIn(input, known.input, 'audio.input.'),
    ...othersIn(input?.transcription, known.transcription, 'audio.input.transcription.'),
    ...othersIn(input?.turn_detection || null, known.detection, 'audio.input.turn_detection.'),
    ...othersIn(audio?.output, known.output, 'audio.output.'),
  ];
}

/** Hearth always does both: only switching them off is a request. */
const doneAnyway = new Set(['create_response', 'interrupt_response']);

/** Paths of unsupported fields that request something. */
export function othersIn(
  fields: object | null | undefined,
  understood: ReadonlySet<string>,
  path: string,
): string[] {
  return Object.entries(fields ?? {})
    .filter(([name, value]) => !understood.has(name) && !isEmpty(value))
    .filter(([name, value]) => !(doneAnyway.has(name) && value === true))
    .map(([name]) => `${path}${name}`);
}

/** Values that request nothing: null, "", an empty list. */
function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
