/** The sounds of letters, longer spellings first. G as in goed, S as in sjaal, N as in lang, Y as in huis. */
const spelled: readonly [letters: RegExp, sound: string][] = [
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
export function dutchSoundsOf(word: string): string {
  const letters = word.toLowerCase().replace(/[^\p{Ll}]/gu, '');
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
