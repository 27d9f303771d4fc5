import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

const program = fileURLToPath(new URL('../../api/src/cli/status.ts', import.meta.url));
const endedSchema = z.looseObject({ code: z.number(), stdout: z.string() });

let redis: OwnRedis;
let llm: FakeLlm;
let assistant: Assistant;
beforeAll(async () => {
  [redis, llm] = await Promise.all([startRedis(), startFakeLlm()]);
  const env = { SERVICE_TOKEN: 'Correct-Horse-Battery-Staple' };
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, env });
});
afterAll(async () => {
  await assistant?.stop();
  await llm?.stop();
  await redis?.stop();
});

const port = () => Number(new URL(assistant.address).port);

/** `make status` for the Hearth at a port. */
async function status(at: number) {
  const environment = { PATH: process.env['PATH'], PORT: String(at) };
  return await promisify(execFile)(process.execPath, [program], { env: environment }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error) => endedSchema.parse(error),
  );
}

test('make status shows the address, every engine with its model, and any problem', async () => {
  const { stdout } = await waitFor(async () => {
    const told = await status(port());
    return /Language model +ready: \S/.test(told.stdout) && told;
  });

  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(
    new RegExp(String.raw`^Hearth \S+ has answered at http://localhost:${port()} for \d+ [a-z]+\. `),
  );
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^ {2}Language model {2}ready: \S/),
    '  Recognition     off: STT_URL is not set',
    '  Voice           off: TTS_URL is not set',
  ]);
});

test('make status reports that no server answers', async () => {
  const nobody = await freePort();

  expect(await status(nobody)).toMatchObject({
    code: 2,
    stdout: `Hearth does not answer at http://localhost:${nobody}. Start it with "make up" or "make run".\n`,
  });
});
