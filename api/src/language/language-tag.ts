/**
 * The language of a BCP 47 tag such as `de`, `de-AT` or `DE_at`, as one of `known`: the whole tag, or else
 * its language. Null: none of them fits.
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

/** Whether a voice named like "de_DE-thorsten-medium" speaks this language. Other names may speak any. */
export function voiceSpeaks(voice: string, tag: string): boolean {
  const [, spoken] = /^([a-z]{2,3})_[A-Z]{2}-/.exec(voice) ?? [];
  const language = localeOf(tag)?.language;
  // Piper names its Norwegian voices by the language, not by its written form.
  return spoken === undefined || spoken === (language === 'nb' ? 'no' : language);
}
