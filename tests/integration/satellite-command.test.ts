/** @module-tag slow */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWav } from '../../api/src/audio/wav.ts';
import { type FakeListen, startFakeListen } from '../support/fakes/fake-listen.ts';

const root = resolve(import.meta.dirname, '../..');

let folder: string;
let server: FakeListen;

/** A checkout after its setup, on a machine whose own Node is too old. */
beforeEach(async () => {
  server = await startFakeListen();
  folder = mkdtempSync(join(tmpdir(), 'hearth-satellite-'));
  for (const name of ['Makefile', 'scripts', 'satellite'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  place('.venv/bin/node');
  mkdirSync(join(folder, 'programs'));
  writeFileSync(join(folder, 'programs/node'), '#!/bin/sh\necho "Unknown file extension .ts" >&2\nexit 1\n');
  chmodSync(join(folder, 'programs/node'), 0o755);
  const samples = Buffer.alloc(32 * 300, 5);
  writeFileSync(join(folder, 'my question.wav'), writeWav({ sampleRateHz: 16_000, samples }));
});
afterEach(() => {
  server.stop();
  rmSync(folder, { recursive: true });
});

/** This Node, under another name. */
function place(name: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  symlinkSync(process.execPath, join(folder, name));
}

async function make(settings: string[], env: Record<string, string> = {}) {
  const child = spawn('make', ['satellite', ...settings], {
    cwd: folder,
    env: { PATH: `${join(folder, 'programs')}:/usr/bin:/bin`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  await once(child, 'close');
  return said;
}

const files = "ARGS=--in 'my question.wav' --out answer.wav";

test("make satellite uses the Node of its folder if the system's is too old", async () => {
  const told = make([`URL=${server.url}`, 'ROOM=living room', 'CLIENT=tests', files]);

  const session = await server.session();

  expect(Object.fromEntries(session.query)).toEqual({ client: 'tests', room: 'living room' });
  expect(await told).toContain(`Connected to ${server.url} as tests`);
});

test("make satellite uses the system's Node if that is new enough", async () => {
  rmSync(join(folder, '.venv'), { recursive: true });
  rmSync(join(folder, 'programs/node'));
  place('programs/node');

  const told = make(['CLIENT=tests', files], { HEARTH_URL: server.url });

  await server.session();
  expect(await told).toContain(`Connected to ${server.url} as tests`);
});

test('a satellite beside its Hearth needs neither the port nor the token', async () => {
  const { port } = new URL(server.url);
  writeFileSync(join(folder, '.env'), `PORT=${port}\n`);
  writeFileSync(join(folder, 'secrets.env'), 'SERVICE_TOKEN=the-token-of-this-house\n');

  const told = make(['CLIENT=tests', files]);

  expect((await server.session()).headers['authorization']).toBe('Bearer the-token-of-this-house');
  await told;
});

test('another Hearth does not receive the token of this one', async () => {
  writeFileSync(join(folder, 'secrets.env'), 'SERVICE_TOKEN=the-token-of-this-house\n');

  const told = make(['CLIENT=tests', `URL=${server.url}`, files]);

  expect((await server.session()).headers['authorization']).toBeUndefined();
  await told;
});
