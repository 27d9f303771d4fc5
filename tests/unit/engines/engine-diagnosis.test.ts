import { describe, expect, test } from 'vitest';
import { EngineError, type EngineFailure } from '../../../api/src/engines/engine-client.ts';
import { diagnose } from '../../../api/src/engines/engine-diagnosis.ts';

const longAgo = { mayStillStart: false };
const file = { kind: 'llm', id: 'qwen', bytesDone: 1, bytesTotal: 3, reason: null } as const;
const failing = (failure: EngineFailure, more = {}) => new EngineError('llm', failure, more);

describe('the diagnosis of an engine', () => {
  test.each([
    ['downloading', 'downloading', 'The language model is fetching its model.'],
    ['loading', 'loading', 'The language model is being loaded.'],
    ['busy', 'loading', 'The language model is too busy to say whether it is ready.'],
    ['hung', 'failed', 'The language model does not answer.'],
    ['broken', 'failed', 'The language model answers, but not as it should.'],
  ] as const)('of one that is %s is: %s', (failure, state, reason) => {
    const diagnosis = diagnose('llm', failing(failure), longAgo);

    expect(diagnosis).toEqual({ state, reason });
  });

  test('quotes our own words about a refusal, never those of the server', () => {
    const ours = diagnose('llm', failing('refused', { detail: 'it has a, not b' }), longAgo);
    const theirs = diagnose('llm', failing('refused', { status: 400, detail: '/srv/secret' }), longAgo);

    expect(ours.reason).toBe('The language model answers, but not as it should: it has a, not b.');
    expect(theirs.reason).toBe('The language model answers, but not as it should.');
  });

  test('takes a check that timed out for silence', () => {
    const diagnosis = diagnose('tts', new DOMException('too late', 'TimeoutError'), longAgo);

    expect(diagnosis).toEqual({ state: 'failed', reason: 'The voice does not answer.' });
  });

  test.each([
    [
      { ...file, state: 'downloading' },
      'downloading',
      'The language model is being downloaded: 33 % of qwen.',
    ],
    [{ ...file, state: 'failed' }, 'failed', 'The model could not be downloaded: no reason given'],
    [{ ...file, state: 'ready' }, 'starting', 'The language model is starting.'],
    [undefined, 'starting', 'The language model is starting.'],
  ] as const)('considers the download first if no server listens', (download, state, reason) => {
    const diagnosis = diagnose('llm', failing('unreachable'), { file: download, mayStillStart: true });

    expect(diagnosis).toEqual({ state, reason });
  });

  test('reports a silent address as down after the start timeout', () => {
    const diagnosis = diagnose('stt', failing('unreachable'), longAgo);

    expect(diagnosis).toEqual({
      state: 'failed',
      reason: 'The speech recognition cannot be reached. Is its server running?',
    });
  });
});
