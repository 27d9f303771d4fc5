import { domainOf } from '../../engines/home-templates.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import type { TextTurn } from '../core/responder.ts';
import { type House, namesOf } from './house.ts';
import type { ThingIndex } from './thing-index.ts';
import type { OutcomeWords } from './understand/home-shape.ts';
import { createWordFinder } from './understand/word-finder.ts';

/** Maximum number of descriptions to try in one sentence. */
const maxDescriptions = 4;
/** Maximum number of things in one command, which would take too long with more. */
export const maxThings = 20;
/** Kinds of which a sentence may mean several in one place, without the word "all". */
const maySeveral = new Set(['light', 'cover']);
/** Classes of covers through which someone may enter. */
const entrances = new Set(['door', 'garage', 'gate', 'window']);

export type HouseThing = ReturnType<House['thingsOf']>[number];

/** The same sentence in words that Home Assistant knows. */
export interface Wording {
  /** One sentence per thing. */
  sentences: readonly { text: string; thing: HouseThing }[];
  /** All that they may change. */
  ids: ReadonlySet<string>;
  /** The things among which the person must choose first. Empty: it is clear. */
  choices: readonly HouseThing[];
}

/** Things that a sentence describes, or implies. */
export interface Meant {
  things: readonly HouseThing[];
  isClear: boolean;
}

/** A description of things in a sentence. */
export interface Description {
  words: readonly Word[];
  from: number;
  end: number;
  ids: readonly string[];
  isPlaced: boolean;
}

interface HomeWordingOptions {
  index: ThingIndex;
  meantBy: Meaning;
  readWords: WordReader;
}

export type HomeWording = ReturnType<typeof createHomeWording>;

/** Rewords a sentence for Home Assistant's grammar of a language: with the exact names of things. */
export function createHomeWording({ index, meantBy, readWords }: HomeWordingOptions) {
  /** The longest description at each position, without overlaps. */
  const descriptionsIn = (said: readonly Word[]): Description[] => {
    const longest = said.flatMap((_, from) => {
      const span = index.at(said, from).at(-1);
      return span ? [{ ...span, words: said.slice(from, span.end), from }] : [];
    });
    const isInside = (one: Description, other: Description) =>
      one !== other && other.from <= one.from && other.end >= one.end;
    return longest.filter((each) => !longest.some((other) => isInside(each, other)));
  };

  /** "Öffne Smarter Vorhang" for "Öffne den smarten Vorhang im Wohnzimmer", for each description. */
  return (turn: TextTurn): readonly Wording[] =>
    descriptionsIn(readWords(turn.text))
      .slice(0, maxDescriptions)
      .flatMap((description) => {
        const { things, isClear } = meantBy.description(description, turn);
        const [start, end] = [description.words[0]?.start ?? 0, description.words.at(-1)?.end ?? 0];
        const sentences = things.slice(0, isClear ? maxThings : 1).map((thing) => ({
          text: `${turn.text.slice(0, start)}${thing.name}${turn.text.slice(end)}`,
          thing,
        }));
        const ids = new Set(things.map(({ id }) => id));
        const isNew = sentences.some(({ text }) => text !== turn.text);
        return isNew ? [{ sentences, ids, choices: isClear ? [] : things }] : [];
      });
}

interface MeaningOptions {
  house: Pick<House, 'thingsOf' | 'areaOf' | 'roomOf' | 'classOf'>;
  words: Pick<OutcomeWords, 'all'>;
  readWords: WordReader;
  index: Pick<ThingIndex, 'isName'>;
}

export type Meaning = ReturnType<typeof createMeaning>;

/** Decides which of the described things the person means. */
export function createMeaning({ house, words, readWords, index }: MeaningOptions) {
  const all = createWordFinder(words.all, readWords);
  const saysAll = (said: readonly Word[]) => said.some((_, at) => all.at(said, at).length > 0);
  const isEntrance = ({ id }: HouseThing) =>
    domainOf(id) === 'lock' || entrances.has(house.classOf(id) ?? '');

  /** The things in the speaker's room, if some are there. */
  const nearby = (things: readonly HouseThing[], { room }: Pick<TextTurn, 'room'>): readonly HouseThing[] => {
    const here = house.areaOf(room);
    const near = here === null ? [] : things.filter(({ id }) => house.roomOf(id) === here);
    return near.length > 0 ? near : things;
  };

  return {
    nearby,

    description({ ids, isPlaced, words: said }: Description, turn: Pick<TextTurn, 'room'>): Meant {
      const things = house.thingsOf(ids);
      if (things.length > maxThings) return { things, isClear: false };
      if (things.length <= 1 || saysAll(said)) return { things, isClear: true };
      const called = things.filter((thing) => namesOf(thing).some((name) => index.isName(said, name)));
      if (called.length === 1) return { things: called, isClear: true };
      const near = isPlaced ? things : nearby(things, turn);
      const isUsual = near.every((thing) => maySeveral.has(domainOf(thing.id)) && !isEntrance(thing));
      return { things: near, isClear: near.length === 1 || (isPlaced && isUsual) };
    },
  };
}
