import { createSpelledSounds, type SpelledSound } from '../spelled-sounds.ts';

/** The sounds of letters, longer spellings first. C as in ciao, G as in giro, S as in sci, N as in gnomo. */
const spelled: readonly SpelledSound[] = [
  [/^sci(?=[aou])/, 'S'],
  [/^sc(?=[eièéì])/, 'S'],
  [/^ch/, 'k'],
  [/^c+i(?=[aou])/, 'C'],
  [/^c+(?=[eièéì])/, 'C'],
  [/^gli(?=[aeou])/, 'L'],
  [/^gl(?=i)/, 'L'],
  [/^gn/, 'N'],
  [/^gh/, 'g'],
  [/^g+i(?=[aou])/, 'G'],
  [/^g+(?=[eièéì])/, 'G'],
  [/^c?q/, 'k'],
  [/^[ck]/, 'k'],
  [/^[àá]/, 'a'],
  [/^[èé]/, 'e'],
  [/^[ìí]/, 'i'],
  [/^[òó]/, 'o'],
  [/^[ùú]/, 'u'],
  [/^h/, ''],
  [/^x/, 'ks'],
  [/^w/, 'v'],
  [/^[yj]/, 'i'],
];

/** The rough sound of an Italian word, precise enough to find words that are easily confused. */
export const italianSoundsOf = createSpelledSounds({ spelled, notLetters: /[^\p{Ll}]/gu });
