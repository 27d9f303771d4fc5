/**
 * Recognisers mark non-speech: `[BLANK_AUDIO]`, `(upbeat music)`, `*coughs*`, `♪ la la ♪`,
 * `<|nospeech|>`, `<unk>`, emoji. A mark holds a letter, so "(555) 123" stays. It does not follow a letter,
 * so "f(x)" stays.
 * They also mark the speaker (`SPEAKER_00:`) and the time (`[00:00.000 --> 00:02.000]`).
 */
const marks = new RegExp(
  [
    String.raw`<\|[^<>]*?\|>`,
    String.raw`<\/?\p{L}[\p{L}\p{N}_-]*>`,
    between('[', ']', { mayFollowWord: true }),
    between('(', ')'),
    between('{', '}'),
    between('【', '】', { mayFollowWord: true }),
    between('［', '］', { mayFollowWord: true }),
    between('〔', '〕', { mayFollowWord: true }),
    between('（', '）'),
    String.raw`(?<![\p{L}\p{N}*])\*+(?=\p{L})[^*]*(?<=[\p{L}.!])\*+`,
    String.raw`[♩-♬]+[^♩-♬]*(?:[♩-♬]+|$)`,
    String.raw`[\p{Extended_Pictographic}\u{FE0F}\u{200D}]+`,
    String.raw`^\s*>>+`,
    String.raw`\[[\d:.,]+\s*-->\s*[\d:.,]+\]`,
    String.raw`(?<!\S)\[?(?:SPEAKER|Speaker)[ _]?\d+(?:\]|:)+`,
  ].join('|'),
  'gu',
);

/**
 * Matches text between two brackets, which may be doubled. An open bracket in a cut-off text matches to the
 * end. A round bracket that follows a word, as in "f(x)", is no mark.
 */
function between(opening: string, closing: string, { mayFollowWord = false } = {}): string {
  const [open = '', close = ''] = [opening, closing].map((bracket) =>
    bracket.replace(/[[\](){}]/, String.raw`\$&`),
  );
  const inside = `[^${open}${close}]*`;
  const before = mayFollowWord ? '' : String.raw`(?<![\p{L}\p{N}])`;
  return String.raw`${before}(?:${open}\s*){1,3}(?=${inside}?\p{L})${inside}(?:${close}(?:\s*${close})*|$)`;
}

/** Brackets around a mark: all that is left of "[ (laughs) ]". */
const emptyBrackets = /[[({]\s*[\])}]/gu;

/** The text without marks; empty if nothing was said. */
export function withoutMarks(text: string): string {
  const words = text.replace(marks, ' ');
  if (words === text) return text.trim();
  return words
    .replace(emptyBrackets, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[.,;:!?](?: |$))/gu, '')
    .replace(/^[\s.,;:!?–—-]+/u, '')
    .trim();
}

/** The same for timed words: one mark may span several of them. */
export function wordsWithoutMarks<W extends { text: string }>(words: readonly W[]): W[] {
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
