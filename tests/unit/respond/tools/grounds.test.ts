import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDurationReader } from '../../../../api/src/respond/durations/duration-reader.ts';
import { createGrammar } from '../../../../api/src/respond/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/respond/language.ts';
import { createNumberReader } from '../../../../api/src/respond/numbers/number-reader.ts';
import { createListReader } from '../../../../api/src/respond/skills/list-words.ts';
import { listsShape } from '../../../../api/src/respond/skills/lists-shape.ts';
import { loadSkill } from '../../../../api/src/respond/skills/skill-language.ts';
import { timersShape } from '../../../../api/src/respond/skills/timers-shape.ts';
import { type Claim, createGrounds } from '../../../../api/src/respond/tools/grounds.ts';
import { loadToolWords } from '../../../../api/src/respond/tools/tool-words.ts';

const { files, ...language } = loadLanguage({
  folder: new URL('../../../../api/languages/en/', import.meta.url),
});
const numbers = createNumberReader(language.numbers);
const grounds = createGrounds({
  words: loadToolWords(files).grounds,
  readWords: createGrammar(language.grammar).readWords,
  numbers,
  durations: createDurationReader(loadSkill(files, 'timers', timersShape).words.durations, numbers),
  lists: createListReader(loadSkill(files, 'lists', listsShape).words),
});

const timer = (minutes: number, text: string | null = null): Claim => ({
  acts: ['timer'],
  durationMs: minutes * 60_000,
  text,
});
const cancel = (text: string | null = null): Claim => ({
  acts: text === null ? ['cancel', 'timer'] : ['cancel'],
  text,
});
const add = (list: string, text: string): Claim => ({ acts: ['add'], list, text });
const take = (list: string, text: string): Claim => ({ acts: ['take'], list, text });
const home = (command: string): Claim => ({ command });

const speech = 'Ask not what your country can do for you, ask what you can do for your country.';

describe('a call', () => {
  test.each<[string, Claim]>([
    ['set a timer for the pasta, nine minutes', timer(9, 'pasta')],
    ['I could do with a timer, half an hour', timer(30)],
    ['an hour and a half on the timer, would you', timer(90)],
    ['let me know after twenty-five minutes', timer(25)],
    ['a 5-minute alarm for the eggs', timer(5, 'egg')],
    ['remind me in 90 seconds about the cakes', timer(1.5, 'cake')],
    ['oh stop that timer', cancel()],
    ['I do not need the pasta timer', cancel('pasta')],
    ['put milk and eggs on the list', add('shopping', 'milk and eggs')],
    ['we need Milk for the groceries', add('shopping', 'milk')],
    ['my todo list should get a call to mum, add it', add('to do', 'call mum')],
    ['stick a tent on the list for camping', add('camping', 'a tent')],
    ['add five eggs to our shopping list', add('shopping', '5 eggs')],
    ['the eggs on the shopping list I bought', take('shopping', 'egg')],
    ['turn off the light in the kitchen', home('turn off the kitchen lights')],
    ['make it twenty one degrees in here', home('make 21 degrees')],
    ['do not turn off the light', home('do not turn off the light')],
  ])('is what was said: %s', (said, claim) => {
    expect(grounds(claim, said)).toBe(true);
  });

  test.each<[string, Claim]>([
    [speech, timer(6)],
    [speech, add('shopping', 'country')],
    [speech, cancel()],
    ['add 5 minutes to my shopping list', add('shopping', 'sholack')],
    ['add 5 minutes to my shopping list', timer(5)],
    ['25', timer(25)],
    ['a timer for 25', timer(25)],
    ['a timer for half an hour', timer(60)],
    ['a timer for an hour and a half', timer(60)],
    ['a timer for twenty five minutes', timer(5)],
    ['a timer for nine minutes', timer(9, 'pasta')],
    ['a timer for the eggs', timer(6, 'eggs')],
    ['the eggs take six minutes', timer(6)],
    ['stop talking', cancel()],
    ['the pasta is ready', cancel('pasta')],
    ['stop the timer', cancel('pasta')],
    ['add flour to the shopping list', add('shopping', 'flour and milk')],
    ['add twenty five eggs to the shopping list', add('shopping', '5 eggs')],
    ['add milk', add('shopping', 'milk')],
    ['add a tent to the camping list', add('shopping', 'tent')],
    ['is there any milk on the shopping list, do you think', add('shopping', 'milk')],
    ['is there any milk on the shopping list, do you think', take('shopping', 'milk')],
    ['it is dark in here', home('turn on the lights')],
    ['is the light on in the kitchen', home('turn on the kitchen light')],
    ['turn off the light in the kitchen', home('turn on the kitchen light')],
    ['turn off the light in the kitchen', home('turn off the light in the hall')],
    ['do not turn off the light', home('turn off the light')],
    ['set the heating to 21', home('set the heating to 25')],
    ['🍺', add('shopping', '🍺')],
  ])('is an idea of the model: %s %j', (said, claim) => {
    expect(grounds(claim, said)).toBe(false);
  });
});

describe('a number that was not said', () => {
  const two = fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }))
    .filter(([one, other]) => one !== other);

  test('grounds no timer', () => {
    fc.assert(
      fc.property(two, fc.constantFrom('seconds', 'minutes', 'hours'), ([said, called], unit) => {
        const ms = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 }[unit];
        const claim: Claim = { acts: ['timer'], durationMs: called * (ms ?? 0) };
        expect(grounds(claim, `set a timer for ${said} ${unit}, please`)).toBe(false);
      }),
    );
  });

  test('grounds no thing and no command', () => {
    fc.assert(
      fc.property(two, ([said, called]) => {
        expect([
          grounds(add('shopping', `${called} eggs`), `add ${said} eggs to the shopping list`),
          grounds(home(`set the lights to ${called}`), `set the lights to ${said}`),
        ]).toEqual([false, false]);
      }),
    );
  });
});
