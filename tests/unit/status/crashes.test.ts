import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engineNow } from '../../../api/src/http/health-routes.ts';
import { type CrashWatch, watchCrashes } from '../../../api/src/status/crashes.ts';
import type { EngineState } from '../../../api/src/status/engine-status.ts';
import { waitFor } from '../../support/wait-for.ts';

const reason = 'The language model ended by an illegal instruction (SIGILL): this processor lacks AVX2.';

describe('the folder of crashes', () => {
  let folder: string;
  const tell = (text: string) => writeFile(join(folder, 'llm.json'), text);
  let watch: CrashWatch | undefined;
  let now = 1_000_000;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crashes-'));
    watch = watchCrashes({ folder, intervalMs: 5, now: () => now });
  });
  afterEach(async () => {
    watch?.stop();
    await rm(folder, { recursive: true });
  });

  test('contains why a program ended, for two minutes', async () => {
    await tell(JSON.stringify({ at: now, reason }));
    await waitFor(() => watch?.reasonOf('llm') !== undefined);

    expect([watch?.reasonOf('llm'), watch?.reasonOf('stt')]).toEqual([reason, undefined]);
    now += 120_000;
    expect(watch?.reasonOf('llm')).toBeUndefined();
  });

  test.each(['', '{"at":', '{"at":"now"}', '[]'])('tells nothing while a file is %s', async (text) => {
    await tell(JSON.stringify({ at: now, reason }));
    await waitFor(() => watch?.reasonOf('llm') !== undefined);

    await tell(text);

    await waitFor(() => watch?.reasonOf('llm') === undefined);
  });

  test('tells of one program although another file is a pipe or a link to one', async () => {
    const pipe = join(folder, 'stt.json');
    await promisify(execFile)('mkfifo', [pipe]);
    await symlink(pipe, join(folder, 'tts.json'));
    await tell(JSON.stringify({ at: now, reason }));

    await waitFor(() => watch?.reasonOf('llm') !== undefined);
    expect([watch?.reasonOf('stt'), watch?.reasonOf('tts')]).toEqual([undefined, undefined]);
  });
});

describe('an engine that keeps crashing', () => {
  const healthIn = (state: EngineState | null) =>
    engineNow('llm', {
      off: {},
      files: { current: { progress: null, selection: null } },
      crashes: { reasonOf: (program) => (program === 'llm' ? reason : undefined) },
      workers: {
        engine: () => (state === null ? undefined : { state, reason: null, since: 0, model: null }),
        noneAlive: () => true,
      },
      redisIsReady: () => true,
    });

  test('has failed, with the reason, until it is ready', () => {
    expect(healthIn('starting')).toMatchObject({ state: 'failed', reason });
    expect(healthIn('ready')).toMatchObject({ state: 'ready', reason: null });
  });

  test('is not blamed for a missing worker', () => {
    expect(healthIn(null)).toMatchObject({ state: 'failed', reason: 'No worker is running.' });
  });
});
