import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);

/** The ways a program loads onnxruntime: directly, through a package, or by starting another program. */
const loads =
  /^\s*(?:from|import) (?:onnxruntime|faster_whisper|piper)\b|(?:from|import|require)\s?\(?\s?'onnxruntime-node'/m;
const starts = /executable, "-m", "piper/;
/** The compiler removes types before the program runs. */
const types = /^import type .*$|\btypeof import\('onnxruntime-node'\)/gm;
const off = /ORT_DISABLE_TELEMETRY['"]?\]?\s*[=:]\s*['"]?1/;

const sources = ['api', 'satellite', 'services', 'bench', 'scripts', 'tests', 'tools', 'console/src'].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /\.(ts|tsx|js|mjs|py)$/.test(file) && !/node_modules|\/dist\//.test(file)),
);

/** Whether the file or its package turns off telemetry before onnxruntime loads. */
function isQuiet(file: string): boolean {
  const text = read(file).replaceAll(types, '');
  const at = text.search(loads);
  const told = text.search(off);
  const beginning = join(root, dirname(file), '__init__.py');
  const isToldFirst = told >= 0 && (at < 0 || told < at);
  return isToldFirst || (existsSync(beginning) && off.test(readFileSync(beginning, 'utf8')));
}

test('every process turns off the telemetry of onnxruntime', () => {
  const loading = sources.filter((file) => {
    const text = read(file).replaceAll(types, '');
    return loads.test(text) || starts.test(text);
  });

  expect(loading).toEqual(
    expect.arrayContaining([
      'api/src/audio/vad.ts',
      'services/stt/stt_server/whisper.py',
      'services/tts/start.py',
    ]),
  );
  expect(loading.filter((file) => !isQuiet(file))).toEqual([]);
});

test('every image with onnxruntime turns off its telemetry', () => {
  const images = globSync('**/Dockerfile', { cwd: root, exclude: ['**/node_modules', '.venv'] });
  const packages = (file: string) => {
    const lock = join(dirname(file), 'requirements.lock');
    return existsSync(join(root, lock)) ? read(lock) : read('package.json');
  };
  const having = images.filter((file) => packages(file).includes('onnxruntime'));
  const lastStage = (file: string) =>
    read(file)
      .split(/^FROM /m)
      .at(-1) ?? '';

  expect(having.toSorted()).toEqual(['api/Dockerfile', 'services/stt/Dockerfile', 'services/tts/Dockerfile']);
  expect(having.filter((file) => !/^\s*(ENV )?.*ORT_DISABLE_TELEMETRY=1/m.test(lastStage(file)))).toEqual([]);
});

// It writes its device id as soon as it loads, long before it contacts any server.
test('the voice detection leaves nothing in the home folder', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hearth-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const vad = join(root, 'api/src/audio/vad.ts');

  await run(process.execPath, ['--eval', `import(${JSON.stringify(vad)}).then(({ loadVad }) => loadVad())`], {
    env: { HOME: home },
  });

  expect(readdirSync(home)).toEqual([]);
});
