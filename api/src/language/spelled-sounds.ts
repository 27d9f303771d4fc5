/** A spelling at the beginning of the rest of a word, and its sound; '' for a silent one. */
export type SpelledSound = readonly [letters: RegExp, sound: string];

interface SpelledSoundsOptions {
  /** Longer spellings first. A letter without a spelling sounds as it is written. */
  spelled: readonly SpelledSound[];
  /** Everything that is no letter of the language. */
  notLetters: RegExp;
}

/** Returns a function for the sound of a word. A sound that repeats the one before it counts once. */
export function createSpelledSounds({ spelled, notLetters }: SpelledSoundsOptions) {
  return (word: string): string => {
    const letters = word.toLowerCase().replace(notLetters, '');
    let sounds = '';
    for (let at = 0; at < letters.length; ) {
      const rest = letters.slice(at);
      const found = spelled.find(([spelling]) => spelling.test(rest));
      const sound = found ? found[1] : rest.slice(0, 1);
      if (!sounds.endsWith(sound)) sounds += sound;
      at += Math.max(1, found?.[0].exec(rest)?.[0].length ?? 1);
    }
    return sounds;
  };
}
