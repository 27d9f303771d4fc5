import { expect, test } from 'vitest';
import { readOptions } from '../../../satellite/options.ts';

const wakeOf = (args: string[], env: Record<string, string> = {}) => {
  const settings = readOptions(args, env);
  return settings === 'help' ? settings : settings.wake;
};

test.each([
  ['a wake word, if nobody says otherwise', [], {}, 'word'],
  ['everything, behind a button', ['--push-to-talk'], {}, 'open'],
  ['everything in a recording', ['--in', 'question.wav'], {}, 'open'],
  ['what the command line says', ['--wake', 'word+name'], { HEARTH_WAKE: 'open' }, 'word+name'],
  ['what the environment says', [], { HEARTH_WAKE: 'name' }, 'name'],
])('a satellite answers %s', (_what, args, env, wake) => {
  expect(wakeOf(args, env)).toBe(wake);
});

test('a satellite lists its listening modes', () => {
  expect(() => wakeOf(['--wake', 'nonsense'])).toThrow(
    '--wake is open, name, word or word+name, not "nonsense".',
  );
});
