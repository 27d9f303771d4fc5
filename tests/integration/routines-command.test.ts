/** @module-tag slow */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVoiceHousehold } from '../support/servers/voice-household.ts';

const program = fileURLToPath(new URL('../../api/src/cli/routines.ts', import.meta.url));

let household: Awaited<ReturnType<typeof startVoiceHousehold>>;
beforeAll(async () => {
  household = await startVoiceHousehold();
});
afterAll(() => household?.stop());

async function run(order: 'read' | 'write', input = '') {
  const { port } = new URL(household.assistant.address);
  const child = spawn(process.execPath, [program, order], { env: { PORT: port } });
  child.stdin.end(input);
  const ended = once(child, 'exit');
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, out, said };
}

const file = `
routines:
  - name: Tea time
    sentences: [tea time, "I'd like some tea"]
    steps:
      - command: set a timer for four minutes
      - say: The kettle is yours.
`;

test('routines are loaded from YAML, checked, started, and exported as YAML', async () => {
  expect(await run('read', file)).toMatchObject({ code: 0, said: expect.stringContaining('1 saved') });
  expect(load((await run('write')).out)).toEqual(load(file));

  const { body } = await household.assistant.call('/ask', { body: { text: 'Tea time, please.' } });
  expect(body).toMatchObject({ reply: 'Timer, four minutes. The kettle is yours.', via: 'skills' });
});

test.each([
  [file.replace('four minutes', 'a while'), 'routines.0.steps.0.command: '],
  [file.replace('tea time,', 'stop,'), 'routines.0.sentences.0: Hearth already understands this sentence'],
  [file.replace('say:', 'sing:'), '"routines.0.steps.1" must have either "say" or "ask" or "command".'],
  [file.replace('Tea time', 'Tea | time'), '"routines.0.name" is not valid'],
  ['routines: [', 'The file is not valid YAML'],
  ['- name: a', 'The file must have "routines" at its top'],
])('a refused file changes nothing: %j', async (input, why) => {
  const before = (await run('write')).out;

  const { code, said } = await run('read', input);

  expect([code, said]).toEqual([1, expect.stringContaining(why)]);
  expect((await run('write')).out).toBe(before);
});

test('stored routines are not validated again, and all of them can be removed', async () => {
  expect((await run('read', file)).code).toBe(0);
  expect((await run('read', 'routines: []')).code).toBe(0);

  expect(load((await run('write')).out)).toEqual({ routines: [] });
});
