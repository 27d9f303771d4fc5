/** The cost of hearing one sound as another; 1 if not listed. */
const alike: readonly [sounds: string, cost: number][] = [
  ['pb', 0.4],
  ['td', 0.4],
  ['kg', 0.4],
  ['fv', 0.4],
  ['sz', 0.3],
  ['SCJ', 0.4],
  ['sS', 0.5],
  ['Tft', 0.6],
  ['mnN', 0.5],
  ['tn', 0.8],
  ['lr', 0.7],
  ['wv', 0.6],
  ['Jg', 0.5],
];
const vowels = 'aeiouA';
const otherVowel = 0.4;
/** Sounds that are easily lost or added. */
const slight = 'htdsz';
const slightCost = 0.5;

/**
 * How different two words sound, 0 (equal) to 1. Both use the language's sound spelling, one letter per
 * sound.
 */
export function soundDistance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => sumOf(other.slice(0, at)));
  for (const sound of one) {
    const row = [(before[0] ?? 0) + lossOf(sound)];
    for (const [place, otherSound] of [...other].entries()) {
      const replaced = (before[place] ?? 0) + changeOf(sound, otherSound);
      const lost = (before[place + 1] ?? 0) + lossOf(sound);
      const added = (row[place] ?? 0) + lossOf(otherSound);
      row.push(Math.min(replaced, lost, added));
    }
    before = row;
  }
  return Math.min(1, (before.at(-1) ?? 0) / Math.max(1, one.length, other.length));
}

/** Whether two words begin alike: beginnings are heard best. */
export function beginAlike(one: string, other: string): boolean {
  return changeOf(one.slice(0, 1), other.slice(0, 1)) < 1;
}

const sumOf = (sounds: string) => [...sounds].reduce((sum, sound) => sum + lossOf(sound), 0);

function lossOf(sound: string): number {
  return vowels.includes(sound) || slight.includes(sound) ? slightCost : 1;
}

function changeOf(sound: string, otherSound: string): number {
  if (sound === otherSound) return 0;
  if (vowels.includes(sound) && vowels.includes(otherSound)) return otherVowel;
  const costs = alike.filter(([sounds]) => sounds.includes(sound) && sounds.includes(otherSound));
  return Math.min(1, ...costs.map(([, cost]) => cost));
}
