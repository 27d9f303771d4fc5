import { createSpelledSounds, type SpelledSound } from '../spelled-sounds.ts';

/** The sounds of letters, longer spellings first. S as in Schule, C as in ich, N as in singen. */
const spelled: readonly SpelledSound[] = [
  [/^tsch/, 'tS'],
  [/^sch/, 'S'],
  [/^chs/, 'ks'],
  [/^ch/, 'C'],
  [/^ck/, 'k'],
  [/^(?:tz|ts|z)/, 'ts'],
  [/^s(?=[pt])/, 'S'],
  [/^(?:ph|v)/, 'f'],
  [/^pf/, 'f'],
  [/^qu/, 'kf'],
  [/^x/, 'ks'],
  [/^ng/, 'N'],
  [/^(?:th|dt)/, 't'],
  [/^(?:eu|äu)/, 'oi'],
  [/^(?:ei|ai|ey|ay)/, 'ai'],
  [/^ie/, 'i'],
  [/^(?:aa|ah)/, 'a'],
  [/^(?:ee|eh|ä|äh)/, 'e'],
  [/^(?:oo|oh)/, 'o'],
  [/^(?:ih|y)/, 'i'],
  [/^uh/, 'u'],
  [/^ß/, 's'],
  [/^b$/, 'p'],
  [/^d$/, 't'],
  [/^g$/, 'k'],
  [/^c/, 'k'],
  [/^w/, 'v'],
  [/^er$/, 'a'],
];

/** The rough sound of a German word, precise enough to find words that are easily confused. */
export const germanSoundsOf = createSpelledSounds({ spelled, notLetters: /[^a-zäöüß]/g });
