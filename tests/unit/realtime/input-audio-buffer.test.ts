import { describe, expect, test } from 'vitest';
import { createInputAudioBuffer } from '../../../api/src/realtime/input-audio-buffer.ts';
import { soundFormatOf } from '../../../api/src/realtime/sound-formats.ts';

const at16Khz = soundFormatOf({ type: 'audio/pcm', rate: 16_000 });
/** Silence as a client sends it at 16 kHz. */
const silence = (ms: number): string => Buffer.alloc(ms * 32).toString('base64');

describe('the input audio buffer', () => {
  test('returns long sound in pieces of a second', () => {
    const pieces = createInputAudioBuffer(() => at16Khz).append(silence(2_500));

    expect(pieces.map(({ length }) => length)).toEqual([32_000, 32_000, 16_000]);
  });

  test('commits what was appended since the last commit', () => {
    const buffer = createInputAudioBuffer(() => at16Khz);
    buffer.append(silence(150));
    buffer.append(silence(50));

    expect(buffer.commit()).toBe(200);
    expect(() => buffer.commit()).toThrow('The buffer holds only 0 ms of sound.');
  });

  test('refuses to commit less than OpenAI allows, and keeps it', () => {
    const buffer = createInputAudioBuffer(() => at16Khz);
    buffer.append(silence(99));

    expect(() => buffer.commit()).toThrow('The buffer holds only 99 ms');
    buffer.append(silence(1));
    expect(buffer.commit()).toBe(100);
  });

  test('measures no sound that was cleared', () => {
    const buffer = createInputAudioBuffer(() => at16Khz);
    buffer.append(silence(150));
    buffer.clear();

    expect(() => buffer.commit()).toThrow('The buffer holds only 0 ms');
  });

  test('follows a change of the format', () => {
    let format = at16Khz;
    const buffer = createInputAudioBuffer(() => format);
    buffer.append(silence(100));
    format = soundFormatOf({ type: 'audio/pcmu' });

    // 800 bytes of mu-law at 8 kHz are 100 ms.
    buffer.append(Buffer.alloc(800, 0xff).toString('base64'));

    expect(buffer.commit()).toBe(200);
  });
});
