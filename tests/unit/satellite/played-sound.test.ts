import { describe, expect, test } from 'vitest';
import { createPlayedSound } from '../../../satellite/played-sound.ts';

const sound = (value: number, bytes: number) => Buffer.alloc(bytes, value);

describe('what the loudspeaker plays', () => {
  test('comes frame by frame, with silence behind its end', () => {
    const played = createPlayedSound();
    const speech = played.begin();

    speech.play(sound(1, 6));
    speech.play(sound(2, 4));

    expect([played.next(8), played.next(8), played.next(8)]).toEqual([
      Buffer.from([1, 1, 1, 1, 1, 1, 2, 2]),
      Buffer.from([2, 2, 0, 0, 0, 0, 0, 0]),
      null,
    ]);
  });

  test('is silent where a speech was stopped, and goes on with the next', () => {
    const played = createPlayedSound();
    const [first, second] = [played.begin(), played.begin()];
    first.play(sound(1, 100));
    second.play(sound(2, 4));
    played.next(4);

    first.stop();

    expect([played.next(4), played.next(4)]).toEqual([sound(2, 4), null]);
  });

  test('forgets what nobody can have played: a minute waits at most', () => {
    const played = createPlayedSound();
    const speech = played.begin();
    for (let second = 0; second < 70; second += 1) speech.play(sound(1, 32_000));

    let seconds = 0;
    while (played.next(32_000)) seconds += 1;

    expect(seconds).toBe(60);
  });
});
