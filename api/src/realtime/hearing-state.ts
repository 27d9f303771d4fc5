import type { SessionWish } from './client-events.ts';
import { soundFormatOf, toldFormat, usualFormat, type WireFormat } from './sound-formats.ts';

/** How a client of OpenAI's Realtime interface wants to be heard. */
export interface HearingState {
  input: WireFormat;
  /** The client says itself when somebody has finished. */
  isManual: boolean;
  /** Its name for the kind of turn detection. */
  detection: 'server_vad' | 'semantic_vad';
  /** Null: as the household has set it. */
  endSilenceMs: number | null;
}

export const firstHearing: HearingState = {
  input: usualFormat,
  isManual: false,
  detection: 'server_vad',
  endSilenceMs: null,
};

/** OpenAI's limits are wider than what a conversation can bear. */
const silenceMs = { least: 200, most: 3_000 };

/** What counts after an update: a field that is missing stays as it was. */
export function updatedHearing<State extends HearingState>(state: State, { audio }: SessionWish): State {
  const { format, turn_detection: detection } = audio?.input ?? {};
  const next = { ...state };
  if (format) next.input = soundFormatOf(format);
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

/** The turn detection, as the client is told of it. Null: it is its own. */
export function toldDetection(state: HearingState, usualSilenceMs: number): object | null {
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

/** The input, as the client is told of it, but for its turn detection. */
export function toldInput({ input }: HearingState): object {
  return { format: toldFormat(input), noise_reduction: null };
}

/** The parts of a session whose fields may be sent for nothing. */
type Part = 'session' | 'input' | 'transcription' | 'detection' | 'output';

/** The fields of a wish that change nothing, by their names; `known` names those that do, by the part that they are in. */
export function ignoredFields(
  { audio, ...session }: SessionWish,
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

/** Answering whoever has finished, and being silent when talked over, are done anyway: only not to do them would be a wish. */
const doneAnyway = new Set(['create_response', 'interrupt_response']);

/** The fields that nobody understands and that wish for something, each with the path of what it is in. */
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

/** What wishes for nothing: null, "", an empty list. */
function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
