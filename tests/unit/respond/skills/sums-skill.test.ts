import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { answered, englishSkills } from '../../../support/skills.ts';

const { responder } = englishSkills(new Redis({ lazyConnect: true }));
const reply = (text: string) => answered(responder, text);

describe('a sum', () => {
  test.each([
    ['0.1 + 0.2', '0.1 plus 0.2 is 0.3.'],
    ['.5 plus .25', 'Half plus a quarter is 0.75.'],
    ['what is point five plus point two five', 'Half plus a quarter is 0.75.'],
    ['what is 5 - .5', '5 minus half is 4.5.'],
    ['what is ２＋３', '2 plus 3 is 5.'],
    ['what is 10⁴', '10 to the power of 4 is 10,000.'],
    ['what is ⅔ of 60', 'Two thirds of 60 is 40.'],
    ['what is half a dozen plus 1', '6 plus 1 is 7.'],
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
    ['what is 10 percent plus 80', '80 plus 10 percent is 88.'],
    ['add 20 percent to 50', '50 plus 20 percent is 60.'],
    ['subtract 5 percent from 200', '200 minus 5 percent is 190.'],
    ['take 20 percent off 50', '50 minus 20 percent is 40.'],
    ['add an 18% tip to $45', '$45 plus 18 percent is $53.10.'],
    ['add 10 percent tax to 30 dollars', '$30 plus 10 percent is $33.'],
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
    ['what is 18 percent of $2500', '18 percent of $2,500 is $450.'],
    ['what is an 18 percent tip on 20 dollars', '18 percent of $20 is $3.60.'],
    ['what is a 20% tip on $45.50', '20 percent of $45.50 is $9.10.'],
    ['calculate a tip of 15 percent for 80 dollars', '15 percent of $80 is $12.'],
    ['tip 20 percent on 45', '20 percent of 45 is 9.'],
    ['how much is a 45 dollar bill with 20 percent tip', '$45 plus 20 percent is $54.'],
    ['if the bill is 50 and I tip 20 percent how much is it', '50 plus 20 percent is 60.'],
    ['split 90 dollars and a 20 percent tip between 3 people', '$90 plus 20 percent divided by 3 is $36.'],
    ['how much should I tip on 60 dollars', 'How many percent? Say, for example: 15 percent of 45.'],
    ["what's the tip for a $80 bill", 'How many percent? Say, for example: 15 percent of 45.'],
    ['tip on 45', 'How many percent? Say, for example: 15 percent of 45.'],
    ['what is 20 percent of a million', '20 percent of 1,000,000 is 200,000.'],
    ['what is 60 percent off of 350 dollars', '$350 minus 60 percent is $140.'],
    ['if something is 15% off $35, how much is it', '$35 minus 15 percent is $29.75.'],
    ['what is 25% of $54,788', '25 percent of $54,788 is $13,697.'],
    [
      'what is the sum of fifteen ninety nine dollars and six sixty five dollars',
      '$15.99 plus $6.65 is $22.64.',
    ],
    ['what is five dollars and fifty cents times three', '$5.50 times 3 is $16.50.'],
    ['what is 20 dollars divided by three', '$20 divided by 3 is about $6.67.'],
    ['what is 20 dollars divided by five dollars', '$20 divided by $5 is 4.'],
    ['what is twenty dollars minus five', '$20 minus 5 is $15.'],
    ['what is 20 euros plus 10 percent', '€20 plus 10 percent is €22.'],
    ['what is half of 3 pounds', 'Half of 3 pounds is 1.50 pounds.'],
    ['what is half of 2 pounds', 'Half of 2 pounds is 1 pound.'],
    [
      'what is the remainder when five hundred and twenty one is divided by three',
      'The remainder of 521 divided by 3 is 2.',
    ],
    ['what is the remainder of -7 divided by 3', 'The remainder of -7 divided by 3 is 2.'],
    ['what is the area of a 20 x 20 room', '20 times 20 is 400.'],
    ['how many times can 3 be divided into 1253', '1,253 divided by 3 is about 417.7.'],
    ['is 126 divisible by 8', 'No. 126 divided by 8 is 15.75.'],
    ['is 128 divisible by eight', 'Yes. 128 divided by 8 is 16.'],
    ['can you do a math problem', 'Yes. Tell me the sum, for example seven times eight.'],
  ])('is calculated or refused for %j', async (text, expected) => {
    expect(await reply(text)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  test.each([
    ['12 divided by 0', 'You cannot divide by zero.'],
    ['is 12 divisible by 0', 'You cannot divide by zero.'],
    ['what is 5 dollars plus 3 euros', 'I cannot work that out with money.'],
    ['what is 5 dollars times 3 dollars', 'I cannot work that out with money.'],
    ['what is the square root of 4 dollars', 'I cannot work that out with money.'],
    ['what is the remainder when 5 dollars is divided by 3', 'I cannot work that out with money.'],
    ['what is 5 over 3 minus 3', /^5 divided by 3 minus 3 is about -1\.333/],
    ['what is 1 divided by 5 percent of 0', /zero/],
    ['0 to the power of minus one', 'You cannot divide by zero.'],
    ['the square root of minus four', 'A negative number has no square root.'],
    ['10 to the power of a million', 'That number is too large to say.'],
    ['9^9^9', 'That number is too large to say.'],
    [`${'9'.repeat(90)} to the power of 9`, 'That number is too large to say.'],
    ['2 to the power of 0.3', 'That number is too large to say.'],
  ])('that cannot be computed is reported: %s', async (text, expected) => {
    expect(await reply(text)).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  test.each([
    'what is 5',
    'seven',
    'what is plus',
    '2 plus',
    'plus 2.5',
    'what is 2 plus milk',
    '2 plus 2 is 5',
    `${'double '.repeat(2_000)}2`,
    `${'the square root of '.repeat(900)}16`,
    `1${' plus 1'.repeat(900)}`,
    '9'.repeat(5_000),
  ])('is not found in %s', async (text) => {
    expect(await reply(text)).toBeNull();
  });
});
