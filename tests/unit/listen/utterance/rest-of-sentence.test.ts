import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { isOneSentence, joinedWith } from '../../../../api/src/listen/utterance/rest-of-sentence.ts';
import { createTranscriptClassifier } from '../../../../api/src/respond/skills/transcript-classifier.ts';
import { englishSkills } from '../../../support/skills.ts';

/** Understanding needs no Redis: this client is never connected. */
const judge = createTranscriptClassifier(englishSkills(new Redis({ lazyConnect: true })), () => false);
const partOf = (text: string) => ({ text, judgement: judge(text) });
const soundOf = (ms: number) => ({ sampleRateHz: 16_000, samples: Buffer.alloc(ms * 32, ms % 251) });

/** How words join an answered sentence: as its `rest`, as far as the `sound` tells, or `apart`. */
async function joinOf(transcript: string, words: string, { canBeUndone = false, hasAsked = false } = {}) {
  const part = { transcript, sound: soundOf(1_000), hasAsked, canBeUndone: async () => canBeUndone };
  const joined = await joinedWith(part, judge(transcript), { ...partOf(words), sound: soundOf(700) });
  if (joined === null) return 'apart';
  return joined.isRest ? 'rest' : 'sound';
}

describe('words after an answered sentence', () => {
  test.each([
    ['Add milk to my list.', 'And eggs.'],
    ['Add milk.', 'And eggs to the shopping list.'],
    ['What time is it?', 'In Tokyo.'],
    ['Wake me tomorrow.', 'At seven.'],
    ['What is the capital?', 'The friends.'],
    ['What is the capital?', 'I have Germany.'],
    ["Hey, what's the capital?", 'Goodly.'],
    ['Set a timer for an hour.', 'Add a half.'],
    ['Set a timer.', 'Five minutes.'],
    ['What time is it?', 'Is it?'],
    ['Tell me.', 'Story.'],
  ])('%s | %s: are its rest', async (before, words) => {
    expect(await joinOf(before, words)).toBe('rest');
  });

  test.each([
    ['What time is it?', 'What day is it?'],
    ['Add milk to my list.', 'Set a timer for five minutes.'],
    ['Set a timer for five minutes.', 'Stop.'],
    ['What time is it?', 'Mm-hm.'],
    ['Thank you.', 'And eggs.'],
    ['Turn on the kitchen lights.', 'In the hall.'],
    ['Turn on the kitchen lights.', 'Turn off the heating.'],
    ['Set a timer for five minutes.', 'Turn off the heating.'],
    ['What is the capital of France?', 'Turn off the heating.'],
  ])('%s | %s: are not its rest', async (before, words) => {
    expect(await joinOf(before, words)).not.toBe('rest');
  });
});

describe('words after a command to the house', () => {
  test.each([
    ['Turn on the lights.', 'In the bedroom.', true],
    ['Turn on the lights.', 'And the fan.', true],
    ['Turn on the kitchen.', 'Lights.', true],
    ['Turn on the lights.', 'Turn off the heating.', false],
    ['Turn on the lights.', 'What time is it?', false],
    ['What time is it?', 'In the bedroom.', false],
  ])('%s | %s: join it only if it can be undone: %s', async (before, words, expected) => {
    const joins = [false, true].map((canBeUndone) => joinOf(before, words, { canBeUndone }));
    const [kept, undone] = await Promise.all(joins);

    expect(kept === 'apart' && undone !== 'apart').toBe(expected);
  });
});

describe('words that only the sound of both parts can place', () => {
  test.each([
    ['Tell me it...', 'Story.'],
    ['What timers are worth', 'Running.'],
    ['Count from one to two.', '20.'],
    ['What is seven times eight?', 'Plus two.'],
  ])('%s | %s: may be its rest', async (before, words) => {
    expect(await joinOf(before, words)).not.toBe('apart');
  });

  test.each([
    ['Set a timer for five minutes.', 'Turn off the heating.'],
    ['Set a timer for five minutes.', 'What time is it?'],
    ['Thank you.', 'Lights.'],
    ['Set a timer for five minutes.', 'Plus two.'],
    ['What is two plus two?', 'And stop.'],
  ])('%s | %s: stand alone', async (before, words) => {
    expect(await joinOf(before, words)).toBe('apart');
  });

  test.each([
    ['What time is it?', 'Ten minutes.', 'sound'],
    ['Set a timer.', 'Five.', 'rest'],
    ['Set a timer.', 'For five minutes.', 'rest'],
    ['Cancel the timer.', 'Pasta.', 'sound'],
    ['Turn on the kitchen.', 'Desk.', 'sound'],
  ])('%s | %s: are a reply if a question was heard in between, else %s', async (before, words, unasked) => {
    expect(await joinOf(before, words, { hasAsked: true, canBeUndone: true })).toBe('apart');
    expect(await joinOf(before, words, { hasAsked: false, canBeUndone: true })).toBe(unasked);
  });

  test('may be the rest even after a question', async () => {
    expect(await joinOf('Add milk to my list.', 'And eggs.', { hasAsked: true })).toBe('rest');
  });

  test.each([
    ['Turn on the kitchen.', 'Lights.', 'Turn on the kitchen lights.', true],
    ['Turn on the kitchen.', 'Lights.', 'Turn on the kitchen. Lights.', false],
    ['Set a timer.', 'Ten minutes.', 'Set a timer for ten minutes.', true],
    ['What is seven times eight?', 'Plus two.', 'What is seven times eight plus two?', true],
    ['What is the capital of France?', 'Plus two.', 'What is the capital of France? Plus two.', false],
  ])('%s | %s, heard together as "%s": are one sentence: %s', (before, words, whole, expected) => {
    expect(isOneSentence({ before: partOf(before), words: partOf(words), whole: partOf(whole) })).toBe(
      expected,
    );
  });
});

describe('the sound of both parts', () => {
  const joined = (before: ReturnType<typeof soundOf>, rest: ReturnType<typeof soundOf>) =>
    joinedWith(
      { transcript: 'Tell me.', sound: before, hasAsked: false, canBeUndone: async () => false },
      judge('Tell me.'),
      { ...partOf('Story.'), sound: rest },
    );

  test('is the first part followed by the second', async () => {
    const [before, rest] = [soundOf(1_000), soundOf(700)];

    expect(await joined(before, rest)).toEqual({
      sound: { sampleRateHz: 16_000, samples: Buffer.concat([before.samples, rest.samples]) },
      isRest: true,
    });
  });

  test('is none if it would be too long for the recognition', async () => {
    expect(await joined(soundOf(20_000), soundOf(10_000))).toBeNull();
  });
});
