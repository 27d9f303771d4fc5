import { describe, expect, test } from 'vitest';
import { type ClaimState, claimStateOf } from '../../../api/src/turn/request-claims.ts';

const reply = {
  text: 'Yes.',
  heard: null,
  via: 'local',
  finish: 'stop',
  usage: null,
  timings: {},
  sentences: 0,
} as const;
const claim = { turn: 'one', since: '1000' };
const running = { state: 'thinking', deadlineAt: '61000' };
const answered = { ...running, state: 'done', reply: JSON.stringify(reply) };
const failure = { code: 'llm_unavailable', message: 'The language model cannot be reached.' } as const;
const failed = { ...claim, error: JSON.stringify(failure) };

type Records = Parameters<typeof claimStateOf>[1];

describe('a claimed request', () => {
  test.each<[string, Records, number, ClaimState]>([
    ['is being done', { claim, turn: running }, 2_000, { state: 'pending', isOver: false }],
    ['was answered', { claim, turn: answered }, 2_000, { state: 'answered', reply }],
    ['was answered although it is late', { claim, turn: answered }, 90_000, { state: 'answered', reply }],
    [
      'has failed',
      { claim: failed, turn: { ...running, state: 'failed' } },
      2_000,
      { state: 'failed', failure },
    ],
    [
      'has failed, and nobody has said why',
      { claim, turn: { ...running, state: 'failed' } },
      2_000,
      { state: 'pending', isOver: true },
    ],
    ['is about to begin', { claim, turn: {} }, 5_000, { state: 'pending', isOver: false }],
    ['never began', { claim, turn: {} }, 6_001, { state: 'dead' }],
    [
      'acted before Redis lost its turn',
      { claim: { ...claim, acts: '1' }, turn: {} },
      6_001,
      { state: 'gone' },
    ],
    ['is past its deadline', { claim, turn: running }, 63_001, { state: 'dead' }],
    [
      'is past its deadline and may have acted',
      { claim: { ...claim, acts: '1' }, turn: running },
      63_001,
      { state: 'gone' },
    ],
    ['was answered and forgotten', { claim, turn: { ...running, state: 'done' } }, 2_000, { state: 'gone' }],
    [
      'is done by another',
      { claim: { ...claim, turn: 'two' }, turn: {} },
      2_000,
      { state: 'moved', turnId: 'two' },
    ],
    ['is claimed by nobody', { claim: {}, turn: {} }, 2_000, { state: 'moved', turnId: null }],
  ])('that %s', (_what, records, now, claimState) => {
    expect(claimStateOf('one', records, now)).toEqual(claimState);
  });
});
