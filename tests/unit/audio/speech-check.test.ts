import { describe, expect, test } from 'vitest';
import { createSpeechCheck } from '../../../api/src/audio/speech-check.ts';
import { loadVad } from '../../../api/src/audio/vad.ts';
import { fan, quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const hasSpeech = createSpeechCheck({ vad: await loadVad() });
const { signal } = new AbortController();
const isSpoken = (...sounds: Buffer[]) =>
  hasSpeech({ sampleRateHz: 16_000, samples: Buffer.concat(sounds) }, signal);

function softer(sound: Buffer, times: number): Buffer {
  const soft = Buffer.from(sound);
  for (let at = 0; at < soft.length; at += 2) soft.writeInt16LE(Math.round(soft.readInt16LE(at) / times), at);
  return soft;
}

describe('the check for speech in a recording', () => {
  test.each([
    ['a short word', [spokenClip('hello')]],
    ['a word after a long silence', [quiet(20_000), spokenClip('hello')]],
    ['a word in the noise of a fan', [fan(3_000), spokenClip('hello'), fan(500)]],
    ['somebody far away', [softer(spokenClip('weather'), 300)]],
    ['a short word said far away', [softer(spokenClip('hello'), 100)]],
  ])('hears %s', async (_, sounds) => {
    expect(await isSpoken(...sounds)).toBe(true);
  });

  test.each([
    ['silence', [quiet(5_000)]],
    ['nothing at all', [Buffer.alloc(0)]],
    ['a moment too short for a word', [quiet(10)]],
    ['a fan', [fan(5_000)]],
    ['a loud fan', [fan(5_000, 0.5)]],
    ['a faint hiss', [softer(fan(5_000), 100)]],
    ['a switch', [quiet(500), fan(10, 0.9), quiet(500), fan(10, 0.9), quiet(500)]],
  ])('does not take %s for a voice', async (_, sounds) => {
    expect(await isSpoken(...sounds)).toBe(false);
  });

  test('stops when its caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('hung up'));

    await expect(hasSpeech({ sampleRateHz: 16_000, samples: quiet(1_000) }, gone)).rejects.toThrow('hung up');
  });
});
