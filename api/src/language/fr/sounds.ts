/** The sounds of letters, longer spellings first. S as in chat, N and A as in on and an, G as in jour. */
const spelled: readonly [letters: RegExp, sound: string][] = [
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
export function frenchSoundsOf(word: string): string {
  const letters = word.toLowerCase().replace(/[^a-zàâçéèêëîïôûùüÿœ]/g, '');
  let sounds = '';
  for (let at = 0; at < letters.length; ) {
    const rest = letters.slice(at);
    const found = spelled.find(([spelling]) => spelling.test(rest));
    const sound = found ? found[1] : rest.slice(0, 1);
    if (!sounds.endsWith(sound)) sounds += sound;
    at += Math.max(1, found?.[0].exec(rest)?.[0].length ?? 1);
  }
  return sounds;
}
