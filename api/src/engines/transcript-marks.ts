import type { TimedWord } from './stt-transcription.ts';

/**
 * Recognisers mark what is no speech: `[BLANK_AUDIO]`, `(upbeat music)`, `*coughs*`, `♪ la la ♪`, `<|nospeech|>`, `<unk>`, emoji. A mark holds a letter, so
 * that "(555) 123" stays, and does not follow one, so that "f(x)" stays.
 */
const marks = new RegExp(
  [
    String.raw`<\|[^<>]*?\|>`,
    String.raw`<\/?\p{L}[\p{L}\p{N}_-]*>`,
    between(String.raw`\[`, String.raw`\]`),
    between(String.raw`\(`, String.raw`\)`),
    between(String.raw`\{`, String.raw`\}`),
    between('【', '】'),
    between('［', '］'),
    between('（', '）'),
    String.raw`(?<![\p{L}\p{N}*])\*+(?=\p{L})[^*]*(?<=[\p{L}.!])\*+`,
    String.raw`[♩-♬]+[^♩-♬]*(?:[♩-♬]+|$)`,
    String.raw`[\p{Extended_Pictographic}\u{FE0F}\u{200D}]+`,
    String.raw`^\s*>>+`,
  ].join('|'),
  'gu',
);

/** What stands between two brackets. One that a cut-off text leaves open goes to its end. */
function between(open: string, close: string): string {
  const inside = `[^${open}${close}]*`;
  return String.raw`(?<![\p{L}\p{N}])${open}(?=${inside}?\p{L})${inside}(?:${close}|$)`;
}

/** The words alone. Empty where nothing was said. */
export function withoutMarks(text: string): string {
  const words = text.replace(marks, ' ');
  if (words === text) return text.trim();
  return words
    .replace(/\s+/gu, ' ')
    .replace(/^[\s.,;:!?–—-]+/u, '')
    .trim();
}

/** The same of words with times: a mark may be several of them. */
export function wordsWithoutMarks(words: readonly TimedWord[]): TimedWord[] {
  const isMarked = (at: number, spans: readonly (readonly [number, number])[]) =>
    spans.some(([from, to]) => at >= from && at < to);
  const spans = [
    ...words
      .map(({ text }) => text)
      .join(' ')
      .matchAll(marks),
  ].map((mark) => [mark.index, mark.index + mark[0].length] as const);
  let at = 0;
  return words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return !isMarked(from, spans);
  });
}
