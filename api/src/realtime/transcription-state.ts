import { AppError } from '../errors.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import type { TranscriptionOptions } from '../turn/transcription-options.ts';
import type { SessionParams } from './client-events.ts';
import {
  firstInput,
  type InputState,
  ignoredFields,
  inputBody,
  turnDetectionBody,
  updatedInput,
} from './input-state.ts';

/** A client's transcription settings that Hearth supports. */
interface TranscriptionState extends InputState {
  options: Pick<TranscriptionOptions, 'language' | 'prompt'>;
  /** The model name from the client. Every name means the household's model. */
  model: string;
  /** Fields without effect. */
  ignored: readonly string[];
}

export const firstTranscription: TranscriptionState = {
  ...firstInput,
  options: {},
  model: 'whisper-1',
  ignored: [],
};

const understood = {
  session: new Set(['type', 'object', 'id']),
  input: new Set(['format', 'transcription', 'turn_detection']),
  transcription: new Set(['model', 'language', 'prompt']),
  detection: new Set(['type', 'silence_duration_ms']),
  output: new Set<string>(),
};

/**
 * Applies an update: missing fields stay unchanged. Throws `invalid_request` for an unknown language code.
 */
export function updatedTranscription(state: TranscriptionState, params: SessionParams): TranscriptionState {
  const { language: named, prompt, model } = params.audio?.input?.transcription ?? {};
  const language = named && languageCodeOf(named);
  if (named && language === null)
    throw new AppError('invalid_request', 'Unknown language. Send an ISO 639-1 code such as "en".', {
      param: 'session.audio.input.transcription.language',
    });
  return {
    ...updatedInput(state, params),
    model: model ?? state.model,
    options: {
      ...state.options,
      ...(language && { language }),
      ...(prompt != null && { prompt }),
    },
    ignored: ignoredFields(params, understood),
  };
}

/** The session as reported to the client; `hearth.ignored` lists the fields without effect. */
export function transcriptionBody(id: string, state: TranscriptionState, usualSilenceMs: number): object {
  const { language = null, prompt = null } = state.options;
  return {
    type: 'transcription',
    object: 'realtime.transcription_session',
    id: `sess_${id}`,
    include: null,
    audio: {
      input: {
        ...inputBody(state),
        transcription: { model: state.model, language, prompt },
        turn_detection: turnDetectionBody(state, usualSilenceMs),
      },
    },
    hearth: { ignored: [...state.ignored] },
  };
}
