export interface PlayedText {
  /** Words whose sound begins at `fromMs` of the reply's sound and lasts `lengthMs`. */
  add(text: string, fromMs: number, lengthMs: number): void;
  /** All words. */
  readonly all: string;
  /** The words that were heard by the time this much sound had been played. */
  until(playedMs: number): string;
}

interface Said {
  text: string;
  fromMs: number;
  lengthMs: number;
}

/** Tells which words of a reply the person has heard. */
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
      const begun = said.filter(({ fromMs }) => fromMs < playedMs);
      return joined(begun.map((each) => partOf(each, playedMs)));
    },
  };
}

/** Speech goes through its letters at a fairly even pace. A word that was only half heard does not count. */
function partOf({ text, fromMs, lengthMs }: Said, playedMs: number): string {
  const share = lengthMs > 0 ? (playedMs - fromMs) / lengthMs : 1;
  if (share >= 1) return text;
  const letters = Math.floor(text.length * share);
  const words = text.slice(0, letters + 1).match(/^.*(?=\s)/s)?.[0] ?? '';
  return words.trimEnd();
}
