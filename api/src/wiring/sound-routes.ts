import { createDecoder } from '../audio/decode.ts';
import { createEncoder } from '../audio/encode.ts';
import { choiceOf } from '../http/engine-choice.ts';
import { speechRoutes } from '../http/speech-routes.ts';
import { transcriptionRoutes } from '../http/transcription-routes.ts';
import { voiceRoutes } from '../http/voice-routes.ts';
import { languageOf } from '../language/language-tag.ts';
import { checkVoice } from '../settings/possible.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import type { ApiCore } from './api-core.ts';
import { byLanguage } from './by-language.ts';
import { reasonsOff } from './engine-addresses.ts';

/** Maximum length of a recording to transcribe for a client. */
const maxRecordingSeconds = 30 * 60;

/** Routes for sound: spoken questions, and transcription and speech for clients. */
export function soundRoutes(core: ApiCore, { stuckMs }: { stuckMs: number | undefined }) {
  const { config, languages, turnClient, workerCalls, settings, workers } = core;
  const { decoder, weighChannels, hasSpeech } = core;
  const spoken = byLanguage(languages, ({ speaking }) => ({
    speaking,
    speakable: createSpeakable(speaking),
  }));
  const piecesOf: Parameters<typeof speechRoutes>[0]['piecesOf'] = (text, { isVerbatim, language }) => {
    const { speaking, speakable } = spoken.of({ language });
    const splitter = createSentenceSplitter(speaking);
    const pieces = [...splitter.push(text), ...splitter.end()];
    return (isVerbatim ? pieces.map((piece) => piece.trim()) : pieces.map(speakable)).filter(Boolean);
  };
  const voices = () => choiceOf(workers.engine('tts'), reasonsOff(config).tts);
  return {
    ...voiceRoutes({ turnClient, decoder, hasSpeech, languageIn: core.languageIn }),
    ...transcriptionRoutes({
      decoder: createDecoder({
        ffmpegPath: config.ffmpeg,
        maxSeconds: maxRecordingSeconds,
        maxAtOnce: 1,
        weighChannels,
      }),
      hasSpeech,
      transcribe: workerCalls.transcribe,
    }),
    ...speechRoutes({
      encoder: createEncoder({ ffmpegPath: config.ffmpeg }),
      say: workerCalls.say,
      settings: settings.current,
      checkVoice: (voice) => checkVoice(voice, voices()),
      voices: () => voices().names ?? [],
      piecesOf,
      languageIn: (named) =>
        languageOf(
          named ?? '',
          languages.map(({ tag }) => tag),
        ) ?? undefined,
      stuckMs,
    }),
  };
}
