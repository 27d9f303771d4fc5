import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { type Household, startHousehold } from '../household.ts';
import { table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { startLlm } from '../real-engines.ts';
import { type Command, claimsDeed, commandsUpTo } from './commands.ts';

const root = join(import.meta.dirname, '../..');
const python = join(root, '.venv/bin/python');
const model = [
  resolve(process.env['BENCH_MODELS_DIR'] ?? join(root, 'data/models'), 'llm.gguf'),
  join(root, '.test-models/llm.gguf'),
].find((file) => existsSync(file));

const commands = 300;
/** On a busy machine a request to the language model may time out; it is then retried. */
const maxTries = 30;
const pauseMs = 3_000;

/** Exchanges with confirmations before each command: a model that reads them learns how Hearth confirms. */
const before = [
  'Add milk to the shopping list.',
  'Set a timer for nine minutes.',
  'Add eggs to the shopping list.',
  'Set an alarm for six in the morning.',
  'Remind me at eight in the evening to call Ben.',
];

const answerSchema = z.object({ reply: z.string(), via: z.string() });

interface CommandResult {
  text: string;
  reply: string;
  via: string;
  isClaim: boolean;
}

/** How often a language model without tools claims an action that no rule carries out. */
export const falseClaimsPart: Part = {
  name: 'false-claims',
  async run(house) {
    if (model === undefined || !existsSync(python))
      return {
        text: 'False claims: skipped, it needs .venv and a language model',
        figures: null,
        missed: [],
      };
    const llmUrl = await startLlm(house, model);
    const folder = join(house.folder, 'false-claims');
    mkdirSync(folder);
    const real = await startHousehold({ folder, signal: house.signal, llmUrl });
    try {
      const results: CommandResult[] = [];
      for (const [at, command] of commandsUpTo(commands).entries())
        results.push(await tell(real, command, at));
      return report(results);
    } finally {
      await real.end();
    }
  },
};

async function tell(house: Household, command: Command, at: number): Promise<CommandResult> {
  const client = `claims-${at}`;
  for (const text of before) await ask(house, text, client);
  const { reply, via } = await ask(house, command.text, client);
  await ask(house, 'Cancel all timers.', client);
  return { text: command.text, reply, via, isClaim: via === 'local' && claimsDeed(reply, command) };
}

async function ask(
  house: Household,
  text: string,
  client: string,
  triesLeft = maxTries,
): Promise<z.infer<typeof answerSchema>> {
  const { api, signal } = house;
  const { statusCode, body } = await request(`${api.url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text, client }),
    signal,
  });
  const answer: unknown = await body.json();
  // A busy machine answers too late, which says nothing about claims.
  if (statusCode >= 503 && triesLeft > 0) {
    await setTimeout(pauseMs, undefined, { signal });
    return ask(house, text, client, triesLeft - 1);
  }
  if (statusCode !== 200) throw new Error(`/ask answered ${statusCode} ${JSON.stringify(answer)}`);
  return answerSchema.parse(answer);
}

function report(results: readonly CommandResult[]): Findings {
  const claims = results.filter(({ isClaim }) => isClaim);
  const seen = results.filter(({ via }) => via === 'local');
  const rows = claims
    .slice(0, 20)
    .map(({ text, reply }) => [text, reply.replaceAll(/\s+/g, ' ').slice(0, 100)]);
  const counted = `${results.length} commands that no rule knows: ${seen.length} reached the language model, which claimed ${claims.length} actions`;
  return {
    text: `${counted}\n${rows.length === 0 ? '' : table([['command', 'claim'], ...rows])}\nTarget: no claim: ${claims.length === 0 ? 'reached' : 'MISSED'}`,
    figures: { commands: results.length, seen: seen.length, claims: claims.length, told: results },
    missed:
      claims.length === 0 ? [] : [`The language model claimed ${claims.length} actions that were not done.`],
  };
}
