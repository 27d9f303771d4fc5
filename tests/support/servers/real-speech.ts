import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-port.ts';
import { endsWithTests } from './spawned.ts';

const root = resolve(import.meta.dirname, '../../..');
const python = join(root, '.venv/bin/python');
const models = process.env['TEST_MODELS_DIR'] ?? join(root, 'data/models');

/** The files of the voice. */
export const voiceFolder = join(models, 'tts');

/** Whether the project's own speech engines can run here: their Python environment and models of any size. */
export const hasSpeechEngines =
  existsSync(python) && existsSync(join(models, 'stt')) && existsSync(voiceFolder);

export interface RealEngine {
  url: string;
  stop(): Promise<void>;
}

/** Our own speech recognition, as `make run` starts it. */
export async function startRealStt(): Promise<RealEngine> {
  const port = await freePort();
  const settings = {
    STT_PORT: String(port),
    STT_MODEL_DIR: join(models, 'stt'),
    PYTHONPATH: join(root, 'services/stt'),
  };
  return await start(['-m', 'stt_server'], { settings, port, isReady: (url) => answers(`${url}/health`) });
}

/** Piper, as `make run` starts it. */
export async function startRealTts(): Promise<RealEngine> {
  const port = await freePort();
  const settings = { TTS_PORT: String(port), MODELS_DIR: models };
  const program = [join(root, 'services/tts/start.py')];
  return await start(program, { settings, port, isReady: (url) => answers(`${url}/info`) });
}

interface StartOptions {
  settings: Record<string, string>;
  port: number;
  isReady: (url: string) => Promise<boolean>;
}

async function start(program: string[], { settings, port, isReady }: StartOptions): Promise<RealEngine> {
  const env = { ...process.env, ...settings };
  const child = endsWithTests(spawn(python, program, { env, stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(() => isReady(url), { what: program.join(' '), withinMs: 60_000 });
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
