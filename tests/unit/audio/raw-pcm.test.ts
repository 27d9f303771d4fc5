import { describe, expect, test } from 'vitest';
import { declaredSound } from '../../../api/src/audio/raw-pcm.ts';
import { sampleCodings } from '../../../api/src/audio/sample-coding.ts';

const data = Buffer.from([1, 0, 2, 0]);
const { integer16, integer16BigEndian, muLaw, aLaw } = sampleCodings;

describe('declared raw sound', () => {
  test.each([
    ['audio/pcm', { sampleRateHz: 16_000, channels: 1, coding: integer16 }],
    ['audio/raw', { sampleRateHz: 16_000, channels: 1, coding: integer16 }],
    ['Audio/PCM; Rate=44100; channels="2"', { sampleRateHz: 44_100, channels: 2, coding: integer16 }],
    ['audio/L16;rate=8000', { sampleRateHz: 8_000, channels: 1, coding: integer16BigEndian }],
    ['audio/pcm; rate=8000; endian=big', { sampleRateHz: 8_000, channels: 1, coding: integer16BigEndian }],
    [
      'audio/raw;codec=pcm_s16be;samplerate=8000',
      { sampleRateHz: 8_000, channels: 1, coding: integer16BigEndian },
    ],
    ['audio/L16;rate=8000;endianness=little-endian', { sampleRateHz: 8_000, channels: 1, coding: integer16 }],
    [
      'audio/x-raw, format=(string)S16LE, layout=(string)interleaved, rate=(int)22050, channels=(int)2',
      { sampleRateHz: 22_050, channels: 2, coding: integer16 },
    ],
    [
      'audio/lpcm; sample-rate=8000; sample-size-bits=16; channel-count=1; is-big-endian=true',
      { sampleRateHz: 8_000, channels: 1, coding: integer16BigEndian },
    ],
    ['audio/PCMU;rate=8000', { sampleRateHz: 8_000, channels: 1, coding: muLaw }],
    ['audio/PCMA', { sampleRateHz: 8_000, channels: 1, coding: aLaw }],
    ['audio/l16; channels=2; rate=48000', { sampleRateHz: 48_000, channels: 2, coding: integer16BigEndian }],
  ])('accepts %s as declared', (contentType, sound) => {
    expect(declaredSound(data, contentType)).toEqual({ ...sound, data });
  });

  test.each([
    undefined,
    '',
    'application/octet-stream',
    'audio/wav',
    'text/plain; rate=16000',
    'constructor',
  ])('does not take %s for raw sound', (contentType) => {
    expect(declaredSound(data, contentType)).toBeNull();
  });

  test.each([
    ['audio/L16', 'rate='],
    ['audio/pcm;rate=fast', 'rate='],
    ['audio/pcm;rate=16000.5', 'rate='],
    ['audio/pcm;rate=1000000', 'rate='],
    ['audio/pcm;rate=', 'rate='],
    ['audio/pcm;channels=0', 'channels='],
    ['audio/pcm;channels=99', 'channels='],
    ['audio/pcm;bits=8', 'bits='],
    ['audio/pcm;bit=24;rate=16000', 'bits='],
    ['audio/lpcm', 'rate='],
    ['audio/pcm;encoding=floating-point', 'bits='],
    ['audio/x-raw, format=F32LE, rate=16000', 'bits='],
    ['audio/PCMU;bits=16', 'bits='],
  ])('explains the fault of %s', (contentType, parameter) => {
    expect(() => declaredSound(data, contentType)).toThrow(
      expect.objectContaining({ code: 'audio_unreadable', message: expect.stringContaining(parameter) }),
    );
  });
});
