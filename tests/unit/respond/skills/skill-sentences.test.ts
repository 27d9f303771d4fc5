import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { englishSkills, household as others, remarks, speakerSentences } from '../../../support/skills.ts';
import { timerSentences } from '../../../support/timer-sentences.ts';

/** Understanding needs no Redis: this client is never connected. */
const redis = new Redis({ lazyConnect: true });
const { responder, skills } = englishSkills(redis);

const household = [...others, ...timerSentences, ...speakerSentences.own];

const understood = (text: string) => {
  const found = responder.understood(text);
  return found && `${found.skill}.${found.intent}`;
};

describe('sentences that people say to the skills', () => {
  // Both read thousands of sentences.
  test('are all understood, except for one that depends on the running timers', { timeout: 120_000 }, () => {
    const missed = household.filter(({ intent, text }) => understood(text) !== intent);

    expect(household.length).toBeGreaterThanOrEqual(850);
    expect(missed.map(({ text }) => text)).toEqual(['Cancel the pasta.']);
  });

  test('are never taken for another action', { timeout: 120_000 }, () => {
    const wrong = household.filter(({ intent, text }) => {
      const found = responder.understood(text);
      const known = skills.find(({ name }) => name === found?.skill)?.intents[found?.intent ?? ''];
      return known !== undefined && known.effect !== 'none' && understood(text) !== intent;
    });

    expect(wrong).toEqual([]);
  });

  test('cover each intent', () => {
    const said = new Set(household.map(({ intent }) => intent));
    const all = skills.flatMap(({ name, intents }) =>
      Object.keys(intents).map((intent) => `${name}.${intent}`),
    );

    expect(all.filter((intent) => !said.has(intent))).toEqual([]);
  });
});

describe('sentences for others', () => {
  test('are never taken for an action', () => {
    // A yes acts only after a question, and "louder" only at a speaker.
    const taken = remarks.filter((text) => {
      const found = responder.understood(text);
      const known = skills.find(({ name }) => name === found?.skill)?.intents[found?.intent ?? ''];
      return (
        known !== undefined && known.effect !== 'none' && !['yes-no', 'speaker'].includes(found?.skill ?? '')
      );
    });

    expect(remarks.length).toBeGreaterThanOrEqual(400);
    expect(taken).toEqual([]);
  });
});

describe('a sentence for players, people and lights', () => {
  test.each(speakerSentences.others)('%s is not for the speaker', (text) => {
    expect(understood(text) ?? 'nobody').not.toMatch(/^speaker\./);
  });
});

describe('a sentence', () => {
  test.each([
    ['Add milk to the shopping list.', { isWhole: true, isUndoable: true }],
    ['What time is it?', { isWhole: true, isUndoable: false }],
    ['Wait.', { isWhole: true, isUndoable: false }],
    ['Forget this conversation.', { isWhole: true, isUndoable: false }],
    ['Clear the shopping list.', { isWhole: true, isUndoable: false }],
    ['Set a timer for five minutes.', { isWhole: true, isUndoable: true }],
    ['Cancel the pasta timer.', { isWhole: true, isUndoable: true }],
    ['How long on the pasta?', { isWhole: true, isUndoable: false }],
    // The time may still follow.
    ['Set a timer.', { isWhole: false, isUndoable: false }],
    ['Remind me to take out the bins.', { isWhole: false, isUndoable: false }],
    ['Can I add milk to coffee?', { isWhole: false, isUndoable: false }],
    ['', { isWhole: false, isUndoable: false }],
  ])('%j is complete and can be undone, or not', (text, accepts) => {
    expect(responder.accepts(text)).toMatchObject(accepts);
  });

  test.each([
    'Add eggs and',
    'add eggs to',
    'Set a timer for the',
    'Set a timer',
    'Set a timer for',
    'Set a timer for five minutes and',
    'Set an alarm for',
    'Wake me up at',
    'Remind me to take out the bins',
    'Remind me tomorrow at eight to',
    'Add two minutes to the',
    'Cancel the',
    'What is the',
    'What time',
    'how many days until',
    'What is seven times',
    'Put milk on my',
    'I would like to',
    'Tell me a story about the',
  ])('%j plainly continues', (text) => {
    expect(responder.goesOn(text)).toBe(true);
  });

  test.each([
    '',
    'What?',
    'And',
    'Stop.',
    'Add eggs',
    'Turn it on.',
    'What time is it?',
    'Set the table.',
    'Give me a hand',
    'I need help',
    'Add milk to the shopping list',
    'Set a timer for five minutes.',
    'How long on the pasta?',
    'Thank you.',
    'What is the capital of France?',
    'Tell me a story.',
  ])('%j does not plainly continue', (text) => {
    expect(responder.goesOn(text)).toBe(false);
  });

  test.each(['Add milk.', 'My name...', 'What is the capital?', "What's the capital."])(
    '%j may continue',
    (text) => {
      expect([responder.goesOn(text), responder.mayGoOn(text)]).toEqual([false, true]);
    },
  );

  test.each(['', 'Berlin.', 'Turn on the kitchen lights.', 'What is the capital of France?', 'Play music'])(
    '%j does not continue',
    (text) => {
      expect(responder.mayGoOn(text)).toBe(false);
    },
  );
});

describe('the test for a pure question', () => {
  test.each([
    'Why is the sky blue?',
    'What is the capital of France?',
    'Tell me a story.',
    'Who wrote Hamlet?',
    'Is the front door locked?',
    'Can you tell me who wrote Hamlet?',
  ])('accepts %j', (text) => {
    expect(responder.asks(text)).toBe(true);
  });

  test.each([
    ['a command', 'Turn on the light.'],
    ['a command that begins like one', 'When I leave turn off the lights.'],
    ['a wish', 'How about turning off the lights?'],
    ['a polite command', 'Can you unlock the front door?'],
    ['a statement', 'My sister is coming.'],
    ['half of one', 'What is the capital?'],
    ['half of a sum', 'How much is seven?'],
    ['one that ends with a word before another', 'Why is the sky so?'],
    ['two words', 'What is?'],
    ['a question after something else', 'Unlock the door. What is the capital of France?'],
    ['nothing', ''],
  ])('rejects %s: %j', (_what, text) => {
    expect(responder.asks(text)).toBe(false);
  });
});

describe('the test for a complete statement', () => {
  test.each([
    'My name is Anna.',
    'I am tired',
    'It is cold in here.',
    'My little sister is coming.',
    'We live in Berlin.',
  ])('accepts %j', (text) => {
    expect(responder.states(text)).toBe(true);
  });

  test.each([
    ['a beginning', 'My name is'],
    ['a word before another', 'I have some'],
    ['a wish', 'I need a timer'],
    ['a question', 'Is it cold?'],
    ['two of them', 'I am tired. I am cold.'],
    ['a command', 'Turn on the light.'],
  ])('rejects %s: %j', (_what, text) => {
    expect(responder.states(text)).toBe(false);
  });
});

describe('a command that may continue', () => {
  test.each([
    ['Put on the shopping list eggs and butter', true],
    ['Add eggs to my shopping list', false],
    ['Remind me at five to call mum', true],
    ['Set a timer for five minutes.', false],
    ['Set a timer for an hour.', true],
    ['Set a timer for an hour and a half.', false],
    ['Add another hour', true],
    ['Set a one hour timer', false],
    ['How do you spell necessary?', false],
  ])('%j: %s', (text, isSo) => {
    expect(responder.accepts(text).mayGetLonger).toBe(isSo);
  });
});

describe('words after a complete sentence', () => {
  test.each([
    ['What is the', true],
    ['What time is it?', true],
    ['Set a timer for an hour.', true],
    ['And thirty seconds.', false],
    ['In the kitchen.', false],
    ['And milk', false],
    ['What', false],
  ])('%j start a new one: %s', (text, isSo) => {
    expect(responder.beginsAnew(text)).toBe(isSo);
  });
});
