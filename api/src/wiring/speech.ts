import type { Config } from '../config.ts';
import { createEspeak } from '../engines/espeak.ts';
import type { Replica } from '../engines/replicas.ts';
import type { SttClient } from '../engines/stt-client.ts';
import type { TtsClient } from '../engines/tts-client.ts';
import { createVoice } from '../jobs/speak-job.ts';
import { createTranscriber } from '../jobs/transcribe-job.ts';
import { createHints } from '../language/hints.ts';
import type { Language } from '../language/language.ts';
import type { Logger } from '../log.ts';
import type { HouseholdSkills } from '../respond/skills/household-skills.ts';
import type { Settings } from '../settings/settings.ts';
import { createPronunciation } from '../speech-text/pronunciation.ts';
import type { WiredHome } from './home.ts';
import { tellSandbox } from './sandboxes.ts';

interface TranscriberWiring {
  config: Config;
  settings: Settings;
  language: Language;
  replicas: readonly Replica<SttClient>[];
  home: WiredHome | null;
  household: HouseholdSkills;
}

/** How sound becomes words: the recognition is told what is likely to be spoken of here. */
export function wireTranscriber(options: TranscriberWiring) {
  const { config, settings, language, replicas, home, household } = options;
  const hints = createHints(language.hearing);
  return createTranscriber({
    replicas,
    settingsOf: settings.of,
    hints: async ({ room, words }) =>
      hints({
        room,
        words,
        rooms: [...(home?.names().rooms ?? []), ...config.rooms],
        devices: [...(home?.names().devices ?? []), ...config.devices],
        ...(await household.thereNow()),
      }),
    hallucinations: language.hearing.phantoms,
  });
}

interface VoiceWiring {
  config: Config;
  log: Logger;
  language: Language;
  replicas: readonly Replica<TtsClient>[];
}

/** How words become sound: Piper's voice, and espeak-ng where that is missing. */
export function wireVoice({ config, log, language, replicas }: VoiceWiring) {
  const pronounce = createPronunciation(language.speaking);
  const fallback = createEspeak({ path: config.espeak, voice: language.speaking.espeak_voice });
  tellSandbox(log, 'espeak-ng', fallback);
  return { voice: createVoice({ replicas, pronounce, fallback, log }), pronounce, fallback };
}
