import { AppError } from '../errors.ts';
import type { DictationWish } from '../turn/dictation.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import type { SessionWish } from './client-events.ts';
import {
  firstHearing,
  type HearingState,
  ignoredFields,
  toldDetection,
  toldInput,
  updatedHearing,
} from './hearing-state.ts';

/** How a client wants what it hears to be written down, as far as we follow it. */
export interface TranscriptionState extends HearingState {
  wish: Pick<DictationWish, 'language' | 'prompt'>;
  /** The name that it gave to the model: any means the household's own. */
  model: string;
  /** Fields that changed nothing. */
  ignored: readonly string[];
}

export const firstTranscription: TranscriptionState = {
  ...firstHearing,
  wish: {},
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

/** The session after an update: a field that is missing stays as it was. Throws `invalid_request` for a language that is no code. */
export function updatedTranscription(state: TranscriptionState, wish: SessionWish): TranscriptionState {
  const { language: named, prompt, model } = wish.audio?.input?.transcription ?? {};
  const language = named && languageCodeOf(named);
  if (named && language === null)
    throw new AppError('invalid_request', 'This is no language. Send a code of ISO 639-1 such as "en".', {
      param: 'session.audio.input.transcription.language',
    });
  return {
    ...updatedHearing(state, wish),
    model: model ?? state.model,
    wish: {
      ...state.wish,
      ...(language && { language }),
      ...(prompt != null && { prompt }),
    },
    ignored: ignoredFields(wish, understood),
  };
}

/** The session as its client is told of it; `hearth.ignored` names what was sent for nothing. */
export function toldTranscription(id: string, state: TranscriptionState, usualSilenceMs: number): object {
  const { language = null, prompt = null } = state.wish;
  return {
    type: 'transcription',
    object: 'realtime.transcription_session',
    id: `sess_${id}`,
    include: null,
    audio: {
      input: {
        ...toldInput(state),
        transcription: { model: state.model, language, prompt },
        turn_detection: toldDetection(state, usualSilenceMs),
      },
    },
    hearth: { ignored: [...state.ignored] },
  };
}
