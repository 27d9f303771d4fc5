/** The services of this household. */
interface Offered {
  version: string;
  /** ISO 639-1. */
  language: string;
  hearing: { model: string | null } | null;
  speaking: { voices: readonly string[] } | null;
  wakeWords: readonly { id: string; phrase: string; languages: readonly string[] }[];
}

const maker = { name: 'Hearth', url: 'http://localhost' };

/**
 * The body of `info`. It names no satellite, because Home Assistant would then ignore the rest. It leaves out
 * disabled services, because Home Assistant creates an entity for each.
 */
export function wyomingInfo({
  version,
  language,
  hearing,
  speaking,
  wakeWords,
}: Offered): Record<string, unknown> {
  const languages = [language];
  const about = { attribution: maker, installed: true, version };
  const program = { ...about, name: 'Hearth', description: 'The voice assistant of this home' };
  const model = (name: string) => ({ ...about, name, description: name, languages });
  return {
    asr: hearing
      ? [
          {
            ...program,
            models: [model(hearing.model ?? 'speech recognition')],
            supports_transcript_streaming: false,
            // We detect the end of speech ourselves.
            requires_external_vad: false,
            prefers_auto_gain_enabled: false,
            prefers_noise_reduction_enabled: false,
          },
        ]
      : [],
    tts: speaking
      ? [{ ...program, voices: speaking.voices.map(model), supports_synthesize_streaming: true }]
      : [],
    handle: [
      {
        ...program,
        models: [model('assistant')],
        supports_handled_streaming: false,
        supports_home_control: true,
      },
    ],
    intent: [],
    wake:
      wakeWords.length > 0
        ? [
            {
              ...program,
              models: wakeWords.map(({ id, phrase, languages: spokenIn }) => ({
                ...about,
                name: id,
                description: phrase,
                phrase,
                languages: spokenIn,
              })),
            },
          ]
        : [],
    mic: [],
    snd: [],
  };
}
