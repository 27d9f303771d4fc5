import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createSentenceSplitter } from '../../../api/src/speech-text/sentence-splitter.ts';

const folder = new URL('../../../api/languages/en/', import.meta.url);
const { speaking } = loadLanguage({ folder });

function split(...deltas: string[]): string[] {
  const splitter = createSentenceSplitter(speaking);
  return [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()];
}

/** The streamed text, and the pieces to speak. */
type Streams = readonly (readonly [string, readonly string[]])[];

const sentences: Streams = [
  ['', []],
  ['   \n\n ', []],
  ['Paris', ['Paris']],
  ['Paris.', ['Paris.']],
  ['It is Paris. It is big.', ['It is Paris.', 'It is big.']],
  ['Really? Yes! Good.', ['Really?', 'Yes!', 'Good.']],
  ['What?! No!! Oh.', ['What?!', 'No!!', 'Oh.']],
  ['It is 3.5 km. Go.', ['It is 3.5 km.', 'Go.']],
  ['Pay 1,000 or 1.000.000 now. Go.', ['Pay 1,000 or 1.000.000 now.', 'Go.']],
  ['Come at 10:30. Go.', ['Come at 10:30.', 'Go.']],
  ['It is 4. Good.', ['It is 4.', 'Good.']],
  ['A big   gap.  Next.', ['A big gap.', 'Next.']],
  ['\u00A0No-break.\u00A0Next.', ['No-break.', 'Next.']],
];

const abbreviations: Streams = [
  ['Ask Dr. Smith. Now.', ['Ask Dr. Smith.', 'Now.']],
  ['Ask Mr. and Mrs. Lee.', ['Ask Mr. and Mrs. Lee.']],
  ['Fruit, e.g. pears. Good.', ['Fruit, e.g. pears.', 'Good.']],
  ['One, i.e. 1. Good.', ['One, i.e. 1.', 'Good.']],
  ['The U.S. Army is big. Yes.', ['The U.S. Army is big.', 'Yes.']],
  ['By J. R. R. Tolkien. Yes.', ['By J. R. R. Tolkien.', 'Yes.']],
  ['So do I. Good.', ['So do I.', 'Good.']],
  ['At 5 a.m. we go. Yes.', ['At 5 a.m. we go.', 'Yes.']],
  ['We go at 5 a.m. Then we eat.', ['We go at 5 a.m.', 'Then we eat.']],
  ['Milk, etc. is in. Yes.', ['Milk, etc. is in.', 'Yes.']],
  ['Milk, etc. Then go.', ['Milk, etc.', 'Then go.']],
  ['Take No. 5. Yes.', ['Take No. 5.', 'Yes.']],
  ['No. I do not.', ['No.', 'I do not.']],
  ['On Jan. 5 we go. In Jan. We go.', ['On Jan. 5 we go.', 'In Jan.', 'We go.']],
  ['Bake 5 min. at most. Eat.', ['Bake 5 min. at most.', 'Eat.']],
  ['Add 1 c. water. Solve for x. Then go.', ['Add 1 c. water.', 'Solve for x.', 'Then go.']],
  ['In the 90s. And now.', ['In the 90s.', 'And now.']],
  ['Is it St. Peter? Yes.', ['Is it St. Peter?', 'Yes.']],
  ['(e.g. pears) or (Dr. Who). Yes.', ['(e.g. pears) or (Dr. Who).', 'Yes.']],
];

const marks: Streams = [
  ['"Yes." Then no.', ['"Yes."', 'Then no.']],
  ['"Really?" she said. Yes.', ['"Really?" she said.', 'Yes.']],
  ['He said “no.” Then he left.', ['He said “no.”', 'Then he left.']],
  ['Good (very good!). Next.', ['Good (very good!).', 'Next.']],
  ['Good. (Very good.) Next.', ['Good.', '(Very good.)', 'Next.']],
  ['Well... maybe. Hmm... Sure.', ['Well... maybe.', 'Hmm...', 'Sure.']],
  ['Let me see… 5… Fine.', ['Let me see…', '5…', 'Fine.']],
  ['**Done.** Next *one!* Yes.', ['**Done.**', 'Next *one!*', 'Yes.']],
  ['**Done. Next.** Yes.', ['**Done.', 'Next.**', 'Yes.']],
  ['Great! 🎉 Go.🎉 Yes.', ['Great!', '🎉 Go.🎉', 'Yes.']],
  ['It is so.[1] It is.', ['It is so.[1]', 'It is.']],
  ['See example.com. Or a.b@c.org. Yes.', ['See example.com.', 'Or a.b@c.org.', 'Yes.']],
  ['See https://x.org/a.b?c=d. Yes.', ['See https://x.org/a.b?c=d.', 'Yes.']],
  ['Use a [link](https://x.org/a.b). Yes.', ['Use a [link](https://x.org/a.b).', 'Yes.']],
  ['今日は。「はい。」元気？はい', ['今日は。', '「はい。」', '元気？', 'はい']],
  ['你好！！再见。', ['你好！！', '再见。']],
];

const lines: Streams = [
  ['One\nTwo\nThree', ['One\n', 'Two\n', 'Three']],
  ['One.\r\nTwo.\r\n', ['One.', 'Two.']],
  ['# Title\n\nText.', ['# Title\n', 'Text.']],
  ['- Milk\n- Bread\n- Eggs', ['- Milk\n', '- Bread\n', '- Eggs']],
  ['1. Mix it. Wait.\n2. Bake it.\n', ['1. Mix it.', 'Wait.', '2. Bake it.']],
  ['1) Mix.\na) Wait.\n', ['1) Mix.', 'a) Wait.']],
  ['Steps: 1. Mix. 2. Bake.', ['Steps: 1. Mix.', '2. Bake.']],
  ['**1. Mix** it.\n', ['**1. Mix** it.']],
  ['| A. b | c |\n|---|---|\n| 1 | 2 |', ['| A. b | c |\n', '| 1 | 2 |']],
  ['One.\n---\n***\n🎉\nTwo.', ['One.', 'Two.']],
  ['So:\n```python\nprint("a. b")\nx = 1\n```\nDone.', ['So:', '```python', 'Done.']],
  ['```\nJust words. More.\n```\nDone.', ['Just words.', 'More.', 'Done.']],
  ['```js\nnever. closed.', ['```js']],
  ['Use ```this. one``` now.\nYes.', ['Use ```this.', 'one``` now.', 'Yes.']],
];

const clauses: Streams = [
  [
    'The capital of France is Paris, which lies on the Seine, a river. It is old, big, and full.',
    ['The capital of France is Paris,', 'which lies on the Seine, a river.', 'It is old, big, and full.'],
  ],
  ['Well, yes, I do think so. Good.', ['Well, yes, I do think so.', 'Good.']],
  ['Here is what you need: milk and eggs.', ['Here is what you need:', 'milk and eggs.']],
  ['Which timer: the tea timer or the egg timer?', ['Which timer:', 'the tea timer or the egg timer?']],
  ['Step 1: boil the water.', ['Step 1: boil the water.']],
  ['The recipe: eggs.', ['The recipe: eggs.']],
  ['I would surely say so – but who knows.', ['I would surely say so –', 'but who knows.']],
  ['I would really say so - but who knows.', ['I would really say so -', 'but who knows.']],
  ['Once upon a time, in a small house.', ['Once upon a time,', 'in a small house.']],
  ['Once upon a time, long ago, it was.', ['Once upon a time, long ago,', 'it was.']],
  ['Nice to meet you, Anna. How are you?', ['Nice to meet you, Anna.', 'How are you?']],
  ['I am well, thank you. And you?', ['I am well, thank you.', 'And you?']],
  ['It costs more than 1,000 euros, or less.', ['It costs more than 1,000 euros,', 'or less.']],
  ['“I would not do that,” he said.', ['“I would not do that,”', 'he said.']],
  ['It is $x^2 - 4ac - 1$ and more.', ['It is $x^2 - 4ac - 1$ and more.']],
  ['# Soup\nIt takes a long time, but it is good.', ['# Soup\n', 'It takes a long time, but it is good.']],
  ['---\nIt takes a long time, but it is good.', ['It takes a long time,', 'but it is good.']],
];

const phrases: Streams = [
  [
    'The old keeper had lived alone on his rock and never missed anybody. He was glad.',
    ['The old keeper had lived alone on his rock', 'and never missed anybody.', 'He was glad.'],
  ],
  // The rest is too short to split.
  [
    'The two in the famous show are called Tom and Jerry.',
    ['The two in the famous show are called Tom and Jerry.'],
  ],
  // Too short to be spoken by itself.
  ['The keeper lived alone and never missed anybody.', ['The keeper lived alone and never missed anybody.']],
  // Only the first piece is urgent.
  [
    'It is so. The old keeper had lived alone on his rock and never missed anybody.',
    ['It is so.', 'The old keeper had lived alone on his rock and never missed anybody.'],
  ],
  [
    'The whole soup has to cook for two and a half hours at least. Stir it.',
    ['The whole soup has to cook for two and a half hours at least.', 'Stir it.'],
  ],
  [
    'The old keeper had lived alone on his [rock and island](https://x.org). Yes.',
    ['The old keeper had lived alone on his [rock and island](https://x.org).', 'Yes.'],
  ],
  [
    'The old keeper had long read **The War and the Peace** there. Yes.',
    ['The old keeper had long read **The War and the Peace** there.', 'Yes.'],
  ],
  [
    'Those who had lived up there for years and years, he said, were gone.',
    ['Those who had lived up there for years and years,', 'he said, were gone.'],
  ],
];

const all: Streams = [...sentences, ...abbreviations, ...marks, ...lines, ...clauses, ...phrases];

describe('a streamed text', () => {
  test.each(all)('%j is spoken as %j', (text, pieces) => {
    expect(split(text)).toEqual(pieces);
  });

  test.each(all)('%j has the same pieces letter by letter', (text, pieces) => {
    expect(split(...text.split(''))).toEqual(pieces);
  });
});

describe('the splitter releases a piece', () => {
  /** The letters before the first piece is complete. */
  function firstAfter(text: string): string {
    const splitter = createSentenceSplitter(speaking);
    const at = [...text].findIndex((letter) => splitter.push(letter).length > 0);
    return text.slice(0, at + 1);
  }

  test.each([
    ['Yes. It is.', 'Yes. '],
    ['Yes.\nIt is.', 'Yes.\n'],
    ['I think you are right, of course.', 'I think you are right, '],
    ['"Yes." It is.', '"Yes." I'],
    ['At 5 a.m. Then.', 'At 5 a.m. T'],
    ['元気。はい', '元気。は'],
    ['- Milk\n- Bread', '- Milk\n'],
    ['Never ending', ''],
  ])('of %j after %j', (text, read) => {
    expect(firstAfter(text)).toBe(read);
  });
});

describe('a text without an end', () => {
  test('is cut at white space', () => {
    const pieces = split('word '.repeat(300));

    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((piece) => piece.length <= 400 && /^(word ?)+$/.test(piece))).toBe(true);
    expect(pieces.join(' ').split(' ').length).toBe(300);
  });

  test('is preferably cut after a comma', () => {
    const [first = ''] = split(`Yes ${'it is '.repeat(40)}still on, ${'it is '.repeat(40)}`);

    expect(first.endsWith('still on,')).toBe(true);
  });

  test('is cut in the middle of a word of 10,000 letters', () => {
    const pieces = split('a'.repeat(10_000));

    expect(pieces.map(({ length }) => length)).toEqual(Array.from({ length: 25 }, () => 400));
  });

  test('keeps the halves of a character together', () => {
    const pieces = split(`x${'𝒜'.repeat(1_000)}`);

    expect(pieces.join('')).toBe(`x${'𝒜'.repeat(1_000)}`);
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
  });

  test('drops the rest of a long address', () => {
    const pieces = split(`See ![it](data:image/png;base64,${'iVBORw0KG'.repeat(1_000)}) there. Good.`);

    expect(pieces.map((piece) => piece.slice(0, 12))).toEqual(['See', '![it](data:i', 'there.', 'Good.']);
  });
});

/** Parts of texts that affect where they are cut. */
const bits = [
  ...[
    'a',
    'I',
    'Word',
    'five words of a clause',
    '5',
    ' ',
    ' ',
    ' ',
    '\n',
    '\r\n',
    '.',
    '. ',
    '!',
    '?',
    '…',
    '...',
    ',',
    ', ',
    ': ',
    ' - ',
    '–',
  ],
  ...[
    '"',
    '”',
    ')',
    '(',
    ']',
    '*',
    '**',
    '_',
    '`',
    '```',
    '```js\n',
    '~~~',
    '|',
    '#',
    '- ',
    '1. ',
    '1) ',
    '🎉',
    '👍🏽',
    '\uD83C',
    '\uDF89',
    '\u0301',
    '日本',
    '。',
    '」',
  ],
  ...[
    'Dr. ',
    'e.g. ',
    'etc. ',
    'a.m. ',
    'No. ',
    'U.S. ',
    'J. ',
    '[1]',
    'https://x.org/',
    '](',
    'x'.repeat(150),
    'on and on '.repeat(30),
  ],
];
const text = fc.array(fc.constantFrom(...bits), { maxLength: 25 }).map((parts) => parts.join(''));

function cut(whole: string, places: number[]): string[] {
  const at = [
    0,
    ...places.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b),
    whole.length,
  ];
  return at.slice(1).map((end, index) => whole.slice(at[index], end));
}

describe('any streamed text', () => {
  test('has the same pieces for any split', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (whole, places) => {
        expect(split(...cut(whole, places))).toEqual(split(whole));
      }),
      { numRuns: 1_000 },
    );
  });

  test('has pieces of at most 400 characters with words to speak', () => {
    fc.assert(
      fc.property(text, (whole) => {
        for (const piece of split(whole)) {
          expect(piece.length).toBeLessThanOrEqual(400);
          expect(piece).toMatch(/[\p{L}\p{N}]/u);
          expect(piece).toMatch(/^\S[^\n]*\S?\n?$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('loses no word of prose', () => {
    const prose = text.map((whole) => whole.replaceAll(/```|~~~|:\/\/|\]\(/g, ''));
    const words = (pieces: string[]) => pieces.join('').replaceAll(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(prose, (whole) => {
        expect(words(split(whole))).toBe(words([whole]));
      }),
      { numRuns: 1_000 },
    );
  });
});
