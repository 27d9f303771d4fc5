import { describe, expect, test } from 'vitest';
import { toldArgs } from '../../../../api/src/respond/model/said-args.ts';

describe('what is asked before an outside tool is used', () => {
  test('names every argument, also those within others', () => {
    const args = { title: 'Dentist', who: ['Anna', 'Bob'], at: { day: 'Monday', hour: 9 }, urgent: true };

    expect(toldArgs(args, true)).toBe(
      'title Dentist, who Anna, who Bob, at day Monday, at hour 9, urgent true',
    );
  });

  test('has the argument behind a long one, or is not asked at all', () => {
    const args = { q: 'Milk and eggs and bread and '.repeat(8), path: '/etc/cron.d/evil' };

    expect([toldArgs(args, true), toldArgs(args, false)]).toEqual([
      null,
      expect.stringContaining('path /etc/cron.d/evil'),
    ]);
  });

  test.each([
    ['signs that nobody says', { command: 'rm $(which it)' }],
    ['letters that nobody sees', { to: 'bob\u200b@example.org' }],
    [
      'more arguments than can be followed',
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at}`, 'value'])),
    ],
    ['a name with a sign', { 'a;b': 'c' }],
  ])('is not asked by ear for %s', (_what, args) => {
    expect(toldArgs(args, true)).toBeNull();
  });

  test('shows in writing what would not show', () => {
    expect(toldArgs({ to: 'bob\u200b\n@x' }, false)).toBe(String.raw`to bob\u{200b}\u{a}@x`);
  });

  test('is not asked in writing for more than anybody reads', () => {
    expect(toldArgs({ text: 'x'.repeat(2_100) }, false)).toBeNull();
  });

  test('needs no words for no arguments', () => {
    expect([toldArgs({}, true), toldArgs({}, false)]).toEqual(['', '']);
  });
});
