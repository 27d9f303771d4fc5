/** The services of this household. */
interface Offered {
  version: string;
  /** Tags of the household's languages. */
  languages: readonly string[];
  hearing: { model: string | null } | null;
  speaking: { voices: readonly { name: string; languages: readonly string[] }[] } | null;
  wakeWords: readonly { id: string; phrase: string; languages: readonly string[] }[];
}

const maker = { name: 'Hearth', url: 'http://localhost' };

/**
 * The body of `info`. It names no satellite, because Home Assistant would then ignore the rest. It leaves out
 * disabled services, because Home Assistant creates an entity for each.
 */
export function wyomingInfo({
  version,
  languages,
  hearing,
  speaking,
  wakeWords,
}: Offered): Record<string, unknown> {
  const about = { attribution: maker, installed: true, version };
  const program = { ...about, name: 'Hearth', description: 'The voice assistant of this home' };
  const part = (name: string, spoken = languages) => ({
    ...about,
    name,
    description: name,
    languages: spoken,
  });
  return {
    asr: hearing
      ? [
          {
            ...program,
            models: [part(hearing.model ?? 'speech recognition')],
            supports_transcript_streaming: false,
            // We detect the end of speech ourselves.
            requires_external_vad: false,
            prefers_auto_gain_enabled: false,
            prefers_noise_reduction_enabled: false,
          },
        ]
      : [],
    tts: speaking
      ? [
          {
            ...program,
            voices: speaking.voices.map((voice) => part(voice.name, voice.languages)),
            supports_synthesize_streaming: true,
          },
        ]
      : [],
    handle: [
      {
        ...program,
        models: [part('assistant')],
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
