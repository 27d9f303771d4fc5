import { describe, expect, test } from 'vitest';
import { describeArgs } from '../../../../api/src/respond/model/said-args.ts';

describe('the confirmation of an outside tool', () => {
  test('names every argument, nested ones included', () => {
    const args = { title: 'Dentist', who: ['Anna', 'Bob'], at: { day: 'Monday', hour: 9 }, urgent: true };

    expect(describeArgs(args, true)).toBe(
      'title Dentist, who Anna, who Bob, at day Monday, at hour 9, urgent true',
    );
  });

  test('includes the argument after a long one, or is not asked at all', () => {
    const args = { q: 'Milk and eggs and bread and '.repeat(8), path: '/etc/cron.d/evil' };

    expect([describeArgs(args, true), describeArgs(args, false)]).toEqual([
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
  ])('is not spoken for %s', (_what, args) => {
    expect(describeArgs(args, true)).toBeNull();
  });

  test('shows invisible characters in writing', () => {
    expect(describeArgs({ to: 'bob\u200b\n@x' }, false)).toBe(String.raw`to bob\u{200b}\u{a}@x`);
  });

  test('is not written for more text than a person reads', () => {
    expect(describeArgs({ text: 'x'.repeat(2_100) }, false)).toBeNull();
  });

  test('is empty without arguments', () => {
    expect([describeArgs({}, true), describeArgs({}, false)]).toEqual(['', '']);
  });
});
