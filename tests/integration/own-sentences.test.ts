import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../support/clients/caller.ts';
import { type Assistant, startAssistant, startWorker } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const path = '/admin/own-sentences';
const file = 'en/skills/lists.yaml';
const text = 'sentences:\n  put:\n    - pop {items} onto {list}\n';

let redis: OwnRedis;
let assistant: Assistant;
let folder: string;

const options = () => ({
  redisUrl: redis.url,
  env: { LLM_URL: 'off', STT_URL: 'off', TTS_URL: 'off', LANGUAGES_DIR: folder },
});
const save = (body: unknown) => assistant.call(path, { method: 'PUT', body });
const remove = (name: string) => assistant.call(`${path}?file=${name}`, { method: 'DELETE' });
const errorIn = ({ body }: Answer) =>
  z
    .object({ error: z.object({ code: z.string(), message: z.string(), param: z.string().nullable() }) })
    .parse(body).error;
const written = (name = file) => join(folder, name);

beforeAll(async () => {
  redis = await startRedis();
  folder = mkdtempSync(join(tmpdir(), 'hearth-sentences-'));
  assistant = await startAssistant(options());
});
afterEach(() => rmSync(join(folder, 'en'), { recursive: true, force: true }));
afterAll(async () => {
  await assistant?.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

test('lists the files that the household can add to, and shows those of Hearth', async () => {
  const shipped = await assistant.call(`${path}/shipped?file=${file}`);

  const { body } = await assistant.call(path);

  expect(body).toMatchObject({
    files: [],
    possible: expect.arrayContaining(['en/hearing.yaml', file]),
    restart_needed: false,
  });
  expect(shipped.body).toEqual({ file, text: readFileSync(`api/languages/${file}`, 'utf8') });
});

test('saves a file, which counts after a restart, and deletes it', async () => {
  const { status, body } = await save({ file, text });

  expect([status, body]).toMatchObject([200, { files: [{ file, text }], restart_needed: true }]);
  expect(readFileSync(written(), 'utf8')).toBe(text);
  expect(readdirSync(join(folder, 'en/skills'))).toEqual(['lists.yaml']);
  const [before] = assistant.workers;
  await before?.stop();
  const worker = startWorker(options());
  try {
    const { body: answer } = await assistant.ask('Pop eggs onto the shopping list');
    expect(answer).toMatchObject({ via: 'skills', reply: expect.stringContaining('shopping list') });
  } finally {
    await worker.stop();
    assistant.workers.push(startWorker(options()));
  }
  await waitFor(async () => (await assistant.health()).workers === 1);

  const removed = await remove(file);

  expect(removed.body).toMatchObject({ files: [], restart_needed: false });
  expect(existsSync(written())).toBe(false);
});

test.each([
  ['what is not YAML', file, 'sentences: [put', /^skills\/lists\.yaml:\d+: /],
  [
    'a list instead of names',
    'en/hearing.yaml',
    '- Aoife\n',
    /^hearing\.yaml must hold names with values\.$/,
  ],
  [
    'a number for a sentence',
    file,
    'sentences:\n  put: [7]\n',
    /^skills\/lists\.yaml: sentences\.put\.\d+: /,
  ],
  [
    'a slot without a list',
    file,
    'sentences: { put: ["pop {thing}"] }\n',
    /^skills\/lists\.yaml: .*\{thing\}/,
  ],
  [
    'a word with too many forms',
    file,
    `sentences: { put: ["pop${[...'abcdefghijklmn'].map((letter) => `[${letter}]`).join('')} {items}"] }\n`,
    /^skills\/lists\.yaml: .*a word with too many forms/,
  ],
  [
    'a rule of the house',
    'en/skills/home.yaml',
    'sentences: { on: ["<glow>"] }\n',
    /^skills\/home\.yaml: .*glow/,
  ],
  [
    'a wrong example',
    'en/examples.yaml',
    'groups: [{ title: Ours }]\n',
    /^examples\.yaml: groups\.\d+\.skill: /,
  ],
])('refuses %s, and tells the place', async (_, name, wrong, reason) => {
  const answer = await save({ file: name, text: wrong });

  expect([answer.status, errorIn(answer)]).toMatchObject([400, { param: 'text' }]);
  expect(errorIn(answer).message).toMatch(reason);
  expect(existsSync(written(name))).toBe(false);
});

test('answers questions while it checks a file', async () => {
  mkdirSync(join(folder, 'en'));
  const gate = written('en/hearing.yaml');
  execFileSync('mkfifo', [gate]);
  const saving = save({ file, text });
  // Opens when the check reads the file, and holds it there.
  await using writer = await open(gate, 'w');
  rmSync(gate);

  const answer = await Promise.race([assistant.ask('What is two plus two?'), saving]);

  expect(answer.body).toMatchObject({ via: 'skills', reply: expect.stringContaining('4') });
  await writer.writeFile('{}\n');
  await writer.close();
  expect((await saving).status).toBe(200);
});

test('does not delete a file that another one needs', async () => {
  mkdirSync(join(folder, 'en/skills'), { recursive: true });
  writeFileSync(written('en/grammar.yaml'), 'lists:\n  shop: { values: [bakery] }\n');
  writeFileSync(written(), 'sentences:\n  put: ["pop {items} onto {list} at {shop}"]\n');

  const answer = await remove('en/grammar.yaml');

  expect([answer.status, errorIn(answer).message]).toEqual([400, expect.stringContaining('{shop}')]);
  expect(existsSync(written('en/grammar.yaml'))).toBe(true);
});

test.each(['../secret.yaml', '/etc/passwd', 'skills', 'en/skills/nothing.yaml', 'de/hearing.yaml'])(
  'has no file called %s',
  async (name) => {
    const answers = [
      await save({ file: name, text }),
      await remove(encodeURIComponent(name)),
      await assistant.call(`${path}/shipped?file=${encodeURIComponent(name)}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('says why it cannot change the folder', async () => {
  writeFileSync(join(folder, 'en'), '');

  const answer = await save({ file, text });

  expect([answer.status, errorIn(answer)]).toMatchObject([409, { code: 'not_possible' }]);
  expect(errorIn(answer).message).toBe(
    `Hearth failed to change the folder ${folder} (ENOTDIR). Nothing has been changed.`,
  );
});
