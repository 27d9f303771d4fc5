import type { SpeakingData } from '../language/speaking-schema.ts';
import { anyOf, type Rule } from './rule.ts';

/** "10:09" must not become "ten zero nine". */
const minuteUnderTen = /(?<![\p{L}\p{N}.,:-])(\d{1,2}):0([1-9])(?![\p{L}\p{N}:]|[.,]\d)/gu;

/**
 * Respells text that the voice would read badly: "1564" becomes "15 64". The displayed text stays unchanged.
 * An ambiguous number is read as a year, because listeners also understand "twelve fifty people".
 */
export function createPronunciation(speaking: SpeakingData): Rule {
  const { units, years, year_endings, year_parts, year_parts_oh, minute_oh, pronounced } = speaking;
  const ending = `(?:${anyOf(year_endings)})?`;
  /** Also matches "1980s". */
  const year = new RegExp(
    String.raw`(?<![\p{L}\p{N}.,:-])(\d\d)(0[1-9]|[1-9]\d)(?=${ending}(?![\p{L}\p{N}]|[.,:-]\d))`,
    'gu',
  );
  const nextWord = new RegExp(String.raw`^${ending} (\p{L}+)`, 'u');
  const isSaidInHalves = (digits: string) => Number(digits) >= years.from && Number(digits) <= years.to;
  const counted = new Set(Object.values(units).flat());
  // Case matters: "Ms" differs from "ms".
  const odd = new RegExp(`(?<![\\p{L}\\p{N}])${anyOf(Object.keys(pronounced))}(?![\\p{L}\\p{N}])`, 'gu');
  return (words) =>
    words
      .replace(year, (whole, century: string, rest: string, at: number) => {
        const [, next = ''] = nextWord.exec(words.slice(at + whole.length)) ?? [];
        if (!isSaidInHalves(whole) || counted.has(next)) return whole;
        const parts = rest.startsWith('0') ? year_parts_oh : year_parts;
        return parts.replace('{century}', century).replace('{rest}', String(Number(rest)));
      })
      .replace(minuteUnderTen, (_, hour: string, minute: string) =>
        minute_oh.replace('{hour}', hour).replace('{minute}', minute),
      )
      .replace(odd, (word) => pronounced[word] ?? word);
}
