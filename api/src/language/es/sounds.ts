import { createSpelledSounds, type SpelledSound } from '../spelled-sounds.ts';

/** The sounds of letters, longer spellings first. C as in chico, N as in niño, Z as in cinco. */
const spelled: readonly SpelledSound[] = [
  [/^ch/, 'C'],
  [/^ll/, 'y'],
  [/^rr/, 'r'],
  [/^qu(?=[eiéí])/, 'k'],
  [/^gu(?=[eiéí])/, 'g'],
  [/^g(?=[eiéí])/, 'j'],
  [/^c(?=[eiéí])/, 's'],
  [/^ñ/, 'N'],
  [/^[áà]/, 'a'],
  [/^[éè]/, 'e'],
  [/^[íì]/, 'i'],
  [/^[óò]/, 'o'],
  [/^[úùü]/, 'u'],
  [/^h/, ''],
  [/^v/, 'b'],
  [/^z/, 's'],
  [/^x/, 'ks'],
  [/^c/, 'k'],
  [/^y$/, 'i'],
];

/** The rough sound of a Spanish word, precise enough to find words that are easily confused. */
export const spanishSoundsOf = createSpelledSounds({ spelled, notLetters: /[^\p{Ll}]/gu });
