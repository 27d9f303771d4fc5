import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { loadSkill } from '../../../api/src/respond/core/skill-language.ts';
import { timersShape } from '../../../api/src/respond/skills/timers/timers-shape.ts';

const language = loadLanguage({ folder: new URL('../../../api/languages/en/', import.meta.url) });
const { words } = loadSkill(language.files, 'timers', timersShape);
const { readWords } = createGrammar(language.grammar);
const { rules } = language;
const reader = rules.createDurationReader(words.durations, rules.createNumberReader(language.numbers));

/** The seconds of a duration if all words belong to it, otherwise null. */
function seconds(text: string): number | null {
  const said = readWords(text);
  const found = reader.read(said, 0);
  return found?.end === said.length ? found.value.ms / 1_000 : null;
}

describe('a duration', () => {
  test.each([
    ['five minutes', 300],
    ['5 min', 300],
    ['5-minute', 300],
    ['1:30:00', 5_400],
    ['1:30 hours', 5_400],
    ['2:30 minutes', 150],
    ['1:30', null],
    [`5'30"`, 330],
    ['25 minutes', 1_500],
    ['twenty-five minutes', 1_500],
    ['a minute', 60],
    ['an hour and a half', 5_400],
    ['one and a half hours', 5_400],
    ['1.5 hours', 5_400],
    ['2½ minutes', 150],
    ['1⅓ hours', 4_800],
    ['.75 hours', 2_700],
    ['point five hours', 1_800],
    ['1 and a 1/2 hours', 5_400],
    ['1 and a ½ hours', 5_400],
    ['１５ minutes', 900],
    ['5 ± 1 minutes', null],
    ['5·5 minutes', null],
    ['two and a half minutes', 150],
    ['a minute and a quarter', 75],
    ['half an hour', 1_800],
    ['half a minute', 30],
    ['a quarter of an hour', 900],
    ['three quarters of an hour', 2_700],
    ['1 hour 20', 4_800],
    ['one hour twenty minutes', 4_800],
    ['an hour and five minutes', 3_900],
    ['2 hours, 5 minutes and 10 seconds', 7_510],
    ['a couple of hours', 7_200],
    ['ninety seconds', 90],
    ['two days', 172_800],
    ['a week', 604_800],
    ['five more minutes', 300],
    ['another five minutes', 300],
    ['another minute', 60],
    ['five minutes longer', 300],
    ['2 minutes 15', 135],
    ['two minutes thirty', 150],
    ['an hour and fifteen', 4_500],
    ['quarter of an hour', 900],
    ['three quarter of an hour', 2_700],
    ['an hour two minutes 30', 3_750],
    ['5 minutes, no, 10 minutes', 600],
    ['5, no, 10 minutes', 600],
    ['five, sorry, ten minutes', 600],
    ['5 minutes, sorry, 10', 600],
    ['five minutes, no wait, make that ten', 600],
    ['an hour, I mean half an hour', 1_800],
    ['15, sorry, a 20-minute', 1_200],
    ['an hour or so', 3_600],
    ['zero minutes', 0],
    ['minus five minutes', -300],
    ['five', null],
    ['minutes', null],
    ['banana minutes', null],
    ['five minutes and', null],
    ['five minutes and two hours', null],
    ['an hour and 75', null],
    ['five minutes and a banana', null],
    ['five minutes and 10', null],
    ['quarter', null],
    ['2 minutes 75', null],
    ['2 minutes, 15', null],
    ['10 seconds 15', null],
    ['five minutes, no', null],
    ['five minutes, no, banana', null],
    ['five, no, ten', null],
    ['no, ten minutes', null],
  ])('of %s', (text, expected) => {
    expect(seconds(text)).toBe(expected);
  });

  test('of whole days ends at the same time of day, any other does not', () => {
    const days = (text: string) => reader.read(readWords(text), 0)?.value.days;

    expect(['two days', 'a week', 'two and a half days', 'a day and an hour', '48 hours'].map(days)).toEqual([
      2,
      7,
      null,
      null,
      null,
    ]);
  });

  test('keeps its value in any wording', () => {
    const count = fc.integer({ min: 1, max: 59 });
    fc.assert(
      fc.property(count, count, count, (hours, minutes, rest) => {
        const text = `${hours} hours, ${minutes} minutes and ${rest} seconds`;
        expect(seconds(text)).toBe(hours * 3_600 + minutes * 60 + rest);
      }),
    );
  });
});
