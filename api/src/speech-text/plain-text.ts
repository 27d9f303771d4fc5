import { type CodeFence, fenceAfter } from './code-fence.ts';
import type { Rule } from './rule.ts';

/** Every pattern here is bounded or excludes its own beginning, so that no hostile text can make it slow. */
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  deg: '°',
  euro: '€',
  pound: '£',
  times: '×',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  hellip: '…',
  ndash: '–',
  mdash: '—',
};

/** Marks at the beginning of a line: quote, heading, bullet, checkbox. */
const lineMarks = /^(?:>|\s|#{1,6}(?=\s)|[-*+•‣▪◦·–—](?=\s)|\[[ xX]\](?=\s))+/;
const rowEdges = /^\||\| ?$/g;
const itemNumber = /^([*_]{0,3}\d{1,3})[.)](?=\s)/;
const definition = /^\s*\[[^\][]{1,60}\]:\s*\S/;
/** Horizontal rules, and the line under a title. */
const looks = /^[\s=*_|:-]+$/;
const openEnd = /[\p{L}\p{N}%°]["'”’»)\]}*_~`\s]*$/u;

interface PlainTextOptions {
  /** Spoken in place of program code. */
  code: string;
  sayAddresses: Rule;
}

/**
 * Returns the words of a Markdown, HTML or LaTeX text in one line. A separate line, such as a heading or a
 * table row, ends like a sentence.
 */
export function plainText(text: string, { code, sayAddresses }: PlainTextOptions): string {
  const lines = readableLines(withoutTags(withoutOddCharacters(text)), code);
  const ended = lines.map((line, index) => {
    const isRow = line.trimStart().startsWith('|');
    if (looks.test(line)) return '';
    const plain = line.replace(lineMarks, '').replace(itemNumber, '$1.').replace(rowEdges, '').trim();
    const isLine = isRow || index < lines.length - 1 || plain !== line.trim() || itemNumber.test(plain);
    return isLine && openEnd.test(plain.slice(-30)) ? `${plain}.` : plain;
  });
  return withoutEmphasis(sayAddresses(withoutLinks(ended.filter(Boolean).join(' '))));
}

/**
 * Letters and digits in another form: bold, full-width, or "㎞" as one character. Other rules handle powers,
 * fractions and degrees.
 */
const otherwiseWritten = /[[\p{L}\p{Nd}\p{No}\p{So}]--[ªº⁰¹²³⁴-⁹₀-₉¼-¾⅐-⅟↉℃℉№℠™]]/gv;

function withoutOddCharacters(text: string): string {
  return (
    text
      // Terminal colour codes.
      .replace(/(?!\s)\p{Cc}\[[\d;]{0,20}[A-Za-z]/gu, '')
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
      // A narrow space between thousands, "1 000", would split the number.
      .replace(/(?<=\d)[\u00A0\u2009\u202F](?=\d{3}(?!\d))/g, '')
      // Emoji with their modifiers and joiners; a keycap number stays a number.
      .replace(/\u20E3/g, '.')
      .replace(/\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/gu, ' ')
      .replace(/\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Variation_Selector}/gu, '')
      .replace(otherwiseWritten, (char) => char.normalize('NFKC'))
      .replace(/[\p{Cc}\p{Zs}]/gu, (char) => (char === '\n' ? char : ' '))
      .replace(/ {2,}/g, ' ')
      .normalize('NFC')
  );
}

function withoutTags(text: string): string {
  return text
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}\d{0,2}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const point = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
      return point >= 32 && point < 0xd800 ? String.fromCodePoint(point) : ' ';
    })
    .replace(/<((?:https?:|mailto:)[^<>\s]{1,300})>/gi, '$1')
    .replace(/<!--[^<>]{0,300}-->/g, ' ')
    .replace(/<(?:br|\/p|\/li|\/h\d|\/tr|\/div)\b[^<>]{0,300}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, '');
}

/** Returns the lines that hold words; one sentence replaces each program. */
function readableLines(text: string, code: string): string[] {
  let fence: CodeFence | null = null;
  return text.split('\n').flatMap((line) => {
    const before = fence;
    fence = fenceAfter(line, before);
    if (before && fence) return fence.isCode ? [] : [line];
    if (fence) return fence.isCode ? [code] : [];
    return before || definition.test(line) ? [] : [line];
  });
}

const latexWords = new Map([
  ['times', '×'],
  ['cdot', '×'],
  ['div', '÷'],
  ['pm', '±'],
  ['approx', '≈'],
  ['le', '≤'],
  ['leq', '≤'],
  ['ge', '≥'],
  ['geq', '≥'],
  ['ne', '≠'],
  ['neq', '≠'],
  ['infty', '∞'],
  ['pi', 'π'],
  ['circ', '°'],
  ['sqrt', '√'],
  ['to', '→'],
  ['rightarrow', '→'],
]);

function withoutLinks(line: string): string {
  return (
    line
      .replace(/\$(?=\\)|(?<=\\[^$]{0,200}[})\w])\$|\\[()[\]]/g, ' ')
      .replace(/\\frac\{([^{}]{1,100})\}\{([^{}]{1,100})\}/g, '$1/$2')
      .replace(/\\([a-z]{2,12})/gi, (_, name: string) => latexWords.get(name) ?? ' ')
      .replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
      // Links and pictures keep their words and lose their addresses, which are useless when spoken.
      .replace(/!(?=\[[^\][]{0,300}\]\()/g, '')
      .replace(/\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?: "[^"]{0,200}")?\)?/g, ']')
      .replace(/\]\[[^\][]{0,60}\]/g, ']')
      .replace(/\[\^?\d{1,3}\]/g, '')
  );
}

function withoutEmphasis(line: string): string {
  return (
    line
      .replace(/ ?\|[ |]*/g, ', ')
      .replace(/\s*[→⇒➜➔•·▪‣] ?/g, ', ')
      // Stars between numbers multiply; all others are formatting.
      .replace(/(?<=\d ?)\*(?= ?\d)/g, '×')
      .replace(/[*`]+|~~+/g, '')
      .replace(/(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu, ' ')
      .replace(/_+/g, '')
      .replace(/(?<![^\s])[:;]-?[)(DP](?![^\s.!?])/g, '')
      .trim()
  );
}
