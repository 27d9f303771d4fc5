import { describe, expect, test } from 'vitest';
import { createPlayedSound } from '../../../satellite/played-sound.ts';

const sound = (value: number, bytes: number) => Buffer.alloc(bytes, value);

describe('the playback of a loudspeaker', () => {
  test('arrives frame by frame, with silence after its end', () => {
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

  test('is silent after a stop, and continues with the next speech', () => {
    const played = createPlayedSound();
    const [first, second] = [played.begin(), played.begin()];
    first.play(sound(1, 100));
    second.play(sound(2, 4));
    played.next(4);

    first.stop();

    expect([played.next(4), played.next(4)]).toEqual([sound(2, 4), null]);
  });

  test('buffers at most a minute', () => {
    const played = createPlayedSound();
    const speech = played.begin();
    for (let second = 0; second < 70; second += 1) speech.play(sound(1, 32_000));

    let seconds = 0;
    while (played.next(32_000)) seconds += 1;

    expect(seconds).toBe(60);
  });
});
