/** A text in normalised characters (NFKC), with positions in the original. */
interface FoldedText {
  text: string;
  /** The start of the character at this position in the original. */
  startOf(at: number): number;
  /** The end of the character before this position in the original. */
  endOf(at: number): number;
}

/** Characters that NFKC keeps, although each is a variant of one of these. */
const alsoWritten: Readonly<Record<string, string>> = { '⁄': '/', '∕': '/', '٫': '.', '٬': ',', '˚': '°' };
const alsoWrittenSigns = new RegExp(`[${Object.keys(alsoWritten).join('')}]`, 'g');

/**
 * Sequences folded as a unit: superscript and subscript digits, decomposed Korean and Japanese, a character
 * with its marks.
 */
const runs =
  /(?<raised>[⁰¹²³⁴-⁹⁺⁻]+)|(?<lowered>[₀-₉]+)|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[\uff66-\uff9d][\uff9e\uff9f]|\P{M}\p{M}*|\p{M}+/gsu;

/** NFKC splits a lone accent into a space and a mark, and a double prime into two. */
const keptAsWritten = /^[\p{Sk}″‴⁗]/u;
/** The language files list these powers as words. */
const namedPower = /^[²³]$/;

/** Folds a text in linear time. */
export function foldText(text: string): FoldedText {
  if (text.normalize('NFKC') === text && text.search(alsoWrittenSigns) < 0) {
    return { text, startOf: (at) => at, endOf: (at) => at };
  }
  let folded = '';
  const places: { start: number; end: number }[] = [];
  for (const { 0: run, index: start, groups } of text.matchAll(runs)) {
    const end = start + run.length;
    const plain = groups?.['raised'] ? raised(run, text[end]) : foldRun(run, folded);
    const sign = isApart(run, plain, folded) ? ` ${plain}` : plain;
    folded += sign;
    for (let at = 0; at < sign.length; at += 1) places.push({ start, end });
  }
  return {
    text: folded,
    startOf: (at) => places[at]?.start ?? text.length,
    endOf: (at) => places[at - 1]?.end ?? 0,
  };
}

function foldRun(run: string, before: string): string {
  // Many keyboards have this character and no degree sign: "20 ºC".
  if (run === 'º' && /\d\s?$/.test(before)) return '°';
  if (Object.hasOwn(alsoWritten, run)) return alsoWritten[run] ?? run;
  return keptAsWritten.test(run) ? run : run.normalize('NFKC').replaceAll(alsoWrittenSigns, plainSign);
}

function plainSign(sign: string): string {
  return alsoWritten[sign] ?? sign;
}

/** Keeps powers: NFKC would turn 10² into 102. Before a fraction slash the digits are the numerator. */
function raised(run: string, next = ''): string {
  if (namedPower.test(run) && !isSlash(next)) return run;
  return `${isSlash(next) ? '' : '^'}${run.normalize('NFKC')}`;
}

function isSlash(sign: string): boolean {
  return alsoWritten[sign] === '/';
}

/** A one-character number does not join the digits before it: 1½ is 1 1/2, and 2① is not 21. */
function isApart(run: string, plain: string, before: string): boolean {
  return /^[\p{No}\p{So}]/u.test(run) && /^[\p{L}\p{N}]/u.test(plain) && /[\p{L}\p{Nd}]$/u.test(before);
}
