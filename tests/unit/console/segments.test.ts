import { describe, expect, test } from 'vitest';
import { medianTurn, segmentsOf } from '../../../console/src/views/activity/segments.ts';
import type { TurnRecord } from '../../../console/src/views/activity/waterfall.ts';

const turn = (id: string, more: Partial<TurnRecord> = {}): TurnRecord => ({
  id,
  source: 'listen',
  room: 'kitchen',
  via: 'local',
  outcome: 'done',
  created_at: '2026-11-20T18:05:00Z',
  pipeline_revision: 1,
  timings: {},
  spans: [],
  ran_on: [],
  marks: { end_of_speech: -100, certain_end: 220, first_sound: 400 },
  ...more,
});

describe('the segments of a turn', () => {
  test('cover the time from the end of speech to the first sound without a gap', () => {
    const spans = [
      { name: 'stt', start_ms: 10, took_ms: 140 },
      { name: 'llm', start_ms: 150, took_ms: 900 },
      { name: 'llm-first', start_ms: 150, took_ms: 50 },
      { name: 'tts', start_ms: 250, took_ms: 100 },
    ];

    expect(segmentsOf({ ...turn('one'), spans })).toEqual([
      { who: 'silence', fromMs: 0, untilMs: 110 },
      { who: 'stt', fromMs: 110, untilMs: 250 },
      { who: 'llm-first', fromMs: 250, untilMs: 300 },
      { who: 'llm', fromMs: 300, untilMs: 350 },
      { who: 'llm + tts', fromMs: 350, untilMs: 450 },
      { who: 'llm', fromMs: 450, untilMs: 500 },
    ]);
  });

  test('are silence while the end is uncertain, then transport', () => {
    expect(segmentsOf(turn('one'))).toEqual([
      { who: 'silence', fromMs: 0, untilMs: 320 },
      { who: 'way', fromMs: 320, untilMs: 500 },
    ]);
  });
});

describe('the median turn', () => {
  test('is one of those answered aloud', () => {
    const wait = (first_sound: number) => ({ marks: { end_of_speech: 0, first_sound } });
    const turns = [
      turn('slow', wait(900)),
      turn('typed', { source: 'ask', marks: {} }),
      turn('quick', wait(200)),
      turn('failed', { ...wait(450), outcome: 'failed' }),
      turn('usual', wait(400)),
    ];

    expect(medianTurn(turns)).toEqual({ turn: turns[4], count: 3 });
  });

  test('is null without speech', () => {
    expect(medianTurn([turn('typed', { source: 'ask', marks: {} })])).toBeNull();
  });
});
