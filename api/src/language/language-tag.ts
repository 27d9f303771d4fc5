/**
 * Matches a BCP 47 tag such as `de`, `de-AT` or `DE_at` with `known`: the whole tag, or else its language.
 * Null: none of them fits.
 */
export function languageOf(tag: string, known: readonly string[]): string | null {
  const locale = localeOf(tag.trim().replaceAll('_', '-'));
  const found = locale && [locale.baseName, locale.language].find((each) => known.includes(each));
  return found ?? null;
}

/** Intl reports an invalid tag only by an error. */
function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}

/** The language in the name of a voice, as Piper names its own: "de_DE-thorsten-medium". */
const voiceName = /^([a-z]{2,3})_[A-Z]{2}-/;

/** Whether a voice speaks this language, by its name. Voices with other names may speak any. */
function voiceSpeaks(voice: string, tag: string): boolean {
  const [, spoken] = voiceName.exec(voice) ?? [];
  const language = localeOf(tag)?.language;
  // Piper names its Norwegian voices by the language, not by its written form.
  return spoken === undefined || spoken === (language === 'nb' ? 'no' : language);
}

/** The languages of a household that a voice speaks. Its only language is spoken by every voice. */
export function languagesOfVoice(voice: string, tags: readonly string[]): string[] {
  return tags.filter((tag) => tags.length === 1 || voiceSpeaks(voice, tag));
}

interface VoicesThere {
  /** The voice that the household chose. Null: none. */
  chosen: string | null;
  /** The voices that the servers speak with unasked. */
  own: readonly string[];
  offered: readonly string[];
  /** The household has no other language. A chosen voice then speaks it, whatever its name says. */
  isOnlyLanguage: boolean;
}

/** The voice that speaks a language. Null: the server's own. Undefined: none of them speaks it. */
export function voiceOf(
  tag: string,
  { chosen, own, offered, isOnlyLanguage }: VoicesThere,
): string | null | undefined {
  if (chosen !== null && (isOnlyLanguage || voiceSpeaks(chosen, tag))) return chosen;
  if (chosen === null && own.some((voice) => voiceSpeaks(voice, tag))) return null;
  return offered.find((voice) => voiceName.test(voice) && voiceSpeaks(voice, tag));
}
