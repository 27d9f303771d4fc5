/** A text in one spelling of its signs (NFKC), with the way back to the text as it was written. */
export interface FoldedText {
  text: string;
  /** Where the sign at this place begins in the written text. */
  startOf(at: number): number;
  /** Where the sign before this place ends in the written text. */
  endOf(at: number): number;
}

/** Signs that NFKC leaves alone, though each is another way to write one of these. */
const alsoWritten: Readonly<Record<string, string>> = { '⁄': '/', '∕': '/', '٫': '.', '٬': ',', '˚': '°' };
const alsoWrittenSigns = new RegExp(`[${Object.keys(alsoWritten).join('')}]`, 'g');

/** What is folded at once: raised and lowered digits, sounds of Korean and Japanese in parts, a sign with its marks. */
const runs =
  /(?<raised>[⁰¹²³⁴-⁹⁺⁻]+)|(?<lowered>[₀-₉]+)|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+|[\uff66-\uff9d][\uff9e\uff9f]|\P{M}\p{M}*|\p{M}+/gsu;

/** NFKC makes an accent that stands alone a space and a mark, and a double prime two. */
const keptAsWritten = /^[\p{Sk}″‴⁗]/u;
/** These powers are words of their own in the files of a language. */
const namedPower = /^[²³]$/;

/** Folds a text. Its time grows with the text and nothing else. */
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
  // Many keyboards have this one and no degree sign: "20 ºC".
  if (run === 'º' && /\d\s?$/.test(before)) return '°';
  if (Object.hasOwn(alsoWritten, run)) return alsoWritten[run] ?? run;
  return keptAsWritten.test(run) ? run : run.normalize('NFKC').replaceAll(alsoWrittenSigns, plainSign);
}

function plainSign(sign: string): string {
  return alsoWritten[sign] ?? sign;
}

/** A power keeps being one: NFKC would make 102 of 10². Before a fraction slash it is the number above it. */
function raised(run: string, next = ''): string {
  if (namedPower.test(run) && !isSlash(next)) return run;
  return `${isSlash(next) ? '' : '^'}${run.normalize('NFKC')}`;
}

function isSlash(sign: string): boolean {
  return alsoWritten[sign] === '/';
}

/** A number written as one sign does not join the digits or letters before it: 1½ is 1 1/2, and 2① is no 21. */
function isApart(run: string, plain: string, before: string): boolean {
  return /^[\p{No}\p{So}]/u.test(run) && /^[\p{L}\p{N}]/u.test(plain) && /[\p{L}\p{Nd}]$/u.test(before);
}
