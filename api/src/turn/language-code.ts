const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The code of a language as programs name it: `en`, `eng`, `en_US`, `zh-Hans-CN`, `English`, `Deutsch`, a country's code in its place (`jp`), or `auto`. Null
 * for what names none. Codes of ISO 639-1 stay as they are.
 */
export function languageCodeOf(named: string): string | null {
  const name = named.trim().toLowerCase();
  if (name === '' || name === 'auto') return 'auto';
  const [first = ''] = name.replaceAll('_', '-').split('-');
  if (/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(name.replaceAll('_', '-'))) {
    const code = codeOf(first);
    if (code !== null) return code;
  }
  return languagesByName().get(name.replace(/\s*\(.*\)$/, '')) ?? null;
}

function codeOf(code: string): string | null {
  if (code.length === 2 && isLanguage(code)) return code;
  const { language } = new Intl.Locale(code);
  if (language !== undefined && isLanguage(language)) return language;
  return code.length === 2 ? languageOfCountry(code) : null;
}

function isLanguage(code: string): boolean {
  return english.of(code) !== undefined;
}

/** The language that most people speak in a country. ICU answers English for a country that there is none of. */
function languageOfCountry(code: string): string | null {
  const country = code.toUpperCase();
  const isCountry = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(country);
  return isCountry === undefined ? null : (new Intl.Locale(`und-${country}`).maximize().language ?? null);
}

let byName: ReadonlyMap<string, string> | undefined;

/** The names of all languages with a code of two letters, in English and in themselves. Made when a name comes for the first time: it takes 0.3 s. */
function languagesByName(): ReadonlyMap<string, string> {
  byName ??= new Map(
    letters
      .flatMap((one) => letters.map((other) => one + other))
      .filter(isLanguage)
      .flatMap((code) =>
        [nameOf(code, code), nameOf(code, 'en')].flatMap((name) => (name ? [[name, code] as const] : [])),
      )
      // An older code of the same language comes later in the alphabet, or has the newer one's name.
      .reverse(),
  );
  return byName;
}

function nameOf(code: string, inLanguage: string): string | undefined {
  return new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'none' }).of(code)?.toLowerCase();
}
