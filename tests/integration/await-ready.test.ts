import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

const program = fileURLToPath(new URL('../../api/src/cli/await-ready.ts', import.meta.url));
const addressSchema = z.custom<AddressInfo>(
  (address) => z.object({ port: z.number() }).safeParse(address).success,
);

/** The fields beside the engines. */
const around = {
  version: '0.1.0',
  uptime_s: 3,
  redis: { state: 'ready', reason: null },
  warnings: [],
  workers: 1,
};
const engine = (state: string, reason: string | null = null) => ({
  state,
  reason,
  model: `the ${state} one`,
});
const starting = {
  ...around,
  status: 'starting',
  note: null,
  engines: { llm: engine('failed', 'It does not answer.') },
};
const ready = { ...around, status: 'ready', note: null, engines: { llm: engine('ready') } };

interface Said {
  /** The address that the page opened. */
  url?: string | null;
  env?: Record<string, string>;
}

/** The terminal output of a start while the server returns these states one after the other. */
async function said(healths: object[], { url, env: more }: Said = {}): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/admin/network') return response.end(JSON.stringify({ url }));
    return response.end(JSON.stringify(healths.length > 1 ? healths.shift() : healths[0]));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = addressSchema.parse(server.address());
  const env = { PATH: process.env['PATH'], PORT: String(port), ...more };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return stdout.replaceAll(String(port), 'PORT');
}

test('the start waits for an engine that is missing at first, and reports no fault', {
  tags: 'slow',
}, async () => {
  expect(await said([starting, ready])).toBe(`Waiting for the language model.
All engines are ready.
Models: the ready one.
Hearth answers at http://localhost:PORT
Only this machine can use it. "make phone", or Settings on the page, opens it to your phone.
`);
});

test.each([
  ['the page opened', { url: 'https://192.168.1.5:8443' }, 'Other devices: https://192.168.1.5:8443. '],
  ['Docker closed', { url: null, env: { LISTEN_ADDRESS: '127.0.0.1' } }, 'use it. "make phone" opens'],
])('the start names the access of other devices that %s', { tags: 'slow' }, async (_by, more, words) => {
  expect(await said([ready], more)).toContain(words);
});

test('the start tells what does not work as it should', { tags: 'slow' }, async () => {
  const warnings = [{ message: 'No voice speaks German.', advice: 'Download one.' }];

  expect(await said([{ ...ready, warnings }])).toContain('\nNo voice speaks German. Download one.\n');
});
