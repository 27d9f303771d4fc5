import { joinedWords, textOf, type Word, type WordReader } from '../../../language/grammar/words.ts';

/** Shorter ones are put together by chance: "on to", "a way". */
const fewestLetters = 6;
const maxWords = 5;
/** Shorter words are not plurals: "gas". */
const fewestLettersOfPlural = 4;

interface SpacingOptions {
  /** Rooms that a home may have. */
  rooms: readonly string[];
  /** Different words for the same: the telly is the TV. */
  same: readonly (readonly string[])[];
  /** Numbers by their words: lamp two is Lamp 2. */
  numbers: Readonly<Record<string, number>>;
  /** Endings of the last word of a plural name: the Christmas light is also "Christmas lights". */
  plural_endings: readonly string[];
}

/**
 * Maps the spellings of people and speech recognition to the names of the house: "bed room" is the bedroom. A
 * synonym counts if the house has one such name: "the telly" is the TV.
 */
export function createSpacing(
  { rooms, same, numbers, plural_endings }: SpacingOptions,
  readWords: WordReader,
) {
  let [names, byLetters] = tablesOf(rooms);
  let otherWords = new Map<string, string>();
  let asWritten = new Map<string, string>();
  const digits = Object.entries(numbers).map(([word, value]): [string, string] => [word, String(value)]);

  /** The names as they are said, and by their letters. A name of the house counts before one of any home. */
  function tablesOf(texts: readonly string[]): [Set<string>, Map<string, string>] {
    const known = texts.map((text) => joinedWords(readWords(text)));
    const letters = known.map((name): [string, string] => [lettersOf(name), name]);
    const byLetters = new Map(letters.filter(([all]) => all.length >= fewestLetters));
    const names = known.filter((name) => (byLetters.get(lettersOf(name)) ?? name) === name);
    return [new Set(names), byLetters];
  }

  /** For each word that the house does not use the only one of the same meaning that it does. */
  function wordsFor(texts: readonly string[]): Map<string, string> {
    const all = texts.map((text) => ` ${joinedWords(readWords(text))} `);
    const isUsed = (word: string) => all.some((name) => name.includes(` ${word} `));
    return new Map(
      same.flatMap((group): [string, string][] => {
        const [used, ...more] = group.filter(isUsed);
        if (used === undefined || more.length > 0) return [];
        return group.filter((word) => word !== used).map((word) => [word, used]);
      }),
    );
  }

  /** Names with a synonym of one part that fit exactly one entity: "the wemo socket" is the Wemo plug. */
  function namesFor(texts: readonly string[]): Map<string, string> {
    const all = texts.map((text) => joinedWords(readWords(text)));
    const others = all.flatMap((name) => variantsOf(name).map((other): [string, string] => [other, name]));
    const meant = Map.groupBy(others, ([other]) => other);
    return new Map(
      [...meant].flatMap(([other, [only, ...more]]) =>
        only && more.length === 0 && !all.includes(other) ? [only] : [],
      ),
    );
  }

  /** A name with each other word for each of its words. */
  function variantsOf(name: string): string[] {
    const words = name.split(' ');
    return words.flatMap((word, at) => {
      if (words.length < 2) return [];
      const group = same.find((each) => each.includes(word)) ?? [];
      const number = digits.find((each) => each.includes(word)) ?? [];
      const singular = at === words.length - 1 ? singularsOf(word) : [];
      const others = [...group, ...number, ...singular].filter((other) => other !== word);
      return others.map((other) => words.with(at, other).join(' '));
    });
  }

  function singularsOf(word: string): string[] {
    const endings = plural_endings.filter((ending) => word.endsWith(ending));
    return word.length < fewestLettersOfPlural ? [] : endings.map((ending) => word.slice(0, -ending.length));
  }

  /**
   * Names whose spelling differs from their words. Home Assistant does not find "TV 1" if the entity is
   * called TV1.
   */
  function spellingsOf(texts: readonly string[]): Map<string, string> {
    const spelled = texts.map((text): [string, string] => [joinedWords(readWords(text)), text]);
    return new Map(spelled.filter(([joined, text]) => joined !== '' && joined !== text.toLowerCase()));
  }

  /** The name that these words are, written otherwise. */
  const nameOf = (said: readonly Word[]): string | undefined => {
    if (said.slice(1).some(({ gap }) => gap !== '')) return undefined;
    const other = otherWords.get(joinedWords(said));
    if (other !== undefined || names.has(joinedWords(said))) return other;
    return byLetters.get(lettersOf(joinedWords(said)));
  };

  /** A name that is said with a mark between its words, such as "the kids' room". */
  const markedName = (text: string, said: readonly Word[]): string | undefined => {
    const isMarked = /['’-]/.test(textOf(text, said)) && names.has(joinedWords(said));
    return isMarked && joinedWords(said) !== textOf(text, said).toLowerCase() ? joinedWords(said) : undefined;
  };

  const found = (text: string, words: readonly Word[], from: number) => {
    for (let count = Math.min(maxWords, words.length - from); count > 0; count -= 1) {
      const said = words.slice(from, from + count);
      const name = nameOf(said) ?? markedName(text, said);
      const written = asWritten.get(name ?? joinedWords(said)) ?? name;
      if (written !== undefined) return { said, name: written };
    }
    return null;
  };

  return {
    /** Adds these names. */
    learn(more: readonly string[]): void {
      [names, byLetters] = tablesOf([...rooms, ...more]);
      otherWords = new Map([...wordsFor(more), ...namesFor(more)]);
      asWritten = spellingsOf(more);
    },

    /** The text with such names as the house writes them. */
    asNamed(text: string): string {
      const words = readWords(text);
      let [named, end] = ['', 0];
      for (let at = 0; at < words.length; at += 1) {
        const other = found(text, words, at);
        if (!other) continue;
        named += text.slice(end, other.said[0]?.start) + other.name;
        end = other.said.at(-1)?.end ?? end;
        at += other.said.length - 1;
      }
      return named + text.slice(end);
    },
  };
}

/** "Kid's room" and "kids' room" are the Kids Room. */
const lettersOf = (name: string) => name.replaceAll(/[ ']/g, '');
