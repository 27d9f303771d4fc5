import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActionClaimGate } from '../../../../api/src/respond/model/action-claims.ts';
import { toolWords } from '../../../support/language-model.ts';

const { actionClaims } = toolWords;

/** The part of an answer in these pieces that passes. */
function through(
  pieces: readonly string[],
  { isStrict = true, isInformed = false, isForWords = false, isCommand = false } = {},
) {
  const said: string[] = [];
  const gate = createActionClaimGate({
    actionClaims,
    isStrict,
    isInformed,
    isForWords,
    isCommand,
    say: (words) => void said.push(words),
  });
  for (const piece of pieces) gate.push(piece);
  return { ...gate.end(), pieces: said };
}

const harmless = [
  'The capital of France is Paris.',
  'You can set a timer on most ovens. Put it on the table.',
  'To turn on the lights, press the switch.',
  'If the alarm is set, it rings at seven.',
  'I cannot add anything to a list, and I have no hands.',
  'Do you want me to set a timer?',
  'I will tell you a story. The king turned on his heel and was gone.',
  'Add the eggs, then stir. Turn off the heat when it is done.',
  'The list of kings is long.',
  'Paris has been the capital since 987.',
  'Setting a timer helps you remember your tea.',
  'Turning off the heat early keeps the eggs soft.',
  'Tell me for how long, and I will set a timer.',
  'I will set a timer if you tell me for how long.',
  'I will add that Rome is older.',
  'The list of things that were set on fire is long.',
  'No sugar is added.',
  'The alarm clock was invented in 1787.',
  'Your pasta is done when it floats.',
  'Paris is on the list of capitals.',
  'The door opened. She had left the light on.',
  'Opening the door, she saw a cat.',
  'Turn the lights off. Turn off the radio.',
  'Turning lights off saves power.',
  'The door is open to everyone.',
  'For how long shall I set the timer?',
  'I need to know more. I used to wonder about that.',
  'I was created by people. I have learned much from books.',
  'Noted. Delighted.',
  'Sure, I can help with that. What is the poem about?',
];

const claiming = [
  'Your timer is set.',
  'Okay, your five minute pasta timer is set.',
  'Done.',
  'Okay, done!',
  "It's done.",
  'I set a timer for five minutes.',
  "I've set a timer for five minutes.",
  'I’ve added milk to your shopping list.',
  'I have turned off the kitchen lights.',
  'I just cancelled the timer.',
  'Added milk to the shopping list.',
  'Milk has been added to your shopping list.',
  'The timer has been cancelled.',
  'The lights are now on.',
  'All set!',
  'Sure! I locked the front door.',
  'It is late, and I turned on the lights.',
  'Timer set for ten minutes.',
  'Alarm set.',
  'Okay, ten minute timer started.',
  'Lights off.',
  'Cancelled.',
  'Okay! Milk added.',
  'Setting a timer for ten minutes.',
  'Okay, setting it now.',
  'Starting a ten minute timer.',
  'Turning on the kitchen lights now.',
  'I am turning off the lights.',
  'I’m adding milk to your list.',
  'Adding milk to your list.',
  'Playing music now.',
  "I'll set a timer for ten minutes.",
  "Sure, I'll remind you tomorrow.",
  'I will wake you at seven.',
  "I've gone ahead and added milk to your list.",
  'I went ahead and cancelled the timer.',
  "I've got a ten minute timer going for you.",
  'Your timer was cancelled.',
  'A timer for ten minutes was set.',
  "Your pasta timer's running.",
  'Of course, the timer is ticking.',
  'The countdown has begun.',
  'Success! The light is on.',
  'No problem, lights are now on.',
  'The thermostat is now set to 21 degrees.',
  'Your alarm will ring at seven.',
  'Milk is on your list now.',
  "That's taken care of.",
  "I've booked a table.",
  'Set a timer for five minutes.',
  'The alarms have been deleted.',
  'All the lights are off.',
  'The front door is locked.',
  'Yes, the timer is set.',
  'Great! Your alarm is set.',
  'I renamed the shopping list to groceries.',
  'Temperature set to 74 degrees.',
  'Timer, two hours.',
  "I've alphabetized it for you.",
  'The thermostat has been calibrated.',
  'Your shopping list is renamed.',
  'Renamed to groceries.',
  'Synchronizing the lights now.',
  "I'll remember that.",
  'Sure, I can do that! I merged the lists.',
  'The list is now called groceries.',
];

/** A sentence that starts with a thing is recognized as a claim after its first words were spoken. */
const beginsWithAnything = ['Milk', 'It is late'];

describe('an action claim', () => {
  test.each(claiming)('is withheld: %s', (text) => {
    expect(through([text]).isWithheld).toBe(true);
    expect(through([text]).said).not.toMatch(
      /set|done|added|turned|cancelled|locked|lights?|timer|alarm|remind|wake|milk|music|sure|list|renam/i,
    );
  });

  test.each(harmless)('does not include: %s', (text) => {
    expect(through([text])).toMatchObject({ said: text, isWithheld: false });
  });

  test.each([
    'The pasta timer is running.',
    'You have a pasta timer set for ten minutes.',
    'Milk is on your list.',
  ])('does not include looked-up facts: %s', (text) => {
    expect([through([text]).isWithheld, through([text], { isInformed: true }).isWithheld]).toEqual([
      true,
      false,
    ]);
  });

  test('withholds everything after it', () => {
    expect(through(['Paris is nice. ', 'I have set a timer. ', 'Rome is nice too.']).said).toBe(
      'Paris is nice. ',
    );
  });

  test('takes along the preceding sentence that only agrees', () => {
    expect(through(['Sure! ', 'I can do that for you. ', 'I renamed the list.'])).toMatchObject({
      said: '',
      pieces: [],
    });
  });

  test('includes an answer to a command that only agrees', () => {
    expect(through(['Okay.'], { isCommand: true })).toMatchObject({ said: '', isWithheld: true });
    expect(through(['Which list?'], { isCommand: true })).toMatchObject({ said: 'Which list?' });
  });

  test('does not include a line of a requested poem', () => {
    const line = 'I wandered lonely as a cloud, and climbed a hill.';

    expect(through([line]).isWithheld).toBe(true);
    expect(through([line], { isForWords: true }).said).toBe(line);
    expect(through(['I renamed your list.'], { isForWords: true }).isWithheld).toBe(true);
  });

  test.each([
    'Done, I set it.',
    'Okay, I put your shoes by the door.',
    "I've put the car in the garage.",
    'I have made a backup of the photos.',
    'All done!',
    'I set it.',
    "I'll do that.",
  ])('includes a confirmation at the start of requested words: %s', (text) => {
    const words = text.match(/\S+\s*/g) ?? [];

    expect(through([text], { isForWords: true })).toMatchObject({ said: '', isWithheld: true });
    expect(through(words, { isForWords: true, isStrict: false }).said).toBe('');
  });

  test.each([
    'I put my shoes by the wall, and the rain began.',
    'The rain began. I opened it, and I have done what I could.',
    'Okay, here is one: I bought a boat.',
  ])('does not include the first words of a story: %s', (text) => {
    expect(through([text], { isForWords: true })).toMatchObject({ said: text, isWithheld: false });
  });

  test.each([
    "I've told Anna that dinner is ready.",
    'I let Bob know about it.',
    'I texted your wife about the bread.',
  ])('includes a message that nobody sent: %s', (text) => {
    expect(through([text]).isWithheld).toBe(true);
  });

  test('is found word by word if no tool was available', () => {
    const words = "Paris is nice, and I've set a timer for you.".match(/\S+\s*/g) ?? [];

    expect(through(words, { isStrict: false })).toMatchObject({ isWithheld: true });
  });

  test.each(claiming.filter((text) => !beginsWithAnything.some((start) => text.startsWith(start))))(
    'also withholds its first words, one by one: %s',
    (text) => {
      const words = text.match(/\S+\s*/g) ?? [];

      expect(through(words, { isStrict: false }).said).toBe(through([text]).said);
    },
  );

  test('is found for any split of the words', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...harmless, ...claiming),
        fc.constantFrom(...harmless, ...claiming),
        fc.array(fc.nat(120), { maxLength: 10 }),
        (first, second, cuts) => {
          const text = `${first} ${second}`;
          const edges = [
            0,
            ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b),
            text.length,
          ];
          const pieces = edges.slice(1).map((edge, at) => text.slice(edges[at], edge));

          const whole = through([text]);
          const cut = through(pieces);

          expect([cut.isWithheld, cut.said]).toEqual([whole.isWithheld, whole.said]);
          expect(cut.pieces.join('')).toBe(cut.said);
        },
      ),
    );
  });

  // A search that is quadratic in the number of words would exceed the time limit of a test.
  test('is found in a very long answer', () => {
    expect(through(Array.from({ length: 5_000 }, () => 'I have the list of lights ')).isWithheld).toBe(false);
  });
});

test('words unlike an action claim pass at once if no tool was available', () => {
  const { pieces } = through(['Paris ', 'is ', 'the ', 'capital'], { isStrict: false });

  expect(pieces).toEqual(['Paris ', 'is ', 'the ', 'capital']);
  expect(
    through(['The ', 'capital ', 'of ', 'France ', 'is ', 'Paris.'], { isStrict: false }).pieces,
  ).toEqual(['The capital of France ', 'is ', 'Paris.']);
});
