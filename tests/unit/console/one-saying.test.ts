import { expect, test } from 'vitest';
import { createOneSaying } from '../../../console/src/sound/one-saying.ts';

const frame = (level: number) => ({ frame: new Int16Array(320).fill(level * 32_767), level, atMs: 0 });
/** The last result after this many ms at this loudness, one step after the other. */
function said(...parts: readonly (readonly [level: number, ms: number])[]) {
  const saying = createOneSaying();
  for (const [level, ms] of parts) {
    for (let at = 0; at < ms; at += 20) {
      const answer = saying.push(frame(level));
      if (answer !== null) return answer;
    }
  }
  return null;
}

test('an utterance ends with the silence after it, and includes a short lead-in', async () => {
  const recording = said([0.01, 3_000], [0.3, 600], [0.01, 1_000]);

  if (!(recording instanceof Blob)) throw new Error('no recording');
  const head = new DataView(await recording.arrayBuffer());
  expect(recording.size).toBe(44 + (400 + 600 + 700) * 32);
  expect([head.getUint32(24, true), head.getUint32(40, true)]).toEqual([16_000, recording.size - 44]);
});

test('a short pause inside does not end an utterance', () => {
  expect(said([0.3, 300], [0.01, 400], [0.3, 300], [0.01, 400])).toBeNull();
});

test('endless speech is cut off, and silence times out', () => {
  expect(said([0.3, 10_000])).toBeInstanceOf(Blob);
  expect(said([0.01, 10_000])).toBe('nothing');
});
