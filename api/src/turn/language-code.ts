const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
/** Withdrawn codes, and codes that Whisper lists under another one. */
const otherCodes: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['nb', 'no'],
  ['fil', 'tl'],
  ['mo', 'ro'],
  ['jv', 'jw'],
  // Kanuri, which Whisper does not know. Clients mean the country.
  ['kr', 'ko'],
]);
/** Names in Whisper's own list, which ICU calls differently. */
const whisperNames: ReadonlyMap<string, string> = new Map([
  ['bengali', 'bn'],
  ['cantonese', 'yue'],
  ['castellano', 'es'],
  ['castilian', 'es'],
  ['flemish', 'nl'],
  ['haitian', 'ht'],
  ['hawaiian', 'haw'],
  ['letzeburgesch', 'lb'],
  ['mandarin', 'zh'],
  ['maori', 'mi'],
  ['moldavian', 'ro'],
  ['moldovan', 'ro'],
  ['myanmar', 'my'],
  ['nynorsk', 'nn'],
  ['panjabi', 'pa'],
  ['pushto', 'ps'],
  ['sinhalese', 'si'],
  ['tagalog', 'tl'],
  ['valencian', 'ca'],
]);
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Resolves a language as clients name it: `en`, `eng`, `en_US.UTF-8`, `zh-Hans-CN`, `English`, `Deutsch`, a
 * country code (`jp`), or `auto`. Null if unknown. Other ISO 639-1 codes stay unchanged.
 */
export function languageCodeOf(named: string): string | null {
  const code = knownCodeOf(named);
  return code === null ? null : (otherCodes.get(code) ?? code);
}

function knownCodeOf(named: string): string | null {
  const name = named
    .trim()
    .toLowerCase()
    .replace(/[.@][\w.@-]*$/, '');
  if (name === '' || name === 'auto' || name === 'und') return 'auto';
  const [first = ''] = name.replaceAll('_', '-').split('-');
  if (/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(name.replaceAll('_', '-'))) {
    const code = codeOf(first);
    if (code !== null) return code;
  }
  const plain = withoutAccents(name.replace(/\s*\(.*\)$/, ''));
  return codeOfName(plain) ?? codeOfName(plain.split(/\s+/).at(-1) ?? '');
}

/** "Brazilian Portuguese" has no code, but its last word has one. */
function codeOfName(name: string): string | null {
  return whisperNames.get(name) ?? languagesByName().get(name) ?? null;
}

function codeOf(code: string): string | null {
  if (otherCodes.has(code)) return code;
  if (code.length === 2 && isLanguage(code)) return code;
  const { language } = new Intl.Locale(code);
  if (language !== undefined && isLanguage(language)) return language;
  return code.length === 2 ? languageOfCountry(code) : null;
}

function isLanguage(code: string): boolean {
  return english.of(code) !== undefined;
}

/**
 * The most spoken language of a country. ICU answers English for unknown countries, so those are excluded.
 */
function languageOfCountry(code: string): string | null {
  const country = code.toUpperCase();
  const isCountry = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(country);
  return isCountry === undefined ? null : (new Intl.Locale(`und-${country}`).maximize().language ?? null);
}

let byName: ReadonlyMap<string, string> | undefined;

/**
 * Names of all languages with a two-letter code, in English and in the language itself. Built on first use,
 * because it takes 0.3 s.
 */
function languagesByName(): ReadonlyMap<string, string> {
  byName ??= new Map(
    letters
      .flatMap((one) => letters.map((other) => one + other))
      .filter(isLanguage)
      .flatMap((code) =>
        [nameOf(code, code), nameOf(code, 'en')].flatMap((name) => (name ? [[name, code] as const] : [])),
      )
      // On a name clash, the earlier code must win: the later one is an obsolete alias.
      .reverse(),
  );
  return byName;
}

function nameOf(code: string, inLanguage: string): string | undefined {
  const name = new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'none' }).of(code);
  return name === undefined ? undefined : withoutAccents(name.toLowerCase());
}

/** People type "francais". */
function withoutAccents(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}
