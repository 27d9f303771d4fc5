import { describe, expect, test } from 'vitest';
import { machineMarks } from '../../../console/src/views/activity/machine-marks.ts';
import { storyOf } from '../../../console/src/views/activity/story.ts';
import type { TurnRecord } from '../../../console/src/views/activity/waterfall.ts';

type RanOn = TurnRecord['ran_on'];

const turn = (id: string, ran_on: RanOn): TurnRecord => ({
  ...{ id, source: 'ask', room: null, via: 'local', outcome: 'done', created_at: '2026-11-20T18:05:00Z' },
  ...{ pipeline_revision: 1, timings: {}, spans: [], ran_on, marks: {} },
});
const llm = (machine: string | null): RanOn[number] => ({ engine: 'llm', machine, model: 'qwen3-8b' });
const stt = (machine: string | null): RanOn[number] => ({ engine: 'stt', machine, model: 'whisper' });

describe('the picture of the machines', () => {
  test('has a mark for each turn, oldest first, and counts them', () => {
    const turns = [
      turn('e', [stt('desktop')]),
      turn('d', [stt(null), llm('desktop')]),
      turn('c', [llm('attic')]),
      turn('b', []),
      turn('a', [llm(null)]),
    ];

    expect(machineMarks(turns)).toEqual({
      marks: [
        { turn: 'a', kind: 'machine-own' },
        { turn: 'b', kind: 'machine-none' },
        { turn: 'c', kind: 'machine-1' },
        { turn: 'd', kind: 'machine-2' },
        { turn: 'e', kind: 'machine-2' },
      ],
      shares: [
        { words: 'This machine', kind: 'machine-own', count: 1 },
        { words: 'attic', kind: 'machine-1', count: 1 },
        { words: 'desktop', kind: 'machine-2', count: 2 },
        { words: 'No model was needed', kind: 'machine-none', count: 1 },
      ],
    });
  });

  test('shows the last fifty turns', () => {
    const turns = Array.from({ length: 60 }, (_, at) => turn(String(at), [llm('desktop')]));

    expect(machineMarks(turns)?.marks.map((mark) => mark.turn)).toEqual(
      Array.from({ length: 50 }, (_, at) => String(49 - at)),
    );
  });

  test('is missing in a household with one machine', () => {
    expect(machineMarks([turn('a', [llm(null)]), turn('b', [])])).toBeNull();
  });
});

test('the story of a turn names the other machines', () => {
  expect(storyOf(turn('a', [stt('desktop'), llm('attic')]))).toEqual(
    expect.arrayContaining([
      'It was transcribed on desktop, by whisper.',
      'The model ran on attic: qwen3-8b.',
    ]),
  );
});
