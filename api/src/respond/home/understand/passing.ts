import type { Reading } from '../../../engines/home-dry-run.ts';
import { domainOf } from '../../../engines/home-templates.ts';
import { createPhraseFinder } from '../../../language/grammar/phrase-finder.ts';
import type { Word, WordReader } from '../../../language/grammar/words.ts';
import type { HomeWords, HouseNames, Kind } from './home-words.ts';
import { kinds } from './home-words.ts';
import { changeOf, setsColor, valueIn } from './intended.ts';
import { createWordFinder } from './word-finder.ts';

/** A sentence as Home Assistant reads it. */
export interface Passed {
  text: string;
  /** A device in the room where it was said; null: the room does not matter. */
  device: string | null;
  reading: Reading;
}

/** A command that Home Assistant has already read. */
export interface PassedCommand {
  /** Our name for the change; `anything`: a sentence that the household gave to Home Assistant. */
  intent: string;
  /** As it was said, without the room. */
  text: string;
  kinds: readonly Kind[];
  /** The percent or degrees that it sets; null: no number, or several. */
  setTo: number | null;
  passed: Passed;
}

/**
 * Sentences that match none of our templates but may match Home Assistant's. They are sent unchanged if Home
 * Assistant matches them exactly. The match must be a question, or the change that the words name.
 */
export function createPassing(data: HomeWords, readWords: WordReader) {
  const finder = (texts: readonly string[]) => createWordFinder(texts, readWords);
  const devices = createPhraseFinder<Kind>(
    kinds.flatMap((kind) => data.devices[kind].map((text) => ({ text, stands: kind }))),
    readWords,
  );
  const rooms = finder(data.rooms);
  const signs = finder([...data.rooms, ...data.of_house]);
  const asking = new Set(data.not_passed);
  const evidence = new Map(Object.entries(data.passed).map(([intent, texts]) => [intent, finder(texts)]));
  const verbs = finder([...data.passed_verbs, ...Object.values(data.passed).flat()]);
  let names = finder([]);

  const has = (found: ReturnType<typeof finder>, words: readonly Word[]) =>
    words.some((_, at) => found.at(words, at).length > 0);
  const kindsIn = (words: readonly Word[]): Kind[] => [
    ...new Set(words.flatMap((_, at) => devices.at(words, at).map(({ found }) => found))),
  ];

  return {
    /** Adds these names. */
    learn({ areas, things }: HouseNames): void {
      names = finder([...areas, ...things.map(({ name }) => name)]);
    },

    /** Whether words may be for the house at all; Home Assistant is not asked about every sentence. */
    mayConcern(text: string): boolean {
      const words = readWords(text);
      return (
        has(signs, words) || has(names, words) || words.some((_, at) => devices.at(words, at).length > 0)
      );
    },

    /** Whether words alone are a command to the house: they begin with an action or its target. */
    isCommand(text: string): boolean {
      const words = readWords(text);
      if (words.some(({ word }) => asking.has(word))) return false;
      const isThing = (at: number) =>
        [rooms, names].some((each) => each.at(words, at).length > 0) || devices.at(words, at).length > 0;
      const isDeed = [...evidence.values()].some((said) => has(said, words));
      const isBegun = verbs.at(words, 0).length > 0 || isThing(0);
      return isDeed && isBegun && words.some((_, at) => isThing(at));
    },

    /** The command that Home Assistant reads in the words; null: none, or not the one they say. */
    commandOf(text: string, passed: Passed): PassedCommand | null {
      const words = readWords(text);
      if (words.some(({ word }) => asking.has(word))) return null;
      const { reading } = passed;
      const command = { text, kinds: kindsIn(words), setTo: valueSet(reading), passed };
      if (reading.isOwn) return { ...command, intent: 'anything' };
      const shown = evidence.get(reading.intent);
      const intent = changeOf(reading, command.kinds);
      if (!shown || intent === null || !has(shown, words)) return null;
      return { ...command, intent: setsColor(reading) ? 'color' : intent };
    },
  };
}

/** The number that a reading sets its targets to. Null: none, or several. */
function valueSet({ targets, numbers }: Reading): number | null {
  const values = new Set(targets.map((id) => valueIn(domainOf(id), numbers)));
  const [value = null] = values;
  return values.size === 1 ? value : null;
}
