import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Word } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { type NumberReader, type Read, readWhole } from '../../language/numbers/number-reader.ts';
import { joined } from '../../language/phrase.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { readBy, type SlotValues, slotOf, typeOf } from '../core/slot.ts';

const shape = {
  replies: {
    coin: ['side'],
    won: ['side'],
    lost: ['side'],
    die: ['number'],
    dice: ['numbers', 'sum'],
    number: ['number'],
    not_so: ['max_dice', 'max_sides'],
  },
  words: z.strictObject({
    /** The two sides of a coin, as spoken. */
    sides: z.tuple([z.string(), z.string()]),
    between: z.string(),
    last: z.string(),
  }),
} as const;

/** Maximum number of dice, sides and the range. */
const limits = { dice: 20, sides: 1_000, number: 1_000_000_000 };

/** Coin flips, dice and random numbers. */
export function createChanceSkill({
  files,
  numbers,
}: {
  files: LanguageFiles;
  numbers: NumberReader;
}): Skill {
  const { reply, words, ...language } = loadSkill(files, 'chance', shape);

  const readCount = (said: readonly Word[], from: number) => readWhole(numbers, said, from);
  /** "d20", as players call it. */
  const readDie = (said: readonly Word[], from: number): Read<number> | null => {
    const [letter, sides] = [said[from], said[from + 1]];
    const isName = letter?.word === 'd' && sides?.start === letter.end && /^\d+$/.test(sides.word);
    return isName ? { value: Number(sides.word), end: from + 2 } : null;
  };
  const readSide = (said: readonly Word[], from: number): Read<number> | null => {
    const side = words.sides.indexOf(said[from]?.word ?? '');
    return side < 0 ? null : { value: side, end: from + 1 };
  };

  const slots = {
    call: slotOf(readSide),
    sides: readBy(readCount),
    die: readBy(readDie),
    dice: readBy(readCount),
    low: readBy(readCount),
    high: readBy(readCount),
  };
  const { tells } = intentsOf<SlotValues<typeof slots>>();

  const flip = ({ turn }: Ask, { call }: SlotValues<typeof slots>): string => {
    const side = chosen(2, turn.id);
    const answer = call === null ? 'coin' : call === side ? 'won' : 'lost';
    return reply(answer, { side: words.sides[side] ?? '' }, turn);
  };

  const roll = ({ turn }: Ask, count: number, sides: number): string => {
    if (count < 1 || count > limits.dice || sides < 2 || sides > limits.sides)
      return reply('not_so', { max_dice: limits.dice, max_sides: limits.sides }, turn);
    const rolled = Array.from({ length: count }, (_, at) => 1 + chosen(sides, `${turn.id} ${at}`));
    if (count === 1) return reply('die', { number: rolled[0] ?? 1 }, turn);
    const sum = rolled.reduce((all, each) => all + each, 0);
    return reply('dice', { numbers: joined(rolled.map(String), words), sum }, turn);
  };

  return defineSkill({
    name: 'chance',
    ...language,
    slots,
    slotTypes: { count: typeOf(readCount), die: typeOf(readDie) },
    intents: {
      flip: tells(flip),
      roll: tells((ask, { dice, sides, die }) => roll(ask, dice ?? 1, die ?? sides ?? 6)),
      roll_two: tells((ask, { sides, die }) => roll(ask, 2, die ?? sides ?? 6)),
      number: tells(({ turn }, { low, high }) => {
        const [from, to] = [Math.min(low ?? 1, high ?? 1), Math.max(low ?? 1, high ?? 1)];
        if (high === null || Math.abs(from) > limits.number || to > limits.number) return null;
        return reply('number', { number: from + chosen(to - from + 1, turn.id) }, turn);
      }),
    },
  });
}

/** Picks a number from 0 to count - 1. It depends only on the seed: a turn that runs twice says the same. */
function chosen(count: number, seed: string): number {
  return createHash('sha256').update(seed).digest().readUIntBE(0, 6) % count;
}
