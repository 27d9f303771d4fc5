import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
const known = (await read('scripts/known-settings')).trim().split('\n');
/** Values that Hearth's own programs pass to each other are not settings. */
const ownNames = [
  'CRASHES_DIR',
  'HTTPS_DIR',
  'LANGUAGES_DIR',
  'LENT_DIR',
  'MODELS_DIR',
  'MODELS_SOCKET',
  'NAME',
  'WAKE_WORDS_DIR',
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-settings-'));
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The findings about the names in these files. */
async function told(files: Record<string, string>, what = 'tell_unknown_settings'): Promise<string[]> {
  for (const [name, lines] of Object.entries(files)) await writeFile(join(folder, name), lines);
  const script = `set -euo pipefail; . scripts/settings; ${what}`;
  const { stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: folder });
  return stderr.split('\n').filter((line) => line !== '');
}

test('the check reports a secret in the wrong file, where containers do not read it', async () => {
  await cp(join(root, 'secrets.env.example'), join(folder, 'secrets.env.example'));
  const toldOfSecrets = (files: Record<string, string>) =>
    told(files, 'tell_misplaced_secrets || echo stop >&2');

  expect(await toldOfSecrets({ '.env': 'PORT=1\n', 'secrets.env': 'SERVICE_TOKEN=x\n' })).toEqual([]);
  expect(
    await toldOfSecrets({ '.env': '# LLM_API_KEY=\nexport SERVICE_TOKEN = x\nHOME_ASSISTANT_URL=x\n' }),
  ).toEqual([
    '.env: containers do not get SERVICE_TOKEN from here. Move the line to secrets.env.',
    '.env: containers do not get HOME_ASSISTANT_URL from here. Move the line to secrets.env.',
    'stop',
  ]);
});

test('the check refuses a value that docker compose reads differently, but not one in single quotes', async () => {
  const lines = await told(
    {
      '.env': `PORT=1\n# A=$b\nDATA_DIR="$HOME/data"\nTZ=UTC # costs $5\n`,
      'secrets.env': [
        `LLM_API_KEY='pa$$word'`,
        'SERVICE_TOKEN=pa$$word',
        'HOME_ASSISTANT_TOKEN="a\\"b"',
        `HOME_ASSISTANT_URL='open`,
        'BACKUP_PASSPHRASE=#1 "secret"',
        'TZ: UTC',
        'HF_TOKEN="plain" # $5',
      ].join('\n'),
    },
    'tell_ambiguous_values || echo stop >&2',
  );

  const advice =
    'into single quotes, and use none inside. Without them, docker compose reads it differently.';
  expect(lines).toEqual([
    `.env, line 3: put the value of DATA_DIR ${advice}`,
    `secrets.env, line 2: put the value of SERVICE_TOKEN ${advice}`,
    `secrets.env, line 3: put the value of HOME_ASSISTANT_TOKEN ${advice}`,
    `secrets.env, line 4: put the value of HOME_ASSISTANT_URL ${advice}`,
    `secrets.env, line 5: put the value of BACKUP_PASSPHRASE ${advice}`,
    'secrets.env, line 6: expected NAME=value.',
    'stop',
  ]);
});

test('the check reports an unknown name, with the nearest setting', async () => {
  const lines = await told({
    '.env': 'PROT=9311\nexport STT_MODLE = x\nWHATEVER=1\n',
    'secrets.env': 'SERVICE_TOKN=abc\n',
  });

  expect(lines).toEqual([
    '.env: PROT is not a setting of Hearth. Did you mean PORT?',
    '.env: STT_MODLE is not a setting of Hearth. Did you mean STT_MODEL?',
    '.env: WHATEVER is not a setting of Hearth. docs/install.md lists them.',
    'secrets.env: SERVICE_TOKN is not a setting of Hearth. Did you mean SERVICE_TOKEN?',
  ]);
});

test('the check accepts settings, comments and the names of other programs', async () => {
  expect(await told({})).toEqual([]);
  expect(
    await told({ '.env': '# PROT=1\n\nPORT=8765\nCOMPOSE_FILE=a.yml\nhttp_proxy=x\nnonsense\n' }),
  ).toEqual([]);
});

test('the check knows every setting of the documents, of compose and of the programs', async () => {
  const rows = (await read('docs/install.md')).split('\n| variable').at(-1)?.split('\n\n')[0] ?? '';
  const documented = [...rows.matchAll(/^\| (`[^|]+)/gm)].flatMap(
    ([, names = '']) => names.match(/[A-Z_0-9]+/g) ?? [],
  );
  const files = (await Promise.all(['docker-compose.yml', 'docker-compose.lend.yml'].map(read))).join('\n');
  const composed = [...files.matchAll(/\$\{([A-Z_0-9]+)/g)].map(([, name = '']) => name);
  const configured = [...(await read('api/src/config.ts')).matchAll(/get\('([A-Z_0-9]+)'/g)].map(
    ([, name = '']) => name,
  );
  const all = new Set([...documented, ...composed, ...configured]);

  expect(documented.length).toBeGreaterThan(30);
  expect([...all].filter((name) => !known.includes(name) && !ownNames.includes(name))).toEqual([]);
  expect(known.filter((name) => !all.has(name))).toEqual([]);
});
