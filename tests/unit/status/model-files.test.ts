import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelFilesWatch, watchModelFiles } from '../../../api/src/status/model-files.ts';
import { waitFor } from '../../support/wait-for.ts';

const progress = {
  state: 'downloading',
  updatedAt: '2026-11-20T18:05:00Z',
  models: [{ kind: 'llm', id: 'smollm2', state: 'downloading', bytesDone: 1, bytesTotal: 10 }],
};
const selection = {
  requested: 'small',
  size: 'tiny',
  note: 'The hub cannot be reached.',
  models: { llm: { id: 'smollm2', name: 'SmolLM2', file: 'x.gguf' } },
};

let modelsDir: string;
let watch: ModelFilesWatch | undefined;

beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'models-'));
});
afterEach(async () => {
  watch?.stop();
  await rm(modelsDir, { recursive: true, force: true });
});

const write = (name: string, content: unknown) =>
  writeFile(join(modelsDir, name), typeof content === 'string' ? content : JSON.stringify(content));

/** The watch, once it has certainly looked: the other file was written last and has been seen. */
async function seen(): Promise<ModelFilesWatch> {
  const started = watchModelFiles({ modelsDir, intervalMs: 5 });
  watch = started;
  await waitFor(() => started.current.selection !== null || started.current.progress !== null);
  return started;
}

describe('the models folder', () => {
  test('shows the current download and the chosen models', async () => {
    await write('progress.json', progress);
    await write('selection.json', selection);

    const { current } = await seen();

    expect(current.progress?.models[0]).toMatchObject({
      kind: 'llm',
      bytesDone: 1,
      bytesTotal: 10,
      reason: null,
    });
    expect(current.selection).toMatchObject({ size: 'tiny', note: 'The hub cannot be reached.' });
  });

  test('is read again when it changes', async () => {
    await write('progress.json', progress);
    const started = await seen();

    await write('progress.json', { ...progress, state: 'done', models: [] });

    await waitFor(() => started.current.progress?.state === 'done');
  });

  test('that is missing shows nothing', async () => {
    const started = watchModelFiles({ modelsDir: join(modelsDir, 'nowhere'), intervalMs: 5 });
    watch = started;

    expect(started.current).toEqual({ progress: null, selection: null });
  });

  test.each([
    ['half-written', JSON.stringify(progress).slice(0, 60)],
    ['empty', ''],
    ['of another shape', { state: 5 }],
    ['oversize', { ...progress, state: 'x'.repeat(100_000) }],
    ['binary', '\u0000\u0001'],
  ])('with a %s file shows nothing of it', async (_what, content) => {
    await write('progress.json', content);
    await write('selection.json', selection);

    const { current } = await seen();

    expect(current.progress).toBeNull();
    expect(current.selection?.size).toBe('tiny');
  });

  test('with a folder in place of a file shows nothing of it', async () => {
    await mkdir(join(modelsDir, 'progress.json'));
    await write('selection.json', selection);

    expect((await seen()).current.progress).toBeNull();
  });
});
