import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endsWithTests } from './spawned.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** As in a home, a start reuses the previous start's compiled code. */
const compiled = join(tmpdir(), 'hearth-test-compiled');

export interface RunningProcess {
  child: ChildProcess;
  /** All of its output. */
  output: () => string;
  /** Sends a signal and waits for the end. Returns the exit code; null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  exit: Promise<number | null>;
}

/**
 * Runs one of our entry points as a separate process. Of this process's environment it gets only the path.
 */
export async function startProcess(
  entry: 'server' | 'worker',
  env: Record<string, string>,
): Promise<RunningProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-test-'));
  const child = endsWithTests(
    spawn(process.execPath, [join(root, 'api/src', `${entry}.ts`)], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compiled,
        TMPDIR: folder,
        MODELS_DIR: folder,
        TZ: 'Europe/Berlin',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let text = '';
  const note = (chunk: Buffer) => {
    text += chunk;
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const exit = once(child, 'close').then(async ([code]) => {
    await rm(folder, { recursive: true, force: true });
    return typeof code === 'number' ? code : null;
  });
  return {
    child,
    output: () => text,
    exit,
    end: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}
