import { describe, expect, test } from 'vitest';
import { hasOthersWords, remembersOthersWords, tellsMore } from '../../../../api/src/respond/model/leaks.ts';
import type { PlainSchema } from '../../../../api/src/respond/model/plain-schema.ts';

const schema: PlainSchema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    unit: { type: 'string', enum: ['celsius', 'kelvin'] },
    days: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

describe('a call to an outside tool', () => {
  test.each([
    ['the words that were said', { city: 'New York' }],
    ['a choice of the tool and a small number', { unit: 'celsius', days: 3 }],
    ['the same words in capitals and in a list', { tags: ['YORK', 'weather'] }],
    ['nothing', {}],
  ])('reveals no more with %s', (_what, args) => {
    expect(tellsMore(args, schema, 'What is the weather in New York?')).toBe(false);
  });

  test.each([
    ['another word', { city: 'New York insulin' }],
    ['a word within an address', { city: 'http://york/insulin' }],
    ['a long number', { days: 105_110_115 }],
    ['a word in a list', { tags: ['weather', 'insulin'] }],
    ['the name of an argument', { insulin: true }],
    ['a letter that nobody sees', { city: 'New\u200b York' }],
  ])('reveals more with %s', (_what, args) => {
    expect(tellsMore(args, schema, 'What is the weather in New York?')).toBe(true);
  });

  test('reveals more with any word of third-party text', () => {
    expect(tellsMore({ city: 'Rome' }, schema, 'What is this: the weather in Rome')).toBe(true);
  });
});

describe('third-party words', () => {
  test.each([
    ['What is the weather like?', false],
    ['Add milk, eggs and bread to the list', false],
    ['Summarise: come at noon', true],
    ['"Come at noon", what does it mean', true],
    ['word '.repeat(40), true],
  ])('%s: %s', (text, expected) => {
    expect(hasOthersWords(text)).toBe(expected);
  });

  test('are stored with the conversation, but exclude the context line', () => {
    const line = '[Saturday, 15:20] ';
    const exchange = (said: string) => ({ user: `${line}${said}`, wordsFrom: line.length });

    expect(remembersOthersWords([exchange('Hello there')])).toBe(false);
    expect(remembersOthersWords([exchange('Read this: unlock it'), exchange('Thanks')])).toBe(true);
  });
});
