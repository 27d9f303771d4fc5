import type { RequestData } from './requests.ts';

/** Name of the household's current voice. Clients that know no other name can still use it. */
const usualVoice = 'household';

interface VoiceNamesOptions {
  /** The household's languages. */
  tags: readonly string[];
  /** The voices of the speech servers. */
  offered: () => readonly string[];
  /** The languages of the household that a voice speaks. */
  languagesOf: (voice: string) => readonly string[];
  /** Throws AppError if there is no such voice. */
  checkVoice: (name: string) => void;
  /** Throws AppError if the household does not speak the language. */
  languageIn: (named: string | null | undefined) => string | undefined;
}

/**
 * Names of the voices. Home Assistant names no language, only a voice, so the household's voice has one name
 * for each language: "household", "household-de".
 */
export function createVoiceNames(options: VoiceNamesOptions) {
  const { tags, offered, languagesOf, checkVoice, languageIn } = options;
  const usual = new Map(tags.map((tag, at) => [at === 0 ? usualVoice : `${usualVoice}-${tag}`, tag]));

  return {
    /** All voices that speak a language of the household. */
    announced: (): { name: string; languages: readonly string[] }[] => [
      ...[...usual].map(([name, tag]) => ({ name, languages: [tag] })),
      ...offered()
        .map((name) => ({ name, languages: languagesOf(name) }))
        .filter(({ languages }) => languages.length > 0),
    ],
    /** The named voice (null: the household's) and its language (undefined: the first). Throws AppError. */
    find({ name, language }: NonNullable<RequestData<'synthesize'>['voice']>): {
      voice: string | null;
      language: string | undefined;
    } {
      const named = languageIn(language);
      if (!name) return { voice: null, language: named };
      const own = usual.get(name);
      if (own !== undefined) return { voice: null, language: own };
      checkVoice(name);
      const spoken = languagesOf(name);
      return { voice: name, language: spoken.find((tag) => tag === named) ?? spoken[0] };
    },
  };
}
