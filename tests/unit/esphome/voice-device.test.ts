import { describe, expect, test } from 'vitest';
import { aheadMsFor, answerFormat } from '../../../api/src/esphome/answer-sound.ts';
import { readAddress } from '../../../api/src/esphome/voice-device.ts';

describe('the address of a device', () => {
  test.each([
    ['192.168.1.30', { host: '192.168.1.30', port: 6053 }],
    ['puck.local:6054', { host: 'puck.local', port: 6054 }],
    ['[fd00::1]:6053', { host: 'fd00::1', port: 6053 }],
  ])('%j is %j', (text, place) => {
    expect(readAddress(text)).toEqual(place);
  });

  test.each(['', 'http://puck', 'puck:0', 'puck:99999', 'a b', 'puck/x'])('%j is invalid', (text) => {
    expect(readAddress(text)).toBeNull();
  });
});

describe('the sound of an answer', () => {
  test('has the format that the device asks for', () => {
    expect(answerFormat({ format: 'flac', sampleRateHz: 48_000 })).toEqual({
      format: 'flac',
      sampleRateHz: 48_000,
    });
  });

  test.each([null, { format: 'mp3', sampleRateHz: 44_100 }])('is WAV for %j', (wanted) => {
    expect(answerFormat(wanted)).toEqual({ format: 'wav', sampleRateHz: 16_000 });
  });

  test.each([
    [{ format: 'wav', sampleRateHz: 16_000 }, 8_192],
    [{ format: 'flac', sampleRateHz: 48_000 }, 2_731],
  ])('is sent far enough ahead for a player that reads 256 KB first (%j)', (wanted, aheadMs) => {
    expect(aheadMsFor(wanted)).toBe(aheadMs);
  });

  test('has no impossible sample rate', () => {
    expect(answerFormat({ format: 'flac', sampleRateHz: 4_000_000 }).sampleRateHz).toBe(16_000);
  });
});
