import { createSpelledSounds, type SpelledSound } from '../spelled-sounds.ts';

/** The sounds of letters, longer spellings first. G as in goed, S as in sjaal, N as in lang, Y as in huis. */
const spelled: readonly SpelledSound[] = [
  [/^schr/, 'sGr'],
  [/^sch/, 'sG'],
  [/^(?:tsj|tj)/, 'tS'],
  [/^(?:sj|sh)/, 'S'],
  [/^(?:ch|g)/, 'G'],
  [/^ng/, 'N'],
  [/^(?:ij|ei|y)/, 'E'],
  [/^(?:ou|au)w?/, 'A'],
  [/^ui/, 'Y'],
  [/^eu/, 'O'],
  [/^oe/, 'U'],
  [/^ie/, 'i'],
  [/^(?:aa|ah)/, 'a'],
  [/^(?:ee|é|è|ë)/, 'e'],
  [/^oo/, 'o'],
  [/^uu/, 'u'],
  [/^ï/, 'i'],
  [/^ph/, 'f'],
  [/^qu/, 'kw'],
  [/^x/, 'ks'],
  [/^(?:ck|c(?![eiy]))/, 'k'],
  [/^c/, 's'],
  [/^(?:th|dt|d$)/, 't'],
  [/^b$/, 'p'],
  [/^v/, 'f'],
  [/^z/, 's'],
  [/^en$/, 'e'],
];

/** The rough sound of a Dutch word, precise enough to find words that are easily confused. */
export const dutchSoundsOf = createSpelledSounds({ spelled, notLetters: /[^\p{Ll}]/gu });
