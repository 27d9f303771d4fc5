import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createRequestReader } from '../../../../api/src/respond/model/requests.ts';
import { loadToolWords } from '../../../../api/src/respond/model/tool-words.ts';
import { type AssumedRequest, createUserEvidence } from '../../../../api/src/respond/model/user-evidence.ts';
import { createListReader } from '../../../../api/src/respond/skills/lists/list-words.ts';
import { listsShape } from '../../../../api/src/respond/skills/lists/lists-shape.ts';
import { timersShape } from '../../../../api/src/respond/skills/timers/timers-shape.ts';

const { files, ...language } = loadLanguage({
  folder: new URL('../../../../api/languages/en/', import.meta.url),
});
const numbers = language.rules.createNumberReader(language.numbers);
const grammar = createGrammar(language.grammar);
const words = loadToolWords(files);
const hasUserEvidence = createUserEvidence({
  words: words.evidence,
  readWords: grammar.readWords,
  requests: createRequestReader(words.askedFor, grammar),
  numbers,
  durations: language.rules.createDurationReader(
    loadSkill(files, 'timers', timersShape).words.durations,
    numbers,
  ),
  lists: createListReader(loadSkill(files, 'lists', listsShape).words),
});

const timer = (minutes: number, text: string | null = null): AssumedRequest => ({
  act: 'timer',
  isOfTimer: true,
  durationMs: minutes * 60_000,
  text,
});
const cancel = (text: string | null = null): AssumedRequest => ({
  act: 'cancel',
  isOfTimer: text === null,
  text,
});
const add = (list: string, text: string): AssumedRequest => ({ act: 'add', list, text });
const take = (list: string, text: string): AssumedRequest => ({ act: 'take', list, text });
const home = (command: string): AssumedRequest => ({ act: 'home', command });

const speech = 'Ask not what your country can do for you, ask what you can do for your country.';

describe('a call', () => {
  test.each<[string, AssumedRequest]>([
    ['set a timer for the pasta, nine minutes', timer(9, 'pasta')],
    ['I could do with a timer, half an hour', timer(30)],
    ['remind me in 90 seconds about the cakes', timer(1.5, 'cake')],
    ['set an alarm for an hour and a half', timer(90)],
    ['let me know in twenty-five minutes', timer(25)],
    ['an alarm for the eggs, five minutes', timer(5, 'egg')],
    ['oh stop that timer', cancel()],
    ['could you please scrap the pasta timer', cancel('pasta')],
    ['write Milk down for the groceries', add('shopping', 'milk')],
    ['remember a call to mum for my todo list', add('to do', 'call mum')],
    ['tick the eggs off the shopping list', take('shopping', 'egg')],
    ['I am cold, turn up the heating', home('turn up the heating')],
    ['It is dark in here. Turn on the light.', home('turn on the light')],
    ['Turn on the light and open the blinds. Thank you!', home('open the blinds')],
    ['set a timer for five minutes, and add milk to the list', add('shopping', 'milk')],
    ['set a timer for five minutes, and add milk to the list', timer(5)],
    ['put milk and eggs on the list', add('shopping', 'milk and eggs')],
    ['stick a tent on the list for camping', add('camping', 'a tent')],
    ['add five eggs to our shopping list', add('shopping', '5 eggs')],
    ['turn off the light in the kitchen', home('turn off the kitchen lights')],
    ['make it twenty one degrees in here', home('make 21 degrees')],
  ])("matches the person's words: %s", (said, assumed) => {
    expect(hasUserEvidence(assumed, said)).toBe(true);
  });

  test.each<[string, AssumedRequest]>([
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
  ])("is the model's own idea: %s %j", (said, assumed) => {
    expect(hasUserEvidence(assumed, said)).toBe(false);
  });

  test.each<[string, AssumedRequest]>([
    ['let me know after twenty-five minutes', timer(25)],
    ['I do not need the pasta timer', cancel('pasta')],
    ['we need milk for the groceries', add('shopping', 'milk')],
    ['the eggs on the shopping list I bought', take('shopping', 'egg')],
    ['do not turn off the light', home('do not turn off the light')],
    ['turn on the light, turn off the heating', home('turn off the heating')],
    ['remind me in ten minutes to turn off the oven', home('turn off the oven')],
    ['add turn on the oven to my todo list', home('turn on the oven')],
    ['turn on the heating if it gets cold', home('turn on the heating')],
    ['it is in the letter, turn on the oven', home('turn on the oven')],
  ])('is asked about if the request is not plain: %s %j', (said, assumed) => {
    expect(hasUserEvidence(assumed, said)).toBe(false);
  });
});

describe('an unspoken number', () => {
  const two = fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }))
    .filter(([one, other]) => one !== other);

  test('is not evidence for a timer', () => {
    fc.assert(
      fc.property(two, fc.constantFrom('seconds', 'minutes', 'hours'), ([said, called], unit) => {
        const ms = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 }[unit];
        const assumed: AssumedRequest = { act: 'timer', isOfTimer: true, durationMs: called * (ms ?? 0) };
        expect(hasUserEvidence(assumed, `set a timer for ${said} ${unit}, please`)).toBe(false);
      }),
    );
  });

  test('is not evidence for a thing or a command', () => {
    fc.assert(
      fc.property(two, ([said, called]) => {
        expect([
          hasUserEvidence(add('shopping', `${called} eggs`), `add ${said} eggs to the shopping list`),
          hasUserEvidence(home(`set the lights to ${called}`), `set the lights to ${said}`),
        ]).toEqual([false, false]);
      }),
    );
  });
});
