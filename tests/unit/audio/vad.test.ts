import { describe, expect, test } from 'vitest';
import { createFramer } from '../../../api/src/audio/frames.ts';
import { loadVad, type VadStream } from '../../../api/src/audio/vad.ts';
import { fan, quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const vad = await loadVad();

async function hear(stream: VadStream, ...sounds: Buffer[]): Promise<number[]> {
  const probabilities: number[] = [];
  for (const frame of createFramer().push(Buffer.concat(sounds))) {
    probabilities.push(await stream.speech(frame));
  }
  return probabilities;
}

const share = (probabilities: number[]) =>
  probabilities.filter((each) => each > 0.5).length / probabilities.length;

describe('voice detection', () => {
  test('detects speech, loud or soft', async () => {
    const loud = spokenClip('weather');
    const soft = Buffer.from(loud);
    for (let at = 0; at < soft.length; at += 2) soft.writeInt16LE(Math.round(soft.readInt16LE(at) / 30), at);

    expect(share(await hear(vad.open(), loud))).toBeGreaterThan(0.9);
    expect(share(await hear(vad.open(), soft))).toBeGreaterThan(0.8);
  });

  test.each([
    ['silence', quiet(2_000)],
    ['a fan', fan(2_000)],
    ['a loud fan', fan(2_000, 0.5)],
    ['a switch', Buffer.concat([quiet(500), fan(10, 0.9), quiet(500), fan(10, 0.9), quiet(500)])],
  ])('does not take %s for speech', async (_, sound) => {
    expect(Math.max(...(await hear(vad.open(), sound)))).toBeLessThan(0.35);
  });

  test('still detects a short word after a minute of noise', async () => {
    const stream = vad.open();
    await hear(stream, fan(60_000));

    expect(share(await hear(stream, spokenClip('hello')))).toBeGreaterThan(0.5);
  });

  test.each([0.001, 0.05])('still detects short words with pauses in a noise of level %f', async (level) => {
    const stream = vad.open();
    const shares: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      await hear(stream, fan(3_500, level));
      shares.push(share(await hear(stream, spokenClip('hello'))));
    }

    expect(Math.min(...shares)).toBeGreaterThan(0.5);
  });

  test('keeps streams apart', async () => {
    const alone = await hear(vad.open(), spokenClip('hello'));
    const [beside] = await Promise.all([
      hear(vad.open(), spokenClip('hello')),
      hear(vad.open(), spokenClip('weather')),
    ]);

    expect(beside).toEqual(alone);
  });

  test('refuses input that is not a frame', async () => {
    await expect(vad.open().speech(Buffer.alloc(100))).rejects.toThrow('A frame has 1024 bytes.');
  });
});
