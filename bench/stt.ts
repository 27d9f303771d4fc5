import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './part.ts';

const root = join(import.meta.dirname, '..');

/** Calls bench/stt.py, which speaks for itself on the terminal. Null: what it needs is not here. */
export async function runSttBench(resultFile: string, signal: AbortSignal): Promise<Findings | null> {
  const python = join(root, '.venv/bin/python');
  if (!existsSync(python)) return null;
  const args = [join(root, 'bench/stt.py'), '--rounds', '1', '--json', resultFile];
  const child = spawn(python, args, { stdio: ['ignore', 'inherit', 'inherit'], signal });
  const [code] = await once(child, 'exit');
  if (!existsSync(resultFile)) return null;
  const figures: unknown = JSON.parse(readFileSync(resultFile, 'utf8'));
  return {
    text: '',
    figures,
    missed: code === 0 ? [] : ['Transcription is not as much faster as promised.'],
  };
}
