import { describe, expect, test } from 'vitest';
import { createRecentSentences } from '../../../../api/src/listen/playback/echo.ts';

/** "Once upon a time there was a king" is said in the kitchen from 1 s to 4 s. */
function kitchen() {
  const saying = createRecentSentences();
  saying.add('kitchen', { text: 'Once upon a time, there was a king.', fromMs: 1_000, untilMs: 4_000 });
  return saying;
}
const during = { fromMs: 1_500, untilMs: 2_500 };

describe("the assistant's own words", () => {
  test.each([
    'once upon a time',
    'Upon a time there',
    'Once upon a dime there was',
    'king',
    'There was a king!',
  ])('are recognized: %s', (text) => {
    expect(kitchen().isEcho('kitchen', { text, ...during })).toBe(true);
  });

  test.each(['stop', 'What time is it?', 'A king was there once', 'No.', ''])(
    "differ from another person's words: %s",
    (text) => {
      expect(kitchen().isEcho('kitchen', { text, ...during })).toBe(false);
    },
  );

  test('are echo only while they are audible', () => {
    const isEchoAt = (fromMs: number) =>
      kitchen().isEcho('kitchen', { text: 'once upon a time', fromMs, untilMs: fromMs + 500 });

    expect([0, 600, 4_400, 4_600].map(isEchoAt)).toEqual([false, true, true, false]);
  });

  test('are no echo in an answer to them, once they are over', () => {
    const isEchoAt = (fromMs: number) =>
      kitchen().isEcho('kitchen', { text: 'king', fromMs, untilMs: fromMs + 500, answersQuestion: true });

    expect([3_800, 4_100].map(isEchoAt)).toEqual([true, false]);
  });

  test('are echo only in their room', () => {
    expect(kitchen().isEcho('bath', { text: 'once upon a time', ...during })).toBe(false);
  });

  test('are forgotten after a while, in any number of rooms', () => {
    const saying = createRecentSentences();
    for (let n = 0; n < 1_000; n += 1) {
      saying.add(`room ${n}`, { text: 'Hello.', fromMs: n * 1_000, untilMs: n * 1_000 + 500 });
    }

    expect(saying.size).toBeLessThan(40);
  });

  test('end when the loudspeaker stops', () => {
    const saying = kitchen();
    saying.add('kitchen', { text: 'He had a dog.', fromMs: 4_000, untilMs: 5_000 });

    saying.stop('kitchen', 2_000);

    expect(saying.isEcho('kitchen', { text: 'he had a dog', fromMs: 4_000, untilMs: 5_000 })).toBe(false);
    expect(saying.isEcho('kitchen', { text: 'once upon', fromMs: 2_400, untilMs: 3_000 })).toBe(true);
    expect(saying.isEcho('kitchen', { text: 'once upon', fromMs: 2_600, untilMs: 3_000 })).toBe(false);
  });
});
