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

/** The terminal output of a start while the server returns these states one after the other. */
async function said(...healths: object[]): Promise<string> {
  const server = createServer((_, response) => {
    response.end(JSON.stringify(healths.length > 1 ? healths.shift() : healths[0]));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = addressSchema.parse(server.address());
  const env = { PATH: process.env['PATH'], PORT: String(port) };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return stdout.replaceAll(String(port), 'PORT');
}

test('the start waits for an engine that is missing at first, and reports no fault', {
  tags: 'slow',
}, async () => {
  expect(await said(starting, ready)).toBe(`Waiting for the language model.
All engines are ready.
Models: the ready one.
Hearth answers at http://localhost:PORT
Only this machine can use it. "make phone" opens it to your phone.
`);
});
