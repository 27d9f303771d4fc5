import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-port.ts';
import { endsWithTests } from './spawned.ts';

const root = resolve(import.meta.dirname, '../../..');
const python = join(root, '.venv/bin/python');

const knownModel = resolve(root, '../shared/models/household-tiny.gguf');

/** Whether the model's answers are known word for word. */
export const answersAreKnown = existsSync(knownModel);

/** A tiny model made for tests, if it lies beside the repository; otherwise any fetched model. */
const model = [
  knownModel,
  join(process.env['TEST_MODELS_DIR'] ?? join(root, 'data/models'), 'llm.gguf'),
].find((file) => existsSync(file));

/** Whether a real llama-server can run here: its Python environment and a model. */
export const hasRealLlm = existsSync(python) && model !== undefined;

const slotsSchema = z.array(z.object({ id: z.number(), is_processing: z.boolean() }));

export type RealLlm = Awaited<ReturnType<typeof startRealLlm>>;

/** llama-server as `make run` starts it. */
export async function startRealLlm() {
  if (model === undefined) throw new Error('there is no language model to serve');
  const folder = await mkdtemp(join(tmpdir(), 'hearth-llm-'));
  await symlink(model, join(folder, 'llm.gguf'));
  const port = await freePort();
  // Other tests run at the same time, so it gets no extra share of the CPU.
  const env = { ...process.env, LLM_PORT: String(port), MODELS_DIR: folder, LLM_CPU_SHARES: '1024' };
  const child = endsWithTests(spawn(python, [join(root, 'services/llm/start.py')], { env, stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${url}/health`)).ok, { what: 'llama-server', withinMs: 60_000 });
  return {
    url,
    /** The number of slots that work on an answer now. */
    busySlots: async () => {
      const slots = slotsSchema.parse(await (await fetch(`${url}/slots`)).json());
      return slots.filter(({ is_processing }) => is_processing).length;
    },
    /** The number of tokens in a text. */
    tokens: async (content: string) => {
      const answer = await fetch(`${url}/tokenize`, { method: 'POST', body: JSON.stringify({ content }) });
      return z.object({ tokens: z.array(z.number()) }).parse(await answer.json()).tokens.length;
    },
    /** The number of tokens in all finished answers. */
    writtenTokens: async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return Number(/^llamacpp:tokens_predicted_total (\S+)$/m.exec(metrics)?.[1]);
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
