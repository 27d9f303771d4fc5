/**
 * The sounds of letters, longer spellings first. One letter per sound: S (she), C (church), J (join), T
 * (thin), N (sing), A (night).
 */
const spelled: readonly [letters: RegExp, sound: string][] = [
  [/^(?:kn|gn)/, 'n'],
  [/^wr/, 'r'],
  [/^wh/, 'w'],
  [/^x/, 'z'],
  [/^(?:ps)/, 's'],
  [/^igh/, 'A'],
  [/^eigh/, 'e'],
  [/^(?:ough|augh)t/, 'ot'],
  [/^gh(?=t|$)/, ''],
  [/^mb$/, 'm'],
  [/^(?:tch|ch)/, 'C'],
  [/^(?:sh|tion|cian|ssion)/, 'S'],
  [/^(?:dge|dg)/, 'J'],
  [/^ph/, 'f'],
  [/^th/, 'T'],
  [/^ck/, 'k'],
  [/^qu/, 'kw'],
  [/^x/, 'ks'],
  [/^ng$/, 'N'],
  [/^c(?=[eiy])/, 's'],
  [/^[cq]/, 'k'],
  [/^j/, 'J'],
  [/^(?:ee|ea|ie$|y$|ey$)/, 'i'],
  [/^i(?=[^aeiouy]e(?:s|d|r)?$)/, 'A'],
  [/^(?:ie|y(?=[^aeiou]e$))/, 'A'],
  [/^a(?=[^aeiouy]e(?:s|d|r)?$)/, 'e'],
  [/^(?:ai|ay|ei)/, 'e'],
  [/^(?:oo|ou|ew|ue)/, 'u'],
  [/^(?:oa|ow|oe|au|aw)/, 'o'],
  [/^all/, 'ol'],
  [/^o/, 'o'],
  [/^y/, 'i'],
];

/** The names of the letters, as people spell. "A" and "I" are words. */
const letterNames =
  'b bi,c si,d di,e i,f ef,g Ji,h eC,j Je,k ke,l el,m em,n en,o o,p pi,q ku,r ar,s es,t ti,u u,v vi,w dabelu,x eks,y wA,z zi';
const nameOf = new Map(letterNames.split(',').map((pair) => pair.split(' ') as [string, string]));

/** The rough sound of an English word, precise enough to find words that are easily confused. */
export function soundsOf(word: string): string {
  const letters = word.toLowerCase().replace(/[^a-z]/g, '');
  const name = nameOf.get(letters);
  if (name !== undefined) return name;
  let sounds = '';
  let at = 0;
  while (at < letters.length) {
    const rest = letters.slice(at);
    const found = spelled.find(([spelling]) => spelling.test(rest));
    const length = found?.[0].exec(rest)?.[0].length ?? 1;
    const sound = found ? found[1] : rest.slice(0, 1);
    const isSilentEnd = rest === 'e' && sounds.length > 1;
    if (!isSilentEnd && !sounds.endsWith(sound.slice(0, 1) || ' ')) sounds += sound;
    else if (!isSilentEnd && sound.length > 1) sounds += sound.slice(1);
    at += Math.max(1, length);
  }
  return sounds;
}
