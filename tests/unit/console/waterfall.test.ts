import { describe, expect, test } from 'vitest';
import { bytesWords, clockWords, durationWords } from '../../../console/src/parts/words.ts';
import { pointsOf } from '../../../console/src/views/activity/day-points.ts';
import { storyOf } from '../../../console/src/views/activity/story.ts';
import { type TurnRecord, waterfallOf } from '../../../console/src/views/activity/waterfall.ts';

const turn: TurnRecord = {
  ...{
    id: 't',
    source: 'listen',
    room: 'kitchen',
    via: 'local',
    outcome: 'done',
    created_at: '2026-11-20T18:05:00Z',
  },
  pipeline_revision: 1,
  timings: { stt: 200, 'first-audio': 650, total: 2_000 },
  spans: [
    { name: 'stt', start_ms: 100, took_ms: 200 },
    { name: 'llm', start_ms: 300, took_ms: 1_000 },
  ],
  ran_on: [],
  marks: { first_sound: 1_000 },
};

describe('a waterfall', () => {
  test('shows each part at its position in the turn', () => {
    expect(waterfallOf(turn)).toMatchObject({
      wholeMs: 2_000,
      bars: [
        { words: 'speech recognition', left: 5, width: 10 },
        { words: 'language model', left: 15, width: 50 },
      ],
      marks: [{ words: 'first sound', left: 50 }],
    });
  });

  test.each([
    {},
    { spans: [], marks: {}, timings: {} },
    { spans: [{ name: 'x', start_ms: Number.NaN, took_ms: 1 }] },
    { spans: [{ name: 'x', start_ms: -50, took_ms: 1e9 }], marks: { x: Number.POSITIVE_INFINITY } },
  ])('stays within its bounds for %j', (strange) => {
    for (const { left, width } of waterfallOf(strange).bars) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(100);
    }
  });

  test('has a text version', () => {
    expect(storyOf(turn)).toEqual([
      'Someone spoke in the room “kitchen”.',
      'Speech recognition took 200 ms.',
      'The language model answered.',
      'The first sound came 650 ms after the end of speech.',
      'All of it took 2.0 s.',
      'Most of the time went into language model: 1.0 s.',
    ]);
    expect(storyOf({ ...turn, outcome: 'llm_timeout' })).toContain('It was not answered: llm timeout.');
  });
});

describe('the chart of a day', () => {
  test('starts with the oldest hour, and has gaps for hours without questions', () => {
    const hours = [
      { at: '2026-11-20T18:00:00Z', percentiles: { total: { p50: 1, p95: 2, count: 3 } } },
      { at: '2026-11-20T17:00:00Z', percentiles: {} },
    ];

    expect(pointsOf(hours, 'total')).toEqual({
      atS: [1_795_194_000, 1_795_197_600],
      p50: [null, 1],
      p95: [null, 2],
    });
  });
});

describe('figures in words', () => {
  test.each([
    [clockWords(65_000), '1:05'],
    [clockWords(3_723_000), '1:02:03'],
    [clockWords(-5), '0:00'],
    [durationWords(85.4), '85 ms'],
    [durationWords(1_250), '1.3 s'],
    [durationWords(125_000), '2 min'],
    [bytesWords(900), '900 B'],
    [bytesWords(44_280_000), '44.3 MB'],
  ])('are short: %s', (words, expected) => {
    expect(words).toBe(expected);
  });
});
