import type { Config } from '../config.ts';
import { createEspeak } from '../engines/espeak.ts';
import type { Replica } from '../engines/replicas.ts';
import type { SttClient } from '../engines/stt-client.ts';
import type { TtsClient } from '../engines/tts-client.ts';
import { createHints } from '../language/hints.ts';
import type { Language } from '../language/language.ts';
import { voiceOf } from '../language/language-tag.ts';
import { saidAlone } from '../language/over-its-voice.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/settings.ts';
import { createPronunciation } from '../speech-text/pronunciation.ts';
import { createVoice } from '../stages/speak-job.ts';
import { createTranscriber, type RecognitionLanguage } from '../stages/transcribe-job.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import { byLanguage, type Languages } from './by-language.ts';
import type { WiredHousehold } from './household.ts';
import { logSandbox } from './sandboxes.ts';

interface TranscriberWiring {
  settings: Settings;
  languages: Languages;
  replicas: readonly Replica<SttClient>[];
  household: WiredHousehold;
}

/** Transcription, with hints about likely words. */
export function wireTranscriber({ settings, languages, replicas, household }: TranscriberWiring) {
  const recognitionOf = ({ tag, hearing }: Language): RecognitionLanguage => {
    const hints = createHints(hearing);
    return {
      tag,
      code: languageCodeOf(tag) ?? tag,
      hints: async ({ room, words }) => {
        const { home, answers } = household.now({ language: tag });
        const { rooms = [], devices = [] } = home?.names() ?? {};
        const ours = settings.current();
        return hints({
          room,
          words,
          rooms: [...rooms, ...ours.rooms],
          devices: [...devices, ...ours.devices],
          calls: [...ours.names, ...ours.name_spellings, ...ours.wake_words.map(spokenForm)],
          ...(await answers.household.thereNow()),
        });
      },
      hallucinations: hearing.phantoms,
      overItsVoice: hearing.over_its_voice.map(saidAlone),
    };
  };
  const [usual, ...others] = languages;
  return createTranscriber({
    replicas,
    languages: [recognitionOf(usual), ...others.map(recognitionOf)],
    settingsOf: settings.of,
  });
}

/** "okay_nabu": the name of a model is close to the words that people say. */
const spokenForm = (wakeWord: string): string => wakeWord.replaceAll('_', ' ');

interface VoiceWiring {
  config: Config;
  log: Logger;
  languages: Languages;
  replicas: readonly Replica<TtsClient>[];
}

/** Speech in each language: Piper, with espeak-ng as the fallback. */
export function wireVoice({ config, log, languages, replicas }: VoiceWiring) {
  const isOnlyLanguage = languages.length === 1;
  const spoken = byLanguage(languages, ({ tag, speaking }) => {
    const pronounce = createPronunciation(speaking);
    const fallback = createEspeak({ path: config.espeak, voice: speaking.espeak_voice });
    return {
      voice: createVoice({
        replicas,
        voiceAmong: (voices) => voiceOf(tag, { ...voices, isOnlyLanguage }),
        pronounce,
        fallback,
        log,
      }),
      pronounce,
      fallback,
    };
  });
  logSandbox(log, 'espeak-ng', spoken.of({}).fallback);
  return spoken;
}
