import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { ChaosHouse } from '../chaos/house.ts';
import { call, type Outcome } from '../chaos/outcomes.ts';
import { runBounded, say } from '../chaos/report.ts';
import { type Count, countsTable, missedOf } from '../chaos/verdict.ts';
import { table } from '../measure.ts';
import { goodRecordings, mutated, seededRandom } from './recordings.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Each of the two rounds of calls, with and without a token, may take this long. */
const roundS = Number(process.env['SECONDS'] ?? 270);
const recordings = 2_000;
const atOnce = 4;
const token = 'fuzz-token-fuzz-token-fuzz-token';
/** These operations end programs or work for minutes, as requested. */
const leftOut = ['/admin/restart', '/admin/check'];
/** Followed logs never end by themselves. */
const requestS = 10;

const maxMs = (2 * roundS + 900) * 1_000;

/** Schemathesis, in a separate environment because only this bench needs it. */
function installed(): string {
  const folder = join(root, '.venv/fuzz');
  const program = join(folder, 'bin/schemathesis');
  if (existsSync(program)) return program;
  say('Installing Schemathesis ...');
  const lock = join(import.meta.dirname, 'requirements.lock');
  execFileSync(join(root, '.venv/bin/python'), ['-m', 'venv', folder]);
  execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', '--require-hashes', '--requirement', lock]);
  return program;
}

interface CallAllOptions {
  program: string;
  folder: string;
  headers: readonly string[];
}

const harSchema = z.object({
  log: z.object({ entries: z.array(z.object({ response: z.object({ status: z.number() }) })) }),
});

/** Calls every operation of the contract with generated values, valid and invalid; returns the statuses. */
async function callAll(
  house: ChaosHouse,
  { program, folder, headers }: CallAllOptions,
): Promise<Map<string, number>> {
  mkdirSync(folder, { recursive: true });
  const har = join(folder, 'calls.har');
  const excluded = leftOut.flatMap((path) => ['--exclude-path', path]);
  const args = ['run', join(root, 'openapi.yaml'), '--url', house.url, '--max-time', String(roundS)];
  const bounds = [
    '--request-timeout',
    String(requestS),
    '--continue-on-failure',
    '--workers',
    '2',
    '--seed',
    '1',
  ];
  const checks = [
    '--phases',
    'examples,coverage,fuzzing',
    '--checks',
    'not_a_server_error',
    '--warnings',
    'off',
  ];
  const report = ['--report', 'har', '--report-har-path', har, '--no-color'];
  // It exits with 1 after any finding; this code counts the findings.
  await run(program, [...args, ...bounds, ...checks, ...report, ...excluded, ...headers], {
    cwd: folder,
    timeout: (roundS + 120) * 1_000,
    maxBuffer: 1 << 28,
  }).catch((error: unknown) => {
    if (!existsSync(har)) throw error;
  });
  const { entries } = harSchema.parse(JSON.parse(readFileSync(har, 'utf8'))).log;
  return tally(
    entries.map(({ response }) => (response.status === 0 ? 'no answer' : String(response.status))),
  );
}

async function sendRecordings(house: ChaosHouse, signal: AbortSignal): Promise<Outcome[]> {
  const ffmpeg = execFileSync(join(root, '.venv/bin/python'), [
    '-c',
    'import imageio_ffmpeg as f; print(f.get_ffmpeg_exe())',
  ]);
  const good = [...goodRecordings(String(ffmpeg).trim()).values()];
  const random = seededRandom(7);
  const outcomes: Outcome[] = [];
  const send = async () => {
    while (outcomes.length < recordings) {
      signal.throwIfAborted();
      const bytes = good[Math.floor(random() * good.length)];
      if (!bytes) throw new Error('there is no recording');
      const path = `/voice?token=${token}`;
      outcomes.push(await call(house.url, { what: 'recording', path, body: mutated(bytes, random) }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return outcomes;
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
const countOf = (counts: ReadonlyMap<string, number>, name: string): number => counts.get(name) ?? 0;

function statusTable(counts: ReadonlyMap<string, number>): string {
  const rows = [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => [name, String(count)]);
  return table([['status', 'answers'], ...rows]);
}

process.exitCode = await runBounded('fuzz', maxMs, async ({ folder, signal, startHouse }) => {
  const program = installed();
  const house = await startHouse({ SERVICE_TOKEN: token });
  const found: Count[] = [];
  for (const [name, headers] of [
    ['with the token', ['--header', `Authorization: Bearer ${token}`]],
    ['without a token', []],
  ] as const) {
    const statuses = await callAll(house, {
      program,
      folder: join(folder, name.replaceAll(' ', '-')),
      headers,
    });
    say(`\nCalls ${name}: ${total(statuses)}\n${statusTable(statuses)}`);
    found.push({ what: `faults of our own ${name}`, found: countOf(statuses, '500'), max: 0 });
  }
  const outcomes = await sendRecordings(house, signal);
  const statuses = tally(outcomes.map(({ status, kind }) => (status === 0 ? kind : String(status))));
  say(`\nMutated recordings: ${outcomes.length}\n${statusTable(statuses)}`);
  const bad = outcomes.filter(({ status, kind }) => status >= 500 || kind === 'hung' || kind === 'broken');
  found.push({ what: 'mutated recordings that caused a fault', found: bad.length, max: 0 });
  found.push({
    what: 'household not ready afterwards',
    found: (await house.status()) === 'ready' ? 0 : 1,
    max: 0,
  });
  say(`\n${countsTable(found)}`);
  return missedOf(found).length === 0 ? 0 : 1;
});
