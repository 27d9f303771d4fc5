import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { EngineError, type EngineFailure } from '../../../api/src/engines/engine-client.ts';
import { type EngineWatch, type WatchTimes, watchEngine } from '../../../api/src/engines/engine-watch.ts';
import type { EngineStatus } from '../../../api/src/status/engine-status.ts';
import type { ModelFiles } from '../../../api/src/status/model-files.ts';
import { waitFor } from '../../support/wait-for.ts';

const times: WatchTimes = { retryMs: 5, checkMs: 5, lookMs: 200, startMs: 40 };

let watch: EngineWatch | undefined;
afterEach(() => watch?.stop());

/**
 * An engine with scripted health checks, the last result repeated; a function is a check that takes a while.
 */
type Look = EngineFailure | 'well' | ((signal: AbortSignal) => Promise<string>);

function setUp({
  looks,
  files = {},
  ...more
}: {
  looks: Look[];
  files?: Partial<ModelFiles>;
  times?: Partial<WatchTimes>;
  fingerprint?: () => string;
  isBusy?: () => boolean;
}) {
  const left = [...looks];
  const told: EngineStatus[] = [];
  let count = 0;
  const silentProofs: boolean[] = [];
  const look = async (signal: AbortSignal): Promise<string> => {
    count += 1;
    const next = (left.length > 1 ? left.shift() : left[0]) ?? 'well';
    if (typeof next === 'function') return next(signal);
    if (next !== 'well') throw new EngineError('llm', next, { detail: 'http://secret:8080' });
    return 'model';
  };
  const started = watchEngine({
    engine: 'llm',
    prove: (signal, wasSilent) => {
      silentProofs.push(wasSilent);
      return look(signal);
    },
    check: look,
    files: { current: { progress: null, selection: null, ...files }, stop: () => undefined },
    onChange: (status) => told.push(status),
    times: { ...times, ...more.times },
    ...(more.fingerprint && { fingerprint: more.fingerprint }),
    ...(more.isBusy && { isBusy: more.isBusy }),
  });
  watch = started;
  return {
    watch: started,
    told,
    silentProofs,
    looks: () => count,
    becomes: (state: EngineStatus['state']) =>
      waitFor(() => started.status().state === state, { what: state }),
  };
}

const fetching = (
  state: 'waiting' | 'downloading' | 'failed' | 'ready',
  reason: string | null = null,
): Partial<ModelFiles> => ({
  progress: {
    state: 'downloading',
    note: null,
    models: [{ kind: 'llm', id: 'smollm2', state, bytesDone: 45, bytesTotal: 100, reason }],
  },
});

describe('an engine', () => {
  test('is starting until the first check has ended', () => {
    const { watch } = setUp({ looks: [(signal) => once(signal, 'abort').then(() => 'never')] });

    expect(watch.status()).toMatchObject({
      state: 'starting',
      reason: 'The language model is starting.',
      model: null,
    });
  });

  test('is ready after a successful answer', async () => {
    const { watch, becomes } = setUp({ looks: ['well'] });

    await becomes('ready');

    expect(watch.status()).toMatchObject({ state: 'ready', reason: null, model: 'model' });
  });

  test('that was silent is ready again after real work', async () => {
    const proof = Promise.withResolvers<string>();
    const { watch, becomes } = setUp({ looks: ['well', () => proof.promise], times: { checkMs: 60_000 } });
    await becomes('ready');

    watch.distrust();

    expect(watch.status()).toMatchObject({ state: 'failed', reason: 'The language model does not answer.' });
    proof.resolve('model');
    await becomes('ready');
  });

  test.each(['timeout', 'hung'] as const)(
    'that only gives a %s is silent until it answers',
    async (failure) => {
      const proof = Promise.withResolvers<string>();
      const { watch, becomes, silentProofs } = setUp({ looks: [failure, () => proof.promise] });

      await becomes('failed');
      expect(watch.isSilent()).toBe(true);
      proof.resolve('model');
      await becomes('ready');

      expect(watch.isSilent()).toBe(false);
      expect(silentProofs).toEqual([false, true]);
    },
  );

  test.each(['unreachable', 'loading', 'broken'] as const)('that is %s is not silent', async (failure) => {
    const { watch, looks } = setUp({ looks: ['timeout', failure] });

    await waitFor(() => looks() > 2);

    expect(watch.isSilent()).toBe(false);
  });

  test('that is slow to answer a check while it works is not silent, unless a call reports it', async () => {
    const { watch, becomes } = setUp({ looks: ['timeout'], isBusy: () => true });
    await becomes('failed');
    const before = watch.isSilent();

    watch.distrust();

    expect([before, watch.isSilent()]).toEqual([false, true]);
  });

  test.each([
    ['loading', 'loading', 'The language model is being loaded.'],
    ['busy', 'loading', 'The language model is too busy to say whether it is ready.'],
    ['timeout', 'failed', 'The language model does not answer.'],
    ['broken', 'failed', 'The language model answers, but not as it should.'],
    ['downloading', 'downloading', 'The language model is fetching its model.'],
  ] as const)('that is %s counts as %s', async (failure, state, reason) => {
    const { watch, becomes } = setUp({ looks: [failure] });

    await becomes(state);

    expect(watch.status().reason).toBe(reason);
  });

  test('that is unreachable is starting for a while, then failed', async () => {
    const { told, becomes } = setUp({ looks: ['unreachable'] });

    await becomes('failed');

    expect(told.at(-1)?.reason).toBe('The language model cannot be reached. Is its server running?');
    expect(told.map(({ state }) => state)).toEqual(['failed']);
  });

  test.each(['waiting', 'downloading'] as const)(
    'whose model is %s is downloading, with its progress',
    async (state) => {
      const { watch, becomes } = setUp({ looks: ['unreachable'], files: fetching(state) });

      await becomes('downloading');

      expect(watch.status().reason).toBe('The language model is being downloaded: 45 % of smollm2.');
    },
  );

  test('whose model could not be fetched has failed, with the reason', async () => {
    const { watch, becomes } = setUp({
      looks: ['unreachable'],
      files: fetching('failed', 'The disk is full.'),
    });

    await becomes('failed');

    expect(watch.status().reason).toBe('The model could not be downloaded: The disk is full.');
  });

  test('goes through all states and recovers without help', async () => {
    const { told, becomes, looks } = setUp({
      looks: ['loading', 'loading', 'well', 'well', 'broken', 'unreachable', 'well'],
    });

    await becomes('ready');
    await waitFor(() => looks() >= 7 && told.at(-1)?.state === 'ready');

    expect(told.map(({ state }) => state)).toEqual(['loading', 'ready', 'failed', 'failed', 'ready']);
  });

  test('keeps the time of its last state change', async () => {
    const { watch, told, becomes } = setUp({ looks: ['broken', 'timeout', 'broken', 'timeout', 'well'] });

    await becomes('ready');

    const failed = told.filter(({ state }) => state === 'failed');
    expect(failed.length).toBeGreaterThan(1);
    expect(new Set(failed.map(({ since }) => since)).size).toBe(1);
    expect(watch.status().since).toBeGreaterThanOrEqual(failed[0]?.since ?? 0);
  });

  test('that hangs times out and is checked again', async () => {
    const { becomes, told } = setUp({
      looks: [(signal) => once(signal, 'abort').then(() => Promise.reject(signal.reason)), 'well'],
      times: { lookMs: 20 },
    });

    await becomes('ready');

    expect(told.map(({ reason }) => reason)).toEqual(['The language model does not answer.', null]);
  });

  test('under suspicion is checked at once', async () => {
    const { watch, becomes, looks } = setUp({ looks: ['well', 'broken'], times: { checkMs: 60_000 } });
    await becomes('ready');
    expect(looks()).toBe(1);

    await waitFor(() => {
      watch.suspect();
      return watch.status().state === 'failed';
    });
  });

  test('suspected during a check is checked once more', async () => {
    const first = Promise.withResolvers<string>();
    const { watch, becomes, looks } = setUp({
      looks: ['well', () => first.promise, 'broken'],
      times: { checkMs: 60_000 },
    });
    await becomes('ready');
    watch.suspect();
    await waitFor(() => looks() === 2);

    watch.suspect();
    first.resolve('model');

    await becomes('failed');
  });

  test('that was silent during a check is not ready by the result of that check', async () => {
    const first = Promise.withResolvers<string>();
    const { watch, told, becomes } = setUp({ looks: [() => first.promise, 'broken'] });

    watch.distrust();
    first.resolve('model');

    await waitFor(() => told.at(-1)?.reason === 'The language model answers, but not as it should.');
    expect(told.map(({ state }) => state)).not.toContain('ready');
    await becomes('failed');
  });

  test('with another model than before is loading until it succeeds', async () => {
    const proof = Promise.withResolvers<string>();
    const { told, becomes } = setUp({
      looks: ['well', async () => 'another', () => proof.promise],
    });

    await becomes('loading');
    proof.resolve('another');
    await becomes('ready');

    expect(told.map(({ state, model }) => [state, model])).toEqual([
      ['ready', 'model'],
      ['loading', 'another'],
      ['ready', 'another'],
    ]);
  });

  test('that gets a request for another of its models stays ready', async () => {
    const { told, becomes } = setUp({
      looks: ['well', async () => 'another'],
      fingerprint: () => 'the same server',
    });
    await becomes('ready');

    await waitFor(() => told.at(-1)?.model === 'another');

    expect(told.map(({ state }) => state)).toEqual(['ready', 'ready']);
  });

  test('is left alone when the watch has ended', async () => {
    const { watch, becomes, looks } = setUp({ looks: ['well'] });
    await becomes('ready');

    watch.stop();
    const before = looks();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);

    expect(looks()).toBe(before);
  });

  test('never shows its own error text', async () => {
    const { told, becomes } = setUp({
      looks: ['broken', 'timeout', 'unreachable', 'loading', 'well'],
      times: { startMs: 0 },
    });

    await becomes('ready');

    expect(JSON.stringify(told)).not.toContain('secret');
  });
});
