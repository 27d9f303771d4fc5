import { describe, expect, test } from 'vitest';
import {
  changedSpeaker,
  isSilentFor,
  type StoredSpeaker,
  speakerAt,
  untouchedSpeaker,
} from '../../../api/src/speakers/speaker.ts';

const at = { now: 1_000, turn: 'turn-1' };
const muted: StoredSpeaker = { volume: 40, muted: { until: 5_000 }, turn: null };

describe('a loudspeaker', () => {
  test('keeps the volume during a mute, and the mute has an end', () => {
    expect(changedSpeaker(untouchedSpeaker, { muted: true, mutedMs: 500 }, at)).toEqual({
      volume: 100,
      muted: { until: 1_500 },
      turn: 'turn-1',
    });
    expect(changedSpeaker(muted, { muted: true }, at).muted).toEqual({ until: null });
  });

  test('is unmuted by a new volume', () => {
    expect(changedSpeaker(muted, { volume: 60 }, at)).toEqual({ volume: 60, muted: null, turn: 'turn-1' });
    expect(changedSpeaker(muted, { volume: 60, muted: true }, at).muted).toEqual({ until: null });
  });

  test('is muted for at most a week', () => {
    const { muted } = changedSpeaker(untouchedSpeaker, { muted: true, mutedMs: 1e12 }, at);

    expect(muted).toEqual({ until: 1_000 + 7 * 24 * 3_600_000 });
  });

  test('is unmuted when the time is over', () => {
    expect(speakerAt(muted, 4_999)).toEqual(muted);
    expect(speakerAt(muted, 5_000).muted).toBeNull();
  });

  test('is silent for every turn except the one that muted it', () => {
    const byVoice = { ...muted, turn: 'turn-1/0123' };

    expect(['turn-1', 'turn-2'].map((turn) => isSilentFor(byVoice, turn))).toEqual([false, true]);
    expect(isSilentFor(muted, 'turn-1')).toBe(true);
    expect(isSilentFor(untouchedSpeaker, 'turn-1')).toBe(false);
  });
});
