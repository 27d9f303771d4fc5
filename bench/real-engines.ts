import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Household, startHousehold } from './household.ts';
import { freePort } from './processes.ts';

const root = join(import.meta.dirname, '..');
const python = join(root, '.venv/bin/python');
/** Models of whichever size was fetched. */
const models = resolve(process.env['BENCH_MODELS_DIR'] ?? join(root, 'data/models'));

/** Whether the project's own engines can run here: their Python environment, and models for all three. */
export const hasRealEngines =
  existsSync(python) && ['llm.gguf', 'stt', 'tts'].every((name) => existsSync(join(models, name)));

/** Whether speech recognition and voice can run here. */
export const hasSpeechModels =
  existsSync(python) && ['stt', 'tts'].every((name) => existsSync(join(models, name)));

interface EngineOptions {
  name: string;
  args: string[];
  env: Record<string, string>;
  /** The variable that sets its port, and the address that answers when it is ready. */
  portVariable: string;
  readyPath: string;
}

interface RealEngine {
  url: string;
  child: ChildProcess;
}

/** An engine as `make run` starts it; ends with the household. */
async function start({ processes }: Household, options: EngineOptions): Promise<RealEngine> {
  const { name, args, env, portVariable, readyPath } = options;
  const port = await freePort();
  const settings = { ...env, [portVariable]: String(port) };
  const child = processes.start(name, { command: python, args, env: settings });
  const url = `http://127.0.0.1:${port}`;
  const answers = async () => {
    const { ok } = await fetch(`${url}${readyPath}`).catch(() => ({ ok: false }));
    return ok;
  };
  await processes.until(answers, { what: name, child, withinMs: 240_000 });
  return { url, child };
}

/** llama-server on one model file. */
export async function startLlm(house: Household, model = join(models, 'llm.gguf')): Promise<string> {
  const folder = mkdtempSync(join(house.folder, 'real-llm-'));
  symlinkSync(model, join(folder, 'llm.gguf'));
  const { url } = await start(house, {
    name: 'real-llm',
    args: [join(root, 'services/llm/start.py')],
    env: { MODELS_DIR: folder },
    portVariable: 'LLM_PORT',
    readyPath: '/health',
  });
  return url;
}

export async function startStt(house: Household): Promise<string> {
  return (await startSttEngine(house)).url;
}

/** Speech recognition with its process, whose work can be measured. */
export function startSttEngine(house: Household, model = join(models, 'stt')): Promise<RealEngine> {
  return start(house, {
    name: 'real-stt',
    args: ['-m', 'stt_server'],
    env: { STT_MODEL_DIR: model, PYTHONPATH: join(root, 'services/stt') },
    portVariable: 'STT_PORT',
    readyPath: '/health',
  });
}

export async function startTts(house: Household): Promise<string> {
  const { url } = await start(house, {
    name: 'real-tts',
    args: [join(root, 'services/tts/start.py')],
    env: { MODELS_DIR: models },
    portVariable: 'TTS_PORT',
    readyPath: '/info',
  });
  return url;
}

/** Runs a function with a household on all three real engines, and always ends the household. */
export async function onRealEngines<T>(
  house: Household,
  name: string,
  work: (real: Household, urls: { sttUrl: string; ttsUrl: string }) => Promise<T>,
): Promise<T> {
  const [llmUrl, sttUrl, ttsUrl] = [await startLlm(house), await startStt(house), await startTts(house)];
  const folder = join(house.folder, name);
  mkdirSync(folder);
  const real = await startHousehold({ folder, signal: house.signal, llmUrl, sttUrl, ttsUrl });
  try {
    return await work(real, { sttUrl, ttsUrl });
  } finally {
    await real.end();
  }
}
