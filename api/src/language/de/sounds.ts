/** The sounds of letters, longer spellings first. S as in Schule, C as in ich, N as in singen. */
const spelled: readonly [letters: RegExp, sound: string][] = [
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
export function germanSoundsOf(word: string): string {
  const letters = word.toLowerCase().replace(/[^a-zäöüß]/g, '');
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
