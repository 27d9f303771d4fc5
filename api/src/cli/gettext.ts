import { readFileSync } from 'node:fs';

/** The folder of the translations, seen from the compiled image and from the sources. */
const folders = ['../../scripts/language/', '../../../scripts/language/'].map(
  (path) => new URL(path, import.meta.url),
);

let texts: ReadonlyMap<string, string> | undefined;

/**
 * A message in the language of the terminal, with its values in the places of `%s`. The English text is the
 * key. scripts/messages does the same for the shell.
 */
export function gettext(text: string, ...values: readonly (string | number)[]): string {
  texts ??= translationsFor(process.env);
  let at = 0;
  return (texts.get(text) ?? text).replaceAll(/%./g, (place) =>
    place === '%%' ? '%' : String(values[at++] ?? ''),
  );
}

/** The texts by their English ones. Empty: the language is English, or is not here. */
export function translationsFor(env: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  for (const tag of wantedTags(env)) {
    if (tag === 'en') break;
    const file = /^[a-z]+$/.test(tag) ? readFrom(folders, `${tag}.po`) : null;
    if (file !== null) return readTranslations(file);
  }
  return new Map();
}

/** The languages of the standard variables, best first, as GNU gettext reads them. */
function wantedTags({ LANGUAGE, LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string[] {
  const locale = LC_ALL || LC_MESSAGES || LANG || 'C';
  if (/^(?:C|C\..*|POSIX)$/.test(locale)) return [];
  return (LANGUAGE || locale).split(':').map((tag) => tag.replace(/[_.@-].*$/s, ''));
}

function readFrom(places: readonly URL[], name: string): string | null {
  for (const place of places) {
    try {
      return readFileSync(new URL(name, place), 'utf8');
    } catch {
      // the other place may have it
    }
  }
  return null;
}

/** Reads the texts of a .po file. A text may go on in further lines. */
export function readTranslations(file: string): Map<string, string> {
  const entries = file.matchAll(/^msgid ((?:"[^\n]*"\s*)+)^msgstr ((?:"[^\n]*"\s*)+)/gm);
  return new Map(
    [...entries]
      .map(([, english = '', own = '']): [string, string] => [joined(english), joined(own)])
      .filter(([english, own]) => english !== '' && own !== ''),
  );
}

const joined = (lines: string): string =>
  [...lines.matchAll(/^"(.*)"\s*$/gm)]
    .map(([, line = '']) => line.replaceAll(/\\(["n])/g, (_, sign) => (sign === 'n' ? '\n' : '"')))
    .join('');
