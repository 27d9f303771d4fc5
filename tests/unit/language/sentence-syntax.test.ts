import { describe, expect, test } from 'vitest';
import { createGrammar, type GrammarData } from '../../../api/src/language/grammar/grammar.ts';
import { createList, listSchema } from '../../../api/src/language/grammar/lists.ts';
import { createTemplateParser } from '../../../api/src/language/grammar/template.ts';
import { createWordReader, textOf } from '../../../api/src/language/grammar/words.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';

/*
 * The syntax that our sentences share with hassil, the matcher of Home Assistant.
 * tests/integration/community-sentences.test.ts compares both on sentences of many languages.
 */

const { grammar: english } = loadLanguage({
  folder: new URL('../../../api/languages/en/', import.meta.url),
});

const lists = {
  thing: { wildcard: true },
  colour: {
    values: [
      { in: '(rot|rote)', out: 'red' },
      { in: 'blau[grün]', out: 'teal' },
      { in: 'rot violett', out: 'mauve' },
    ],
  },
  place: { values: ['küche', 'bad', 'wohn zimmer', '台所'] },
  percent: { range: { from: 0, to: 100, step: 5 } },
  degrees: { range: { from: -20, to: 40, fractions: 'halves' } },
};

/** Returns the sentence that a text matches, and the contents of its slots. */
function understanding(sentences: readonly string[], more: Partial<GrammarData> = {}) {
  const parsed = Object.entries(lists).map(([name, list]) => [name, listSchema.parse(list)]);
  const grammar = createGrammar({
    ...english,
    shared: [],
    rules: { on: '(an|ein)', make: 'mach[e|t]' },
    lists: Object.fromEntries(parsed),
    before: [],
    after: [],
    asides: [],
    answers: [],
    ...more,
  });
  const matcher = grammar.matcher({
    sentences: sentences.map((text) => ({ text, place: 'here' })),
    slotTypes: {},
  });
  return (text: string) => {
    const match = matcher.match(grammar.readWords(text));
    if (!match) return null;
    const slots = [...match.slots].map(([name, words]) => [name, textOf(text, words)]);
    return [match.sentence, Object.fromEntries(slots)];
  };
}

describe('text without a space between', () => {
  test.each([
    ['Stunde[n]', ['Stunde', 'Stunden'], ['Stunde n', 'Stund']],
    ['(be|auf)heizen', ['beheizen', 'aufheizen'], ['heizen', 'be heizen', 'beaufheizen']],
    ['ein[ ]ein[ ]halb', ['einein halb', 'ein einhalb', 'eineinhalb', 'ein ein halb'], ['einhalb']],
    [
      '[den ]Timer[ (auf|für)] zehn',
      ['den Timer zehn', 'Timer für zehn'],
      ['denTimer zehn', 'Timerauf zehn'],
    ],
    ['de<make>', ['demach', 'demache', 'demacht'], ['de mach']],
    ['licht<on>[ ]schalten', ['lichtan schalten', 'lichteinschalten'], ['licht an schalten']],
    ['[fernseh]sendung', ['Sendung', 'Fernsehsendung', 'Fernseh-Sendung'].slice(0, 2), ['Fernseh Sendung']],
    ['air-condition[er|ing]', ['air conditioner', 'air-conditioning', 'Air-Condition'], ['air conditions']],
    ['l\\[x\\] (a|b)', ['l x b'], ['l b']],
  ])('in %j is one word', (sentence, said, others) => {
    const match = understanding([sentence]);

    for (const text of said) expect([text, match(text)]).toEqual([text, [0, {}]]);
    for (const text of others) expect([text, match(text)]).toEqual([text, null]);
  });

  test.each([
    ['{place}s', 'Küches', { place: 'Küche' }],
    ['{place}[s]liste', 'Wohn Zimmersliste', { place: 'Wohn Zimmer' }],
    ['{place}[s]liste', 'badliste', { place: 'bad' }],
    ['super{place}', 'superbad', { place: 'bad' }],
    ['{thing}liste bitte', 'die Einkaufsliste bitte', { thing: 'die Einkaufs' }],
    ['{percent}%', '50 %', { percent: '50' }],
    ['{percent}h', '50h', { percent: '50' }],
  ])('next to a slot is not part of its value: %s', (sentence, text, slots) => {
    expect(understanding([sentence])(text)).toEqual([0, slots]);
  });

  test.each([
    ['{place}s', 'küche'],
    ['{place}s', 'bad s'],
    ['{place}s', 's'],
    ['{thing}liste', 'liste'],
    ['super{place}', 'super bad'],
  ])('next to a slot is required: %s is not %j', (sentence, text) => {
    expect(understanding([sentence])(text)).toBeNull();
  });

  test('may have many forms, up to a limit', () => {
    const endless = Array.from({ length: 14 }, (_each, at) => `[${String.fromCharCode(97 + at)}]`).join('');

    expect(() => understanding([endless])('abc')).toThrow('a word with too many forms');
  });
});

describe('parts in any order', () => {
  const match = understanding(['mach (das licht;[sofort];{colour}) an']);

  test.each([
    ['mach das licht sofort rot an', [0, { colour: 'rot' }]],
    ['mach rot sofort das licht an', [0, { colour: 'rot' }]],
    ['mach blaugrün das licht an', [0, { colour: 'blaugrün' }]],
    ['mach das licht an', null],
    ['mach rot rot das licht an', null],
    ['mach das rot licht an', null],
  ])('are all required: %s', (text, expected) => {
    expect(match(text)).toEqual(expected);
  });
});

describe('a sentence', () => {
  test('may have alternatives without brackets', () => {
    const match = understanding(['guten morgen|moin [moin]']);

    expect([match('guten morgen'), match('Moin, moin!'), match('guten moin')]).toEqual([
      [0, {}],
      [0, {}],
      null,
    ]);
  });

  test('ignores the words without meaning', () => {
    const match = understanding(['spiel {thing} in der {place}', 'mach licht an'], {
      skip_words: ['kannst du', 'mal', 'bitte'],
    });

    expect(match('Kannst du mal bitte licht an')).toBeNull();
    expect(match('Kannst du bitte mach mal Licht bitte an')).toEqual([1, {}]);
    expect(match('spiel bitte Bach in der Küche, bitte')).toEqual([0, { thing: 'Bach', place: 'Küche' }]);
    expect(match('kannst mach licht an')).toBeNull();
  });

  test('with an unknown list is refused', () => {
    expect(() => understanding(['mach {farbe} an'])).toThrow('there is no list {farbe}');
  });

  test('with the slot before its list shows its notation', () => {
    expect(() => understanding(['mach {hue:colour} an'])).toThrow(
      'there is no list {hue}: a list comes before its slot, {colour:hue}',
    );
  });

  test('accepts a range without a name', () => {
    const match = understanding(['auf {10..90,10:level} grad']);

    expect(match('auf 30 Grad')).toEqual([0, { level: '30' }]);
    expect([match('auf 35 Grad'), match('auf 100 Grad'), match('auf 30.5 Grad')]).toEqual([null, null, null]);
  });
});

describe('a list', () => {
  const readWords = createWordReader({ spellings: {}, fillers: [], abbreviations: [] });
  const valueIn = (list: unknown, text: string) =>
    createList(listSchema.parse(list), { parse: createTemplateParser({ rules: {} }), readWords }).valueOf(
      readWords(text),
    );

  test.each([
    [lists.colour, 'Rote', 'red'],
    [lists.colour, 'rot violett', 'mauve'],
    [lists.colour, 'blau grün', null],
    [lists.place, 'Bad', 'bad'],
    [lists.thing, 'Frische Eier', 'frische eier'],
    [lists.percent, '35', 35],
    [lists.percent, '33', null],
    [lists.percent, '105', null],
    [lists.degrees, '-5', -5],
    [lists.degrees, '20,5', 20.5],
    [lists.degrees, '20.3', null],
    [{ range: { from: 0, to: 10, multiplier: -1 } }, '4', -4],
    [lists.percent, '', null],
    [lists.colour, '', null],
  ])('%j maps %j to the value %j', (list, text, value) => {
    expect(valueIn(list, text)).toBe(value);
  });

  test.each([
    [{ range: { from: 5, to: 1 } }, 'a range ends before it begins'],
    [{ range: { from: 0, to: 1, step: 0 } }, 'Too small'],
    [{ values: [''] }, 'Invalid input'],
    [{ wildcard: false }, 'Invalid input'],
  ])('with the syntax %j is refused', (list, message) => {
    expect(() => listSchema.parse(list)).toThrow(message);
  });

  test('whose value contains a slot is refused with its name', () => {
    const bad = { lists: { hue: listSchema.parse({ values: ['{place} rot'] }) } };

    expect(() => understanding(['mach {hue}'], bad)).toThrow('lists.hue: a value of a list has a slot');
  });
});

describe('other notations', () => {
  test.each([
    ['letters with marks of their own', 'ku\u0308che', 'in der KU\u0308CHE', 'in der {place}'],
    ['digits of other scripts', '٣٥', '٣٥ نسبة', '{percent} نسبة'],
    ['wide digits', '３５', '３５ %', '{percent} %'],
    ['no spaces', '台所', '台所の電気をつけて', '{place}[の]電気[を](つけて|消して)'],
    ['no spaces, and a pause', '台所', '台所 の、電気 消して。', '{place}[の]電気[を](つけて|消して)'],
  ])('are read: %s', (_name, slot, text, sentence) => {
    const [, slots] = understanding([sentence])(text) ?? [];

    expect(Object.values(slots ?? {}).map((each) => String(each).toLowerCase())).toEqual([slot]);
  });

  test('keep diacritics with their letters', () => {
    const match = understanding(['ท[ั]ง', 'הַדְלֵק אור']);

    expect([match('ทง'), match('ทัง'), match('הַדְלֵק\u200f אור'), match('הדלק אור')]).toEqual([
      [0, {}],
      [0, {}],
      [1, {}],
      null,
    ]);
  });

  test('end a word at an apostrophe if the language elides', () => {
    const sentence = ["[l'] entrée", "aujourd'hui"];
    const text = ['L’entrée', "l' entrée", "aujourd'hui"];

    expect(text.map(understanding(sentence, { elides: true }))).toEqual([
      [0, {}],
      [0, {}],
      [1, {}],
    ]);
    expect(text.map(understanding(sentence))).toEqual([null, [0, {}], [1, {}]]);
  });

  test('of two thousand letters are read, and refused, at once', () => {
    const match = understanding(['{thing}liste {thing:other} (a|b)', 'das {thing} [x]']);

    expect(match(`${'n'.repeat(2_000)}`)).toBeNull();
    expect(match(`das ${'お'.repeat(2_000)}`)?.[0]).toBe(1);
    expect(match(`${'\u0301'.repeat(2_000)} liste`)).toBeNull();
  });
});
