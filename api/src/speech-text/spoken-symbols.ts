import type { Speaking } from '../language/speaking-schema.ts';
import { amountOf, anyOf, type Rule, wordEnds } from './rule.ts';

const powers = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const indices = '₀₁₂₃₄₅₆₇₈₉';

/** Spells signs between and before numbers, and all other signs that have a name. */
export function createSymbolRules({
  symbols,
  before_numbers,
  between_numbers,
  in_sums,
  or,
  marks,
  roman,
}: Speaking): Rule[] {
  const amount = amountOf(marks);
  const range = new RegExp(
    `(?<![\\p{L}\\d.,:/-]|[\\p{L}\\d]-)(${amount}) ?[-–] ?(${amount})(?![\\d/]|-\\d|[-–]\\p{L})`,
    'gu',
  );
  const endings = anyOf(Object.values(roman.ordinal_endings));
  const ordinals = new RegExp(`(?<=\\d${endings}) ?[-–] ?(?=\\d+${endings}${wordEnds})`, 'gu');
  const sum = createSumRule(in_sums);
  const before = new RegExp(
    `(?<![\\p{L}\\p{N}])(${anyOf(Object.keys(before_numbers))})(?: (?!-))?(?=\\d)`,
    'gu',
  );
  const named = new RegExp(anyOf(Object.keys(symbols)), 'g');
  const say = (table: Record<string, string>, symbol: string) => ` ${table[symbol] ?? ''} `;
  return [
    (text) => text.replaceAll('−', '-'),
    // "10th–12th May"
    (text) => text.replace(ordinals, say(between_numbers, '-')),
    // "UTC-5"
    (text) => text.replace(/(?<=(?:UTC|GMT) ?)-(?=\d)/g, say(before_numbers, '-')),
    // "Fe²⁺", "Cl⁻"
    (text) =>
      text.replace(
        /(?<=[\p{L}₀-₉])([²³⁴]?)([⁺⁻])(?![⁰¹²³⁴-⁹])/gu,
        (_, charge: string, sign) =>
          ` ${charge.normalize('NFKC')}${say(before_numbers, sign === '⁺' ? '+' : '-')}`,
      ),
    // "6.02e23"
    (text) =>
      text.replace(/(?<![\p{L}\p{N}.#])(\d(?:\.\d{1,10})?)e\+?(-?\d{1,3})(?![\p{L}\p{N}.])/gu, '$1 × 10^$2'),
    (text) =>
      text.replace(
        /[⁰¹²³⁴-⁹⁻]{2,}|[⁰¹⁴-⁹]/g,
        (all) => `^${[...all].map((each) => (each === '⁻' ? '-' : powers.indexOf(each))).join('')}`,
      ),
    (text) => text.replace(/\^([23])(?!\d)/g, (_, digit) => (digit === '2' ? '²' : '³')),
    (text) => text.replace(/[₀-₉]/g, (each) => String(indices.indexOf(each))),
    (text) => text.replace(/={2,}/g, '='),
    (text) => (/[=≈≠]/.test(text) ? sum(text) : text),
    (text) =>
      text.replace(range, (whole, low, high) => {
        // "747-400"
        if (isModel(low, high)) return `${low} ${high}`;
        return isRange(low, high) ? low + say(between_numbers, '-') + high : whole;
      }),
    (text) => text.replace(/(?<=\d) x (?=\d)|(?<=\d)×(?=\d)/g, ' × '),
    (text) => text.replace(/(?<=\d)x(?=\d)/g, say(between_numbers, 'x')),
    (text) => text.replace(/(?<=\d)x(?![\p{L}\p{N}])/gu, ' ×'),
    (text) =>
      text.replace(
        /(?<![\d:.,])(\d{1,3}):(?=\d(?![\d:\p{L}]))/gu,
        (_, left) => left + say(between_numbers, ':'),
      ),
    (text) => text.replace(/(?<=\d) ?\/ ?(?=\d)/g, say(between_numbers, '/')),
    // "Settings > Wi-Fi"
    (text) => text.replace(/(?<=\p{L}) ?> ?(?=\p{L})/gu, ', '),
    (text) => text.replace(/(?<=\p{Lu})\/(?=\p{Lu}+(?!\p{Ll}))/gu, ' '),
    (text) => text.replace(/(?<=\p{L}) ?\/ ?(?=[\p{L}\p{N}])/gu, ` ${or} `),
    (text) =>
      text.replace(before, (whole, symbol) =>
        symbol === '-' && whole !== '-' ? whole : say(before_numbers, symbol),
      ),
    (text) => text.replace(named, (symbol) => say(symbols, symbol)),
  ];
}

/** "5 - 3 = 2" is a subtraction; without the result, "5 - 3" might be a range. */
function createSumRule(in_sums: Record<string, string>): Rule {
  const signs = new RegExp(`(?<=[\\p{L}\\p{N})]) ?(${anyOf(Object.keys(in_sums))}) ?(?=\\d)`, 'gu');
  return (text) =>
    text.replace(signs, (whole, sign) => {
      // "B-2" and "3x4" stay words.
      return whole === sign && /[\p{L}]/u.test(sign) ? whole : ` ${in_sums[sign] ?? ''} `;
    });
}

/** The number of a model and its variant: a range never falls from hundreds to hundreds. */
function isModel(low: string, high: string): boolean {
  return /^\d{3}$/.test(low) && /^\d00$/.test(high) && Number(low) > Number(high);
}

/** "5-10" and "1914-1918" are ranges; "2026-11" is not. */
function isRange(low: string, high: string): boolean {
  const isShort = [low, high].every((number) => /^\d{1,3}$|[.,]/.test(number));
  return isShort || (low.length === high.length && low.length === 4) || /00$/.test(high);
}
