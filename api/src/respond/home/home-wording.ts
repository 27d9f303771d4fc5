import { domainOf } from '../../engines/home-templates.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { TextTurn } from '../core/responder.ts';
import { domainsOf, serviceFor } from './home-services.ts';
import { describedThings, type House, namesOf } from './house.ts';
import type { Order } from './target-resolver.ts';
import { createThingIndex, type ThingIndex } from './thing-index.ts';
import type { OutcomeWords } from './understand/home-shape.ts';
import { createWordFinder } from './understand/word-finder.ts';

/** More descriptions in one sentence are not tried. */
const maxDescriptions = 4;
/** A command to more things takes too long. */
const maxThings = 20;
const maxCommands = 4;
/** These may be several things at one place, without the word "all". */
const maySeveral = new Set(['light', 'cover']);
/** The classes of covers by which somebody may come in. */
const entrances = new Set(['door', 'garage', 'gate', 'window']);

type Thing = ReturnType<House['thingsOf']>[number];

interface HomeWordingOptions {
  house: Pick<House, 'onNames' | 'thingsOf' | 'thingsIn' | 'areaOf' | 'roomOf' | 'classOf' | 'exposed'>;
  grammar: Pick<Grammar, 'readWords' | 'matcher'>;
  sentences: Readonly<Record<string, readonly string[]>>;
  words: OutcomeWords;
}

/** The same sentence in words that Home Assistant knows. */
export interface Wording {
  /** One sentence per thing. */
  sentences: readonly { text: string; thing: Thing }[];
  /** All that they may change. */
  ids: ReadonlySet<string>;
  /** The things among which the person must choose first. Empty: it is clear. */
  choices: readonly Thing[];
}

/** The commands that a language has sentences of its own for. */
export const ownIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock', 'start', 'stop', 'dock', 'mow', 'park'],
  ...['clean', 'stop_cleaning', 'pause', 'resume', 'next', 'previous', 'mute', 'unmute'],
];

/** A command in our own words. */
export interface OwnCommand {
  intent: string;
  orders: readonly Order[];
  /** The things among which the person must choose first. Empty: it is clear. */
  choices: readonly Thing[];
}

/** Things that a sentence describes, or implies. */
interface Meant {
  things: readonly Thing[];
  isClear: boolean;
}

/** A description of things in a sentence. */
interface Description {
  words: readonly Word[];
  from: number;
  end: number;
  ids: readonly string[];
  isPlaced: boolean;
}

const noValue = { number: null, text: '' };

export type HomeWording = ReturnType<typeof createHomeWording>;

/**
 * Home Assistant's grammar of a language needs the exact name of a thing, and knows few verbs. Finds the
 * things that a sentence describes, to name them for Home Assistant, or to command them by their ids.
 */
export function createHomeWording({ house, grammar, sentences, words }: HomeWordingOptions) {
  const { readWords } = grammar;
  const index = createThingIndex({ ...words, one: [], only: [] }, readWords);
  house.onNames((facts) => index.learn(describedThings(facts)));
  const meantBy = createMeaning({ house, words, readWords, index });
  const joints = createWordFinder(words.and, readWords);
  const known = Object.entries(sentences).flatMap(([intent, texts]) =>
    texts.map((text) => ({ intent, sentence: { text, place: `skills/home-outcome.yaml: ${intent}` } })),
  );
  const matcher = grammar.matcher({
    sentences: known.map(({ sentence }) => sentence),
    slotTypes: { thing: { ends: (said, from) => index.at(said, from).map(({ end }) => end) } },
  });

  /** The longest description at each place, but none inside another one. */
  const descriptionsIn = (said: readonly Word[]): Description[] => {
    const longest = said.flatMap((_, from) => {
      const span = index.at(said, from).at(-1);
      return span ? [{ ...span, words: said.slice(from, span.end), from }] : [];
    });
    const isInside = (one: Description, other: Description) =>
      one !== other && other.from <= one.from && other.end >= one.end;
    return longest.filter((each) => !longest.some((other) => isInside(each, other)));
  };

  const implied = (intent: string, turn: TextTurn): Meant => {
    const exposed = house.exposed();
    const things = house.thingsIn(domainsOf(intent), null).filter(({ id }) => exposed.has(id));
    const near = meantBy.nearby(things, turn);
    return { things: near, isClear: near.length === 1 };
  };

  /** Null: no sentence of ours, or for no thing here. */
  const commandIn = (said: readonly Word[], turn: TextTurn): OwnCommand | null => {
    const match = matcher.match(said);
    const intent = known[match?.sentence ?? -1]?.intent;
    if (!match || intent === undefined) return null;
    const slot = match.slots.get('thing') ?? [];
    const span = index.at(slot, 0).find(({ end }) => end === slot.length);
    const ids = span?.ids.filter((id) => serviceFor(intent, id, noValue));
    const meant = span
      ? meantBy.description({ ...span, ids: ids ?? [], words: slot, from: 0 }, turn)
      : implied(intent, turn);
    const orders = meant.things.flatMap((thing) => {
      const call = serviceFor(intent, thing.id, noValue);
      return call ? [{ thing, call, value: null }] : [];
    });
    return orders.length === 0 ? null : { intent, orders, choices: meant.isClear ? [] : meant.things };
  };

  const commandsIn = (said: readonly Word[], turn: TextTurn, left: number): OwnCommand[] | null => {
    const one = commandIn(said, turn);
    if (one) return [one];
    for (let at = 1; left > 1 && at < said.length - 1; at += 1) {
      const joint = joints.at(said, at).at(-1);
      const first = joint && commandIn(said.slice(0, at), turn);
      const rest = joint && first && commandsIn(said.slice(joint.end), turn, left - 1);
      if (first && rest) return [first, ...rest];
    }
    return null;
  };

  return {
    /** "Schalte die Küchenlampe ein und den Ventilator aus". Null: it is not in our words. */
    commands: (turn: TextTurn): readonly OwnCommand[] | null =>
      commandsIn(readWords(turn.text), turn, maxCommands),

    /** "Öffne Smarter Vorhang" for "Öffne den smarten Vorhang im Wohnzimmer", for each description. */
    wordings: (turn: TextTurn): readonly Wording[] =>
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
        }),
  };
}

/** Decides which of the described things are meant. */
function createMeaning({
  house,
  words,
  readWords,
  index,
}: Pick<HomeWordingOptions, 'house' | 'words'> & Pick<Grammar, 'readWords'> & { index: ThingIndex }) {
  const all = createWordFinder(words.all, readWords);
  const saysAll = (said: readonly Word[]) => said.some((_, at) => all.at(said, at).length > 0);
  const isEntrance = ({ id }: Thing) => domainOf(id) === 'lock' || entrances.has(house.classOf(id) ?? '');

  /** The things in the speaker's room, if some are there. */
  const nearby = (things: readonly Thing[], { room }: TextTurn): readonly Thing[] => {
    const here = house.areaOf(room);
    const near = here === null ? [] : things.filter(({ id }) => house.roomOf(id) === here);
    return near.length > 0 ? near : things;
  };

  return {
    nearby,

    description({ ids, isPlaced, words: said }: Description, turn: TextTurn): Meant {
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
