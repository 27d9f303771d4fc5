import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAutomaton } from '../../../api/src/language/grammar/automaton.ts';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { createMatcher } from '../../../api/src/language/grammar/matcher.ts';
import { createTemplateParser } from '../../../api/src/language/grammar/template.ts';
import type { SlotType } from '../../../api/src/language/grammar/walk.ts';
import { createWordReader, textOf, type Word } from '../../../api/src/language/grammar/words.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';

const readWords = createWordReader({
  spellings: { "what's": 'what is', '½': '1 / 2' },
  fillers: ['um', 'uh'],
  abbreviations: [],
});
const spelled = (text: string) => readWords(text).map(({ word }) => word);

const number: SlotType = {
  ends: (words: readonly Word[], from: number) => (/^\d+$/.test(words[from]?.word ?? '') ? [from + 1] : []),
};
const slotTypes = {
  number,
  text: { isOpen: true, costPerWord: 1 },
  name: { isOpen: true, costPerWord: 2 },
} as const;

function grammar(...sentences: string[]) {
  const rules = { list: '(the|my) {name} list', politely: 'could you [please]' };
  const parse = createTemplateParser({ rules });
  const states = createAutomaton(sentences.map(parse), { readWords });
  const matcher = createMatcher({
    automaton: { states: () => states },
    before: ['hey [hearth]', '<politely>', 'please'].map(parse),
    after: ['please', 'thanks', 'thank you'].map(parse),
    asides: ['i am cold'].map(parse),
    afterAsides: new Set(['turn']),
    answers: ['(yes|no)'].map(parse),
    readWords,
    slotTypes,
  });
  return {
    isBegun: (text: string) => matcher.isBegun(readWords(text)),
    mayBeBegun: (text: string) => matcher.mayBeBegun(readWords(text)),
    /** The number of the sentence and its slots in the original words; null if none matches. */
    match(text: string) {
      const found = matcher.match(readWords(text));
      if (!found) return null;
      const slots = [...found.slots].map(([name, words]) => [name, textOf(text, words)]);
      return { sentence: found.sentence, ...Object.fromEntries(slots) };
    },
  };
}

describe('words', () => {
  test.each([
    ["What's the TIME?", ['what', 'is', 'the', 'time']],
    ['What’s up', ['what', 'is', 'up']],
    ['Um, twenty-five, uh, please.', ['twenty', 'five', 'please']],
    ['7x8', ['7', 'x', '8']],
    ['2+2 = 4', ['2', '+', '2', '=', '4']],
    ['5 - 3 and 5-3', ['5', '-', '3', 'and', '5', '-', '3']],
    ['minus −5', ['minus', '-', '5']],
    ['a 10-minute timer', ['a', '10', 'minute', 'timer']],
    ['covid-19', ['covid', '19']],
    ['1,000.5 at 7:30.', ['1,000.5', 'at', '7:30']],
    ['5kg', ['5', 'kg']],
    ['3½', ['3', '1', '/', '2']],
    ['<b>milk</b>', ['<', 'b', '>', 'milk', '<', '/', 'b', '>']],
    ['5㎞ at 20 ºC', ['5', 'km', 'at', '20', '°', 'c']],
    ['5′30″', ['5', '′', '30', '″']],
    ['ｆｕｌｌ　width', ['full', 'width']],
    ['ﬁve', ['five']],
    ['add 🍞 and milk 🥛', ['add', '🍞', 'and', 'milk']],
    ['Thanks ❤️', ['thanks']],
    ['a "timer" (for 5)', ['a', 'timer', 'for', '5']],
    ['Käse und Äpfel', ['käse', 'und', 'äpfel']],
    ['', []],
    ['... !?', []],
  ])('of %j are separated', (text, words) => {
    expect(spelled(text)).toEqual(words);
  });

  test('know their separators', () => {
    const gaps = readWords('Milk, um, eggs. And v1.2, no').map(({ word, gap }) => `${gap}${word}`);

    expect(gaps).toEqual(['milk', ',eggs', '.and', 'v', '1.2', ',no']);
  });

  test('know their original text', () => {
    const text = 'Add some Crème-Fraîche & 5kg flour!';

    expect(textOf(text, readWords(text).slice(2, 7))).toBe('Crème-Fraîche & 5kg');
  });

  test('know their original text in any encoding', () => {
    const text = 'Add １½ ㎏ ﬁne ﬂour';

    expect(readWords(text).map((word) => textOf(text, [word]))).toEqual([
      'Add',
      '１',
      '½',
      '½',
      '½',
      '㎏',
      'ﬁne',
      'ﬂour',
    ]);
  });
});

describe('a sentence', () => {
  test('is recognized with and without its optional words', () => {
    const { match } = grammar('what time is it [now]', 'tell me (the|a) (time|date)');

    expect(match('What time is it?')).toEqual({ sentence: 0 });
    expect(match('what time is it now')).toEqual({ sentence: 0 });
    expect(match('Tell me the date.')).toEqual({ sentence: 1 });
    expect(match('tell me time')).toBeNull();
    expect(match('what time is it in the morning')).toBeNull();
    expect(match('so what time is it')).toBeNull();
    expect(match('')).toBeNull();
  });

  test('may be wrapped in polite phrases, any number of times', () => {
    const { match } = grammar('stop');

    expect(match('Hey Hearth, could you please, um, stop, please? Thank you. Thanks!')).toEqual({
      sentence: 0,
    });
    expect(match('please')).toBeNull();
    expect(match('hey hearth thanks')).toBeNull();
  });

  test.each([
    ['I am cold, close the door.', { sentence: 0 }],
    ['Close the door, I am cold.', { sentence: 0 }],
    ['Hey, I am cold, please close the door.', { sentence: 0 }],
    ['I am cold close the door', null],
    ['close the door I am cold', null],
    // A verb after it ends it as well as a pause does.
    ['I am cold turn on the heating', { sentence: 1 }],
    ['no turn on the heating', { sentence: 1 }],
  ])('may have its reason beside it after a pause: %s', (text, found) => {
    expect(grammar('close the door', 'turn on the heating').match(text)).toEqual(found);
  });

  test('may follow an answer after a pause, but not elsewhere', () => {
    const { match } = grammar('lights on');

    expect(match('No, lights on.')).toEqual({ sentence: 0 });
    expect(match('No lights on.')).toBeNull();
    expect(match('Lights on, no.')).toBeNull();
  });

  test('matches the template with more of its words', () => {
    const { match } = grammar('no', '(great|fine)', 'no (thanks|please)');

    expect(match('No, thanks.')).toEqual({ sentence: 2 });
  });

  test('fills its slots with the spoken words', () => {
    const { match } = grammar('add {text} to <list>');

    expect(match('Please add Oat-Milk, eggs and bread to my Shopping list, thanks.')).toEqual({
      sentence: 0,
      text: 'Oat-Milk, eggs and bread',
      name: 'Shopping',
    });
  });

  test('with two slots for any words gives the more expensive one the fewest words', () => {
    const { match } = grammar('add {text} to <list>');

    expect(match('add a letter to my aunt to my to do list')).toEqual({
      sentence: 0,
      text: 'a letter to my aunt',
      name: 'to do',
    });
  });

  test('leaves polite phrases out of its last slot', () => {
    const { match } = grammar('remember {text}');

    expect(match('remember the milk please')).toEqual({ sentence: 0, text: 'the milk' });
    expect(match('remember please')).toEqual({ sentence: 0, text: 'please' });
  });

  test('does not extend into the next one', () => {
    const { match } = grammar('add {text} to <list>');

    expect(match('Add milk. What is next to my shopping list')).toBeNull();
  });

  test('matches the more certain of two templates', () => {
    const { match } = grammar('wait {text}', 'wait {number} minutes', 'wait [{number}] minutes');

    expect(match('wait 5 minutes')).toEqual({ sentence: 1, number: '5' });
    expect(match('wait minutes')).toEqual({ sentence: 2 });
    expect(match('wait for it')).toEqual({ sentence: 0, text: 'for it' });
  });

  test.each([
    ['add', true],
    ['add eggs', false],
    ['add eggs to', true],
    ['add eggs to my shopping', false],
    ['add eggs to my shopping list', false],
    ['set a timer for', true],
    ['what a day', false],
    ['', false],
  ])('that begins with %j continues: %s', (text, expected) => {
    const { isBegun } = grammar('add {text} to <list>', 'set a timer for {number} minutes');

    expect(isBegun(text)).toBe(expected);
  });

  test.each([
    ['add', false],
    ['add eggs', true],
    ['add eggs to', true],
    ['what a day', false],
    ['', false],
  ])('that begins with %j may continue: %s', (text, expected) => {
    const { mayBeBegun } = grammar('add {text} to <list>', '{text} is what I mean');

    expect(mayBeBegun(text)).toBe(expected);
  });
});

describe('a template', () => {
  test.each([
    ['a (b', '"(" without ")"'],
    ['a [b', '"[" without "]"'],
    ['a b]', '"]" out of place'],
    ['a (b | c; d)', '"|" and ";" in one group'],
    ['(a;b;c;d;e;f;g)', 'more than 6 parts in any order'],
    ['a \\', 'a backslash with nothing behind it'],
    [`${'('.repeat(40)}a${')'.repeat(40)}`, 'too many groups within each other'],
    ['a {b', '"{" without "}"'],
    ['a {b c}', '{b c} is not the name of a slot'],
    ['a <nothing>', 'there is no rule <nothing>'],
    ['a >', '">" out of place'],
  ])('with the syntax %j is refused', (text, message) => {
    expect(() => createTemplateParser({ rules: {} })(text)).toThrow(message);
  });

  test('with circular rules is refused', () => {
    const rules = { one: 'a <two>', two: 'b [<one>]' };

    expect(() => createTemplateParser({ rules })('<one>')).toThrow('the rule <one> holds itself');
  });
});

describe('a rule shared by many sentences', () => {
  const { grammar: english } = loadLanguage({
    folder: new URL('../../../api/languages/en/', import.meta.url),
  });
  const rules = { nowadays: '[right] now', soon: '[quite soon]', list: 'the {name} list' };
  const matcher = (shared: string[]) =>
    createGrammar({ ...english, rules: { ...english.rules, ...rules }, shared }).matcher({
      sentences: ['it rains <nowadays>', 'it snows <soon> again'].map((text) => ({ text, place: 'here' })),
      slotTypes,
    });

  test.each([[[]], [['nowadays', 'soon']]])('means the same with %j shared', (shared) => {
    const { match } = matcher(shared);
    const sentenceOf = (text: string) => match(readWords(text))?.sentence ?? null;

    expect(sentenceOf('it rains right now')).toBe(0);
    expect(sentenceOf('it rains now')).toBe(0);
    expect(sentenceOf('it rains')).toBeNull();
    expect(sentenceOf('it rains right')).toBeNull();
    expect(sentenceOf('it snows quite soon again')).toBe(1);
    expect(sentenceOf('it snows again')).toBe(1);
  });

  test('has no slots', () => {
    expect(() => matcher(['list'])).toThrow('the rule "list" has a slot');
  });
});

describe('parsing a sentence', () => {
  test('takes steps in proportion to its length, however ambiguous it is', () => {
    let steps = 0;
    const counted: SlotType = {
      ends: (words, from) => {
        steps += 1;
        return [1, 2, 3].map((length) => from + length).filter((end) => end <= words.length);
      },
    };
    const templates = [
      '{text} to {counted} {text} list',
      '[a] [a] {text} {counted} [a] [a] {counted} {name} list',
    ];
    const states = createAutomaton(templates.map(createTemplateParser({ rules: {} })), { readWords });
    const matcher = createMatcher({
      automaton: { states: () => states },
      before: [],
      after: [],
      readWords,
      slotTypes: { ...slotTypes, counted },
    });
    const stepsFor = (words: number) => {
      steps = 0;
      matcher.match(readWords('to a a list '.repeat(words / 4)));
      return steps;
    };

    expect(stepsFor(2_880)).toBeLessThan(12 * stepsFor(288));
  });

  test('never fails, for any text', () => {
    const { match, isBegun } = grammar('add {text} to <list>', 'wait {number} minutes');

    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        match(text);
        isBegun(text);
      }),
      { numRuns: 30 },
    );
  });

  test('gives up on absurd sentences', () => {
    const { match } = grammar('add {text} to <list>');

    expect(match(`add ${'milk '.repeat(3_000)} to my shopping list`)).toBeNull();
  });
});

describe('a full stop', () => {
  const shortened = createWordReader({ spellings: {}, fillers: [], abbreviations: ['dr'] });
  const gaps = (text: string) => shortened(text).map(({ gap }) => gap);

  test('after an abbreviation ends no sentence', () => {
    expect(gaps('Call Dr. Smith. Dr.Brown, too')).toEqual(['', '', '', '.', '', ',']);
  });

  test('inside an abbreviation of letters ends no sentence', () => {
    expect(gaps('At 7 a.m. on Friday')).toEqual(['', '', '', '', '', '']);
    expect(gaps('At 7 a.m. Yes')).toEqual(['', '', '', '', '.']);
    expect(gaps('In plan b. Yes, in b. or c')).toEqual(['', '', '', '.', ',', '', '.', '']);
  });

  test('after any other word ends one, as other marks do', () => {
    expect(gaps('Call me. Dr? Yes')).toEqual(['', '', '.', '.']);
  });
});

test('reads the sentences of a matcher once while it is in use', () => {
  const { grammar: data } = loadLanguage({ folder: new URL('../../../api/languages/en/', import.meta.url) });
  const read: string[] = [];
  const matcherOf = (text: string) =>
    createGrammar(data).matcher({
      sentences: [
        {
          text,
          get place() {
            read.push(text);
            return 'test';
          },
        },
      ],
      slotTypes,
    });

  const kept = matcherOf('pop {text} in the basket');
  const others = Array.from({ length: 20 }, (_, number) => matcherOf(`pop {text} in basket ${number}`));
  const again = matcherOf('pop {text} in the basket');

  expect(read).toHaveLength(21);
  const words = readWords('pop eggs in the basket');
  expect(
    [kept, again, ...others].map((matcher) => matcher.match(words) !== null).filter(Boolean),
  ).toHaveLength(2);
});
