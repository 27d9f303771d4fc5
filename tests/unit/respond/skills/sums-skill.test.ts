import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { answered, englishSkills } from '../../../support/skills.ts';

const { responder } = englishSkills(new Redis({ lazyConnect: true }));
const reply = (text: string) => answered(responder, text);

describe('a sum', () => {
  test.each([
    ['0.1 + 0.2', '0.1 plus 0.2 is 0.3.'],
    ['what is 0.1 times 3', '0.1 times 3 is 0.3.'],
    ['2+2', '2 plus 2 is 4.'],
    ['7x8', '7 times 8 is 56.'],
    ['what is 2 + 3 * 4', '2 plus 3 times 4 is 14.'],
    ['what is 20 minus 5 minus 3', '20 minus 5 minus 3 is 12.'],
    ['what is 100 divided by 8 times 2', '100 divided by 8 times 2 is 25.'],
    ['what is two to the power of three squared', '2 to the power of 3 squared is 512.'],
    ['what is 3 times 4 squared', '3 times 4 squared is 48.'],
    ['what is minus 5 minus minus 3', '-5 minus -3 is -2.'],
    ['5-8', '5 minus 8 is -3.'],
    ['what is 10^3', '10 to the power of 3 is 1,000.'],
    ['what is 10²', '10 squared is 100.'],
    ['what is √81', 'The square root of 81 is 9.'],
    ['what is 12 ÷ 4', '12 divided by 4 is 3.'],
    ['what is 6 × 7', '6 times 7 is 42.'],
    ['what is the cube root of 27', 'The cube root of 27 is 3.'],
    ['what is the square root of 2 times the square root of 2', /is about 2\.$/],
    ['what is twelve and a half percent of eight hundred', '12.5 percent of 800 is 100.'],
    ['what is 80 plus 10 percent', '80 plus 10 percent is 88.'],
    ['what is 10 percent plus 10 percent', '10 percent plus 10 percent is 0.2.'],
    ['what is half of a hundred and one', 'Half of 101 is 50.5.'],
    ['what is two thirds of 60', 'Two thirds of 60 is 40.'],
    ['what is 1/3 plus 1/3', 'A third plus a third is about 0.6667.'],
    ['what is 1/4 + 1/4', 'A quarter plus a quarter is 0.5.'],
    ['what is twice 21', '2 times 21 is 42.'],
    ['subtract 5 from 12', '12 minus 5 is 7.'],
    ['what is the difference between 30 and 12', '30 minus 12 is 18.'],
    ['1 million minus 1', '1,000,000 minus 1 is 999,999.'],
    ['999999999 times 999999999', '999,999,999 times 999,999,999 is about 1 times 10 to the power of 18.'],
    ['1 divided by 8000000', '1 divided by 8,000,000 is 1.25 times 10 to the power of -7.'],
    ['22 divided by 7', '22 divided by 7 is about 3.143.'],
    ['200000 divided by 3', '200,000 divided by 3 is about 66,667.'],
    ['1 divided by 300', '1 divided by 300 is about 0.003333.'],
    ['0 times 5', '0 times 5 is 0.'],
  ])('%s', async (text, expected) => {
    expect(await reply(text)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  test.each([
    ['12 divided by 0', 'You cannot divide by zero.'],
    ['what is 5 over 3 minus 3', /^5 divided by 3 minus 3 is about -1\.333/],
    ['what is 1 divided by 5 percent of 0', /zero/],
    ['0 to the power of minus one', 'You cannot divide by zero.'],
    ['the square root of minus four', 'A negative number has no square root.'],
    ['10 to the power of a million', 'That number is too large to say.'],
    ['9^9^9', 'That number is too large to say.'],
    [`${'9'.repeat(90)} to the power of 9`, 'That number is too large to say.'],
    ['2 to the power of 0.3', 'That number is too large to say.'],
  ])('that cannot be worked out is said so: %s', async (text, expected) => {
    expect(await reply(text)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  test.each([
    'what is 5',
    'seven',
    'what is plus',
    '2 plus',
    'plus 2',
    'what is 2 plus milk',
    '2 plus 2 is 5',
    `${'double '.repeat(2_000)}2`,
    `${'the square root of '.repeat(900)}16`,
    `1${' plus 1'.repeat(900)}`,
    '9'.repeat(5_000),
  ])('is not seen in %s', async (text) => {
    expect(await reply(text)).toBeNull();
  });
});
