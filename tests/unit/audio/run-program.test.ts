import { describe, expect, test } from 'vitest';
import { type ProgramCall, runProgram } from '../../../api/src/audio/run-program.ts';
import { childrenNamed } from '../../support/children.ts';
import { waitFor } from '../../support/wait-for.ts';

const call = (path: string, more: Partial<ProgramCall> = {}): ProgramCall => ({
  path,
  args: [],
  maxOutputBytes: 1_000,
  timeoutMs: 4_000,
  signal: new AbortController().signal,
  ...more,
});

describe('a program', () => {
  test('gets its input, and its output is read', async () => {
    expect(await runProgram(call('/bin/cat', { input: Buffer.from('a sentence') }))).toEqual({
      output: Buffer.from('a sentence'),
      exitCode: 0,
    });
  });

  test('may fail after it has written', async () => {
    const args = ['-c', 'echo half; exit 3'];

    expect(await runProgram(call('/bin/sh', { args }))).toEqual({
      output: Buffer.from('half\n'),
      exitCode: 3,
    });
  });

  test('sees nothing of our environment', async () => {
    const { output } = await runProgram(call('/usr/bin/env'));

    expect(output.toString()).toBe('');
  });

  test('may leave its input unread', async () => {
    const input = Buffer.alloc(1_000_000);

    expect(await runProgram(call('/bin/true', { input }))).toMatchObject({ exitCode: 0 });
  });

  test.each(['/nowhere/at-all', '/etc/passwd'])('is reported missing if %s cannot run', async (path) => {
    await expect(runProgram(call(path))).rejects.toMatchObject({ name: 'ProgramError', fault: 'missing' });
  });

  test('is killed when it writes too much', async () => {
    const endless = call('/bin/cat', { args: ['/dev/zero'] });

    await expect(runProgram(endless)).rejects.toMatchObject({ fault: 'too_much_output' });
    expect(childrenNamed('cat')).toEqual([]);
  });

  test('is killed when it takes too long', async () => {
    const slow = call('/bin/sleep', { args: ['60'], timeoutMs: 50 });

    await expect(runProgram(slow)).rejects.toMatchObject({ fault: 'timeout' });
    expect(childrenNamed('sleep')).toEqual([]);
  });

  test('is killed when its caller aborts', async () => {
    const caller = new AbortController();
    const running = runProgram(call('/bin/sleep', { args: ['61'], signal: caller.signal }));
    await waitFor(() => childrenNamed('sleep').length === 1);

    caller.abort(new Error('hung up'));

    await expect(running).rejects.toThrow('hung up');
    expect(childrenNamed('sleep')).toEqual([]);
  });

  test('does not start for a caller that has left', async () => {
    const signal = AbortSignal.abort(new Error('hung up'));

    await expect(runProgram(call('/bin/sleep', { args: ['62'], signal }))).rejects.toThrow('hung up');
  });
});
