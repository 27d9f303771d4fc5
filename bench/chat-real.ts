import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { loadLanguage } from '../api/src/language/language.ts';
import { createContextLine } from '../api/src/respond/model/prompt.ts';
import { engineBodyOf, followStream, hearthBody, question, type Seen } from './chat.ts';
import { type Household, startHousehold } from './household.ts';
import { alternate, roundTo, summary, table } from './measure.ts';
import type { Part } from './part.ts';
import { startLlm } from './real-engines.ts';

const { prompt } = loadLanguage({ folder: new URL('../api/languages/en/', import.meta.url) });

const root = join(import.meta.dirname, '..');
const python = join(root, '.venv/bin/python');
/** A tiny model made for tests, if it lies beside the repository; otherwise any fetched model. */
const model = ['../shared/models/household-tiny.gguf', 'data/models/llm.gguf']
  .map((file) => join(root, file))
  .find((file) => existsSync(file));

const rounds = 20;

/** The time that Hearth adds to a streamed answer of a real llama-server; both get the same request. */
export const chatRealPart: Part = {
  name: 'chat-real',
  async run(house) {
    if (model === undefined || !existsSync(python)) {
      return { text: 'A real llama-server: skipped, it needs .venv and a model', figures: null, missed: [] };
    }
    const llmUrl = await startLlm(house, model);
    const folder = join(house.folder, 'real-house');
    mkdirSync(folder);
    const real = await startHousehold({ folder, signal: house.signal, llmUrl });
    try {
      return report(await measure(real));
    } finally {
      await real.end();
    }
  },
};

async function measure({ chatUrls, timeZone }: Household) {
  const agent = new Agent({ connections: 4, pipelining: 1 });
  const contextLine = createContextLine(timeZone, prompt);
  const seen = { engine: [] as Seen[], hearth: [] as Seen[] };
  const engine = async () => {
    const message = `${contextLine({ createdAt: Date.now(), room: null })} ${question}`;
    seen.engine.push(await followStream(chatUrls.engine, engineBodyOf(message), agent));
  };
  const hearth = async () => void seen.hearth.push(await followStream(chatUrls.hearth, hearthBody, agent));
  try {
    await alternate([engine, hearth], { callers: 1, rounds: 2, callsInRow: 1 });
    for (const answers of Object.values(seen)) answers.length = 0;
    await alternate([engine, hearth], { callers: 1, rounds, callsInRow: 1 });
  } finally {
    await agent.close();
  }
  const of = (streams: readonly Seen[]) => ({
    first: summary(streams.map(({ firstMs }) => firstMs)),
    total: summary(streams.map(({ totalMs }) => totalMs)),
  });
  return { engine: of(seen.engine), hearth: of(seen.hearth) };
}

function report({ engine, hearth }: Awaited<ReturnType<typeof measure>>) {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rows = (['first', 'total'] as const).map((what) => {
    const [direct, through] = [engine[what].medianMs, hearth[what].medianMs];
    const name = what === 'first' ? 'first words' : 'whole answer';
    return [name, ms(direct), ms(through), (through / direct).toFixed(3), ms(through - direct)];
  });
  const extraMs = roundTo(hearth.first.medianMs - engine.first.medianMs, 2);
  return {
    text: `The same on a real llama-server, with a cached prompt both times\n${table([
      ['one stream', 'direct', 'through Hearth', 'ratio', 'extra'],
      ...rows,
    ])}`,
    figures: { engine, hearth, extraMs },
    missed: [],
  };
}
