import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPlayedText } from '../../../../api/src/listen/playback/played-text.ts';

function story() {
  const playedText = createPlayedText();
  playedText.add('', 0, 500);
  playedText.add('Once upon a time.', 500, 1_700);
  playedText.add('There was a king.', 2_200, 1_700);
  return playedText;
}

describe('the played text of a reply', () => {
  test.each([
    [0, ''],
    [500, ''],
    [600, ''],
    [1_000, 'Once'],
    [1_700, 'Once upon a'],
    [2_200, 'Once upon a time.'],
    [2_850, 'Once upon a time. There'],
    [3_900, 'Once upon a time. There was a king.'],
    [99_000, 'Once upon a time. There was a king.'],
  ])('after %d ms has whole words only', (playedMs, words) => {
    expect(story().until(playedMs)).toBe(words);
  });

  test('has words without sound as soon as the sound before them has been played', () => {
    const playedText = createPlayedText();
    playedText.add('One.', 0, 0);
    playedText.add('Two.', 0, 1_000);
    playedText.add('Three.', 1_000, 0);

    expect([0, 999, 1_000].map(playedText.until)).toEqual(['One.', 'One.', 'One. Two. Three.']);
  });

  test('is always the beginning of the reply, and grows', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(5_000), (some, more) => {
        const playedText = story();
        const [before, after] = [playedText.until(some), playedText.until(some + more)];

        expect(playedText.all.startsWith(after)).toBe(true);
        expect(after.startsWith(before)).toBe(true);
      }),
    );
  });
});
