import { describe, expect, test } from 'vitest';
import { type IdempotencyState, idempotencyStateOf } from '../../../api/src/turn/idempotency-store.ts';

const reply = {
  text: 'Yes.',
  heard: null,
  via: 'local',
  finish: 'stop',
  usage: null,
  timings: {},
  sentences: 0,
} as const;
const record = { turn: 'one', since: '1000' };
const running = { state: 'thinking', deadlineAt: '61000' };
const answered = { ...running, state: 'done', reply: JSON.stringify(reply) };
const failure = { code: 'llm_unavailable', message: 'The language model cannot be reached.' } as const;
const failed = { ...record, error: JSON.stringify(failure) };

type Records = Parameters<typeof idempotencyStateOf>[1];

describe('a request that runs once', () => {
  test.each<[string, Records, number, IdempotencyState]>([
    ['is being done', { record, turn: running }, 2_000, { state: 'pending', isOver: false }],
    ['was answered', { record, turn: answered }, 2_000, { state: 'answered', reply }],
    ['was answered although it is late', { record, turn: answered }, 90_000, { state: 'answered', reply }],
    [
      'has failed',
      { record: failed, turn: { ...running, state: 'failed' } },
      2_000,
      { state: 'failed', failure },
    ],
    [
      'has failed, and nobody has said why',
      { record, turn: { ...running, state: 'failed' } },
      2_000,
      { state: 'pending', isOver: true },
    ],
    ['is about to begin', { record, turn: {} }, 5_000, { state: 'pending', isOver: false }],
    ['never began', { record, turn: {} }, 6_001, { state: 'dead' }],
    [
      'acted before Redis lost its turn',
      { record: { ...record, acts: '1' }, turn: {} },
      6_001,
      { state: 'gone' },
    ],
    ['is past its deadline', { record, turn: running }, 63_001, { state: 'dead' }],
    [
      'is past its deadline and may have acted',
      { record: { ...record, acts: '1' }, turn: running },
      63_001,
      { state: 'gone' },
    ],
    ['was answered and forgotten', { record, turn: { ...running, state: 'done' } }, 2_000, { state: 'gone' }],
    [
      'is done by another',
      { record: { ...record, turn: 'two' }, turn: {} },
      2_000,
      { state: 'moved', turnId: 'two' },
    ],
    ['has no turn any more', { record: {}, turn: {} }, 2_000, { state: 'moved', turnId: null }],
  ])('that %s', (_what, records, now, expected) => {
    expect(idempotencyStateOf('one', records, now)).toEqual(expected);
  });
});
