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
