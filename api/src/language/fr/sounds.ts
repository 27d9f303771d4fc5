import { createSpelledSounds, type SpelledSound } from '../spelled-sounds.ts';

/** The sounds of letters, longer spellings first. S as in chat, N and A as in on and an, G as in jour. */
const spelled: readonly SpelledSound[] = [
  [/^(?:eaux?|aux?|ô)/, 'o'],
  [/^oi[st]?(?=$|[^a-zéè])/, 'wa'],
  [/^oi/, 'wa'],
  [/^(?:oin|oins)/, 'wE'],
  [/^(?:ou|où|oû)[stx]?(?=$)/, 'u'],
  [/^(?:ou|où|oû)/, 'u'],
  [/^(?:ain|ein|in|im|yn|un)(?![aeiouyéèêhnm])/, 'E'],
  [/^(?:an|am|en|em)(?![aeiouyéèêhnm])/, 'A'],
  [/^(?:on|om)(?![aeiouyéèêhnm])/, 'O'],
  [/^ch/, 'S'],
  [/^sch/, 'S'],
  [/^ph/, 'f'],
  [/^th/, 't'],
  [/^gn/, 'N'],
  [/^qu/, 'k'],
  [/^gu(?=[eiéè])/, 'g'],
  [/^ge(?=[ao])/, 'G'],
  [/^g(?=[eiyéèê])/, 'G'],
  [/^j/, 'G'],
  [/^(?:sc|c)(?=[eiyéèê])/, 's'],
  [/^ç/, 's'],
  [/^c/, 'k'],
  [/^(?:ille|ill|il(?=$))/, 'j'],
  [/^(?:ai|ei|é|è|ê|ë|er$|ez$|et$)/, 'e'],
  [/^(?:eu|œu|oeu)/, 'e'],
  [/^h/, ''],
  [/^s(?=[^s])/, 's'],
  [/^ss/, 's'],
  [/^(?:es|ent|e)$/, ''],
  [/^[stdxpz]$/, ''],
  [/^x/, 'ks'],
  [/^(?:â|à)/, 'a'],
  [/^(?:î|ï|y)/, 'i'],
  [/^(?:û|ù|ü)/, 'y'],
  [/^u/, 'y'],
];

/** The rough sound of a French word, precise enough to find words that are easily confused. */
export const frenchSoundsOf = createSpelledSounds({ spelled, notLetters: /[^a-zàâçéèêëîïôûùüÿœ]/g });
