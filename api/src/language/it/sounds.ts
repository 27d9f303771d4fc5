/** The sounds of letters, longer spellings first. C as in ciao, G as in giro, S as in sci, N as in gnomo. */
const spelled: readonly [letters: RegExp, sound: string][] = [
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
export function italianSoundsOf(word: string): string {
  const letters = word.toLowerCase().replace(/[^\p{Ll}]/gu, '');
  let sounds = '';
  for (let at = 0; at < letters.length; ) {
    const rest = letters.slice(at);
    const found = spelled.find(([spelling]) => spelling.test(rest));
    const sound = found ? found[1] : rest.slice(0, 1);
    if (sound === '' || !sounds.endsWith(sound)) sounds += sound;
    at += Math.max(1, found?.[0].exec(rest)?.[0].length ?? 1);
  }
  return sounds;
}
