import type { Config } from '../config.ts';
import { createEspeak } from '../engines/espeak.ts';
import type { Replica } from '../engines/replicas.ts';
import type { SttClient } from '../engines/stt-client.ts';
import type { TtsClient } from '../engines/tts-client.ts';
import { createHints } from '../language/hints.ts';
import type { Language } from '../language/language.ts';
import { voiceSpeaks } from '../language/language-tag.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/settings.ts';
import { createPronunciation } from '../speech-text/pronunciation.ts';
import { createVoice } from '../stages/speak-job.ts';
import { createTranscriber } from '../stages/transcribe-job.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import type { WiredHousehold } from './household.ts';
import { tellSandbox } from './sandboxes.ts';

interface TranscriberWiring {
  config: Config;
  settings: Settings;
  language: Language;
  replicas: readonly Replica<SttClient>[];
  household: WiredHousehold;
}

/** Transcription, with hints about likely words. */
export function wireTranscriber(options: TranscriberWiring) {
  const { config, settings, language, replicas, household } = options;
  const hints = createHints(language.hearing);
  return createTranscriber({
    replicas,
    language: languageCodeOf(language.tag) ?? language.tag,
    settingsOf: settings.of,
    hints: async ({ room, words }) => {
      const { home, answers } = household.now();
      const { rooms = [], devices = [] } = home?.names() ?? {};
      return hints({
        room,
        words,
        rooms: [...rooms, ...config.rooms],
        devices: [...devices, ...config.devices],
        ...(await answers.household.thereNow()),
      });
    },
    hallucinations: language.hearing.phantoms,
  });
}

interface VoiceWiring {
  config: Config;
  log: Logger;
  language: Language;
  replicas: readonly Replica<TtsClient>[];
}

/** Speech: Piper, with espeak-ng as the fallback. */
export function wireVoice({ config, log, language, replicas }: VoiceWiring) {
  const pronounce = createPronunciation(language.speaking);
  const fallback = createEspeak({ path: config.espeak, voice: language.speaking.espeak_voice });
  tellSandbox(log, 'espeak-ng', fallback);
  const speaks = (voice: string) => voiceSpeaks(voice, language.tag);
  return { voice: createVoice({ replicas, speaks, pronounce, fallback, log }), pronounce, fallback };
}
