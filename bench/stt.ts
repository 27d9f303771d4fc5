import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './part.ts';

const root = join(import.meta.dirname, '..');

/** Calls bench/stt.py, which prints to the terminal itself. Null if a requirement is missing. */
export async function runSttBench(resultFile: string, signal: AbortSignal): Promise<Findings | null> {
  const python = join(root, '.venv/bin/python');
  if (!existsSync(python)) return null;
  rmSync(resultFile, { force: true });
  const args = [join(root, 'bench/stt.py'), '--rounds', '1', '--json', resultFile];
  // In a separate process group, so that its servers can be ended with it.
  const child = spawn(python, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', end, { once: true });
  const [code] = await once(child, 'exit');
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (!existsSync(resultFile)) return null;
  const figures: unknown = JSON.parse(readFileSync(resultFile, 'utf8'));
  return {
    text: '',
    figures,
    missed: code === 0 ? [] : ['Transcription misses its speed target.'],
  };
}
