/** The sounds of letters, longer spellings first. C as in chico, N as in niño, Z as in cinco. */
const spelled: readonly [letters: RegExp, sound: string][] = [
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
export function spanishSoundsOf(word: string): string {
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
