interface PlayedText {
  /** Adds words whose sound begins at `fromMs` of the reply's sound and lasts `lengthMs`. */
  add(text: string, fromMs: number, lengthMs: number): void;
  /** All words. */
  readonly all: string;
  /** The words played once this much sound had been played. */
  until(playedMs: number): string;
}

interface Said {
  text: string;
  fromMs: number;
  lengthMs: number;
}

/** Tracks which words of a reply have been played. */
export function createPlayedText(): PlayedText {
  const said: Said[] = [];
  const joined = (texts: readonly string[]) => texts.filter((text) => text !== '').join(' ');
  return {
    add(text, fromMs, lengthMs) {
      said.push({ text, fromMs, lengthMs });
    },
    get all() {
      return joined(said.map(({ text }) => text));
    },
    until(playedMs) {
      // Words without sound are given as soon as all sound before them has been played.
      const begun = said.filter(({ fromMs, lengthMs }) => fromMs < playedMs || fromMs + lengthMs <= playedMs);
      return joined(begun.map((each) => playedPartOf(each, playedMs)));
    },
  };
}

/**
 * The words played up to a position. Assumes an even pace per letter. A word that was only partly played does
 * not count.
 */
export function playedPartOf({ text, fromMs, lengthMs }: Said, playedMs: number): string {
  const share = lengthMs > 0 ? (playedMs - fromMs) / lengthMs : 1;
  if (share >= 1) return text;
  const letters = Math.floor(text.length * share);
  const words = text.slice(0, letters + 1).match(/^.*(?=\s)/s)?.[0] ?? '';
  return words.trimEnd();
}
