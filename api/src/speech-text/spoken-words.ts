import { withCapital } from '../language/capitals.ts';
import type { SpeakingData } from '../language/speaking-schema.ts';
import { anyOf, type Rule } from './rule.ts';

const lastOfText = /^["'”’)\]]*\s*$/;
const beforeCapital = /^["'”’)\]]*\s+["'“‘(]?\p{Lu}/u;
const beforeNumber = /^\s?#?\d/;
/** Number of characters examined after an abbreviation. */
const aheadCharacters = 12;

/** Spells out abbreviations, and drops full stops that would make the voice pause. */
export function createAbbreviationRules({ abbreviations }: SpeakingData): Rule[] {
  const { never_last, before_numbers, sometimes_last } = abbreviations;
  const names = [never_last, before_numbers, sometimes_last].flatMap((table) => Object.keys(table));
  const abbreviation = new RegExp(`(?<![\\p{L}\\p{N}.'’-])(${anyOf(names)})\\.(?![\\p{L}\\p{N}])`, 'giu');

  const inFull = (whole: string, written: string, rest: string): string => {
    const name = written.toLowerCase();
    const numbered = beforeNumber.test(rest) ? before_numbers[name] : undefined;
    // "Fr. 8 Uhr" is Friday, "Fr. Müller" is not.
    const said = numbered ?? never_last[name] ?? sometimes_last[name] ?? before_numbers[name] ?? whole;
    const isLast = lastOfText.test(rest);
    if (said === `${name}.` || (name in never_last && isLast)) return whole;
    if (name in never_last || numbered !== undefined) return asWritten(written, said);
    if (!(name in sometimes_last)) return whole;
    return asWritten(written, said) + (isLast || beforeCapital.test(rest) ? '.' : '');
  };
  return [
    (text) =>
      text.replace(abbreviation, (whole, written: string, at: number) =>
        inFull(whole, written, text.slice(at + whole.length, at + whole.length + aheadCharacters)),
      ),
    // "the U.S. Army", "J. K. Rowling"
    (text) =>
      text.replace(/(?<![\p{L}\p{N}.])(?:\p{Lu}\.){2,8}(?=\s+[\p{L}\p{N}]|[,;:)])/gu, (dotted) =>
        dotted.replaceAll('.', ''),
      ),
    (text) =>
      text.replace(/(?<![\p{L}\p{N}.])(?:\p{Lu}\. ){2,5}(?=\p{Lu}\p{L})/gu, (initials) =>
        initials.replaceAll('.', ''),
      ),
  ];
}

/** Capitalizes the spoken form if the written word begins with a capital. */
function asWritten(written: string, said: string): string {
  return /^\p{Lu}/u.test(written) ? withCapital(said) : said;
}

/** Replaces each word in the table with its spoken form. */
export function createTableRule(table: Record<string, string>): Rule {
  const saidOf = new Map(Object.entries(table).map(([written, said]) => [written.toLowerCase(), said]));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${anyOf([...saidOf.keys()])}(?![\\p{L}\\p{N}])`, 'giu');
  return (text) => text.replace(pattern, (written) => saidOf.get(written.toLowerCase()) ?? written);
}
