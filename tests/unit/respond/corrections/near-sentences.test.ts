import { describe, expect, test } from 'vitest';
import { soundsOf } from '../../../../api/src/language/en/sounds.ts';
import { soundDistance } from '../../../../api/src/language/sound-distance.ts';
import { nearSentences } from '../../../../api/src/respond/corrections/near-sentences.ts';
import {
  phoneticDistance,
  phoneticRoomDistance,
  typedDistance,
} from '../../../../api/src/respond/corrections/near-words.ts';

const distance = (one: string, other: string) => soundDistance(soundsOf(one), soundsOf(other));
const words = ['grams', 'timer', 'lights', 'kitchen', 'list', 'nine'];
const heard = phoneticDistance(soundsOf);
const near = (text: string) =>
  nearSentences(text, {
    sets: [{ words: new Set(words), distance: heard }],
    isCommon: (word) => word === 'light',
  }).map((each) => each.text);

describe('the sound of words', () => {
  test.each([
    ['hole', 'hall'],
    ['bean', 'been'],
    ['know', 'no'],
    ['watt', 'what'],
  ])('%s sounds like %s', (one, other) => {
    expect(distance(one, other)).toBe(0);
  });

  test.each([
    ['grants', 'grams', 'pounds'],
    ['kitten', 'kitchen', 'chicken'],
    ['lice', 'lights', 'lists'],
    ['tumor', 'timer', 'email'],
  ])('%s is nearer to %s than to %s', (said, meant, other) => {
    expect(distance(said, meant)).toBeLessThan(distance(said, other));
    expect(distance(said, meant)).toBe(distance(meant, said));
  });
});

describe('a sentence that was almost recognized', () => {
  test('accepts a known word with an ending after an apostrophe', () => {
    const miles = (text: string) =>
      nearSentences(text, {
        sets: [{ words: new Set(['miles']), distance: heard }],
        isCommon: (word) => word === 'ml',
      });
    expect(miles('How many mls are in a gallon?')).not.toEqual([]);
    expect(miles("How many ml's are in a gallon?")).toEqual([]);
    expect(miles('How many ml’s are in a gallon?')).toEqual([]);
  });

  test('has one word replaced, and keeps the others', () => {
    expect(near('How many grants are in three ounces?')).toEqual(['How many grams are in three ounces?']);
    expect(near('Turn on the kitten lice.')).toEqual([
      'Turn on the kitten lights.',
      'Turn on the kitchen lice.',
      'Turn on the kitten list.',
    ]);
  });

  test.each([
    ['a word that sounds like no other', 'I would like a sandwich'],
    ['a word with another beginning', 'read me my email'],
    ['a word that can be meant itself', 'turn on the lights'],
    ['a word that rules know', 'turn on the light'],
    ['too few words around it', 'kitten lice'],
    ['a whole story', `${'we went on and '.repeat(6)}the kitten slept`],
  ])('is not derived from %s', (_, text) => {
    expect(near(text)).toEqual([]);
  });
});

describe('a room that the house does not have', () => {
  const heardRoom = phoneticRoomDistance(soundsOf);
  const rooms = ['kitchen', 'living', 'room', 'hallway', 'office', 'attic', 'garage'];
  const meant = (text: string) =>
    nearSentences(text, { sets: [{ words: new Set(rooms), distance: heardRoom }], isCommon: () => false })
      .filter(({ text: other }) => other.includes('light'))
      .map((each) => each.meant)[0];

  test.each([
    ['Turn on the olive lights', 'hallway'],
    ['Turn on the carriage light', 'garage'],
    ['turn on the orifice light', 'office'],
  ])('may be another one: %s', (text, room) => {
    expect(meant(text)).toBe(room);
  });

  test('is not one that begins differently', () => {
    expect(heardRoom('patio', 'attic')).toBeNull();
    expect(heardRoom('pool', 'hall')).toBeNull();
  });
});

describe('a typed word', () => {
  test.each([
    ['kitchn', 'kitchen'],
    ['kitcchen', 'kitchen'],
    ['kitchem', 'kitchen'],
    ['kicthen', 'kitchen'],
    ['ilghts', 'lights'],
    ['shoppin', 'shopping'],
  ])('%s is %s with one typo', (said, meant) => {
    expect(typedDistance(said, meant)).toBeLessThan(0.2);
  });

  test.each([
    ['the same', 'lights', 'lights'],
    ['two slips', 'kitchn', 'kitchens'],
    ['another first letter', 'nights', 'lights'],
    ['a short word', 'ten', 'tin'],
    ['another word', 'garden', 'garage'],
  ])('is not another word: %s', (_, said, meant) => {
    expect(typedDistance(said, meant)).toBeNull();
  });
});
