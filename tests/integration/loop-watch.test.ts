/** @module-tag slow */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';

const module = new URL('../../api/src/restart/loop-watch.ts', import.meta.url).href;
const maxStillMs = 1_000;

let ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends) end();
  ends = [];
});

/** A process that watches its loop and then runs this. */
async function startWatched(then: string, first = '') {
  const code = `
    import { watchLoop } from '${module}';
    watchLoop({ names: { process: 'worker' }, maxStillMs: ${maxStillMs}, onError: console.error });
    ${first}
    setTimeout(() => { console.log('up'); ${then} }, 200);
    const talk = setInterval(() => console.log('turns'), 100);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'exit');
  await waitFor(() => said.includes('up'), { what: 'the process is up' });
  return { child, ended, said: () => said };
}

describe('a process', () => {
  test('whose event loop hangs ends with the reason', async () => {
    const { ended, said } = await startWatched('for (;;);');

    expect(await ended).toEqual([null, 'SIGKILL']);
    const [, line = ''] = /^(\{.*\})$/m.exec(said()) ?? [];
    expect(JSON.parse(line)).toMatchObject({
      level: 'fatal',
      process: 'worker',
      msg: 'the process ends because its event loop has stalled',
    });
  });

  test('that was stopped as a whole, or slept with the machine, continues', async () => {
    const { child, said } = await startWatched('');

    child.kill('SIGSTOP');
    // While it is stopped, there is no event to wait for.
    await delay(3 * maxStillMs);
    const before = said().length;
    child.kill('SIGCONT');

    // The time that it would take to end.
    await waitFor(() => said().slice(before).split('turns').length > (2 * maxStillMs) / 100, {
      what: 'its loop turns on',
    });
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });

  test('that is slow to start gets the time for it', async () => {
    const { said } = await startWatched(
      '',
      `for (const begunAt = performance.now(); performance.now() - begunAt < ${2 * maxStillMs};);`,
    );

    expect(said()).not.toContain('stands still');
  });

  test('without further work ends', async () => {
    const { ended } = await startWatched('process.exitCode = 3; clearInterval(talk);');

    expect(await ended).toEqual([3, null]);
  });
});
