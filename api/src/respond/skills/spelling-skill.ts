import { z } from 'zod';
import { withCapital } from '../../language/capitals.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { Read } from '../../language/numbers/number-reader.ts';
import { defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { type SlotValues, slotOf } from '../core/slot.ts';

const shape = {
  replies: {
    spelled: ['word', 'letters'],
    none: ['word', 'letter'],
    one: ['word', 'letter'],
    several: ['word', 'letter', 'n'],
    length: ['word', 'n'],
  },
  words: z.strictObject({
    /** Words that refer to another word. No one wants "that" spelled. */
    not: z.array(z.string()),
    /** Plural endings of a letter: "how many R'S". */
    letter_endings: z.array(z.string()),
    between: z.string(),
  }),
} as const;

/** Spells a word as understood, and counts its letters. */
export function createSpellingSkill({ files }: { files: LanguageFiles }): Skill {
  const { reply, words, ...language } = loadSkill(files, 'spelling', shape);
  const isNot = new Set(words.not);

  const readWord = (said: readonly Word[], from: number): Read<string> | null => {
    const { word = '' } = said[from] ?? {};
    const isWord = /^\p{L}[\p{L}\p{M}']+$/u.test(word) && !isNot.has(word);
    return isWord ? { value: word, end: from + 1 } : null;
  };
  const readPacket = (said: readonly Word[], from: number): Read<string> | null => {
    const { word = '' } = said[from] ?? {};
    const [letter = '', ...rest] = word;
    const isLetter = /\p{L}/u.test(letter) && ['', ...words.letter_endings].includes(rest.join(''));
    return isLetter ? { value: letter, end: from + 1 } : null;
  };

  const slots = { word: slotOf(readWord), letter: slotOf(readPacket) };
  const { tells } = intentsOf<SlotValues<typeof slots>>();
  const lettersOf = (word: string): string[] => [...word].filter((letter) => /\p{L}/u.test(letter));

  return defineSkill({
    name: 'spelling',
    ...language,
    slots,
    intents: {
      spell: tells(({ turn }, { word }) => {
        if (word === null) return null;
        const letters = lettersOf(word.toUpperCase()).join(words.between);
        return reply('spelled', { word: withCapital(word), letters }, turn);
      }),
      count: tells(({ turn }, { word, letter }) => {
        if (word === null || letter === null) return null;
        const n = lettersOf(word).filter((each) => each === letter).length;
        const values = { word, letter: letter.toUpperCase(), n };
        return reply(n === 0 ? 'none' : n === 1 ? 'one' : 'several', values, turn);
      }),
      length: tells(({ turn }, { word }) =>
        word === null ? null : reply('length', { word: withCapital(word), n: lettersOf(word).length }, turn),
      ),
    },
  });
}
