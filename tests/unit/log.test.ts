import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '../../api/src/log.ts';

function captured() {
  const lines: string[] = [];
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, log: createLog({ level: 'info', process: 'api' }, to) };
}

test('a log line shows process, level and time in readable words', () => {
  const { lines, log } = captured();

  log.warn({ turn: 't' }, 'not answered');

  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    process: 'api',
    turn: 't',
    msg: 'not answered',
  });
});

test('a request is logged without its query, its headers and any secret', () => {
  const { lines, log } = captured();

  log.info({
    req: {
      method: 'GET',
      url: '/ask?token=secret',
      headers: { authorization: 'Bearer secret' },
      socket: { remoteAddress: '::1' },
    },
    config: { token: 'secret', url: 'redis://:secret@redis' },
    headers: { authorization: 'Bearer secret' },
  });

  expect(lines[0]).not.toContain('secret');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ req: { method: 'GET', path: '/ask', from: '::1' } });
});

test('a command that Redis refuses is logged without its values', () => {
  const { lines, log } = captured();
  const command = { name: 'set', args: ['hearth:sentence:t-0', 'The doctor called.'] };
  const err = Object.assign(new Error('MISCONF Redis cannot write to disk.'), { command });

  log.warn({ turn: 't', err }, 'not answered');
  log.warn({ err: new Error('The turn could not be kept.', { cause: err }) }, 'not answered');

  expect(lines.join()).not.toContain('doctor');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { message: 'MISCONF Redis cannot write to disk.' },
  });
});

test('invalid JSON is not quoted in the log', () => {
  const { lines, log } = captured();
  const fault = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  };

  log.warn({ err: fault('The doctor called.') }, 'not answered');
  log.warn({ err: new Error('nonsense', { cause: fault('{"said": doctor}') }) }, 'not answered');

  expect(lines.join()).not.toMatch(/doctor|The do/);
  expect(lines.join()).toContain('is not valid JSON');
});
