import type { HomeClient } from '../../engines/home-client.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { Grammar } from '../../language/grammar/grammar.ts';
import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import type { TextTurn } from '../core/responder.ts';
import { lightsWith } from './abilities.ts';
import { domainsOf, serviceFor } from './home-services.ts';
import { standingOf } from './home-states.ts';
import { type Description, type HouseThing, type Meaning, type Meant, maxThings } from './home-wording.ts';
import { type House, namesOf } from './house.ts';
import { areMachines, atWork, createSteps, isHeat, isPlayers, type Leveled } from './steps.ts';
import type { Order } from './target-resolver.ts';
import type { ThingIndex } from './thing-index.ts';
import type { OutcomeWords } from './understand/home-shape.ts';
import { createWordFinder } from './understand/word-finder.ts';

const maxCommands = 4;
/** People also count from one to ten: up to this, a number without a unit is unclear. */
const maxCounted = 10;

/** Steps in percent, or in degrees. */
const steps: Readonly<Record<string, number>> = {
  ...{ brighter: 20, darker: -20, louder: 10, quieter: -10 },
  ...{ warmer: 1, cooler: -1 },
};
/** Questions, each with the command that would make its answer yes. */
const questions: Readonly<Record<string, string>> = {
  ...{ is_on: 'on', is_off: 'off', is_open: 'open', is_closed: 'close' },
  ...{ is_locked: 'lock', is_unlocked: 'unlock' },
};

/** Commands for the things of the last one: "mach sie wieder aus". Each with the command that it means. */
const referring: Readonly<Record<string, string>> = Object.fromEntries(
  ['on', 'off', 'open', 'close', 'lock', 'unlock', 'set', ...Object.keys(steps)].map((intent) => [
    `${intent}_it`,
    intent,
  ]),
);

/** "Und im Schlafzimmer": the last command or question, for another place. */
const forAnotherPlace = 'elsewhere';

/** The sentences that a language defines itself. */
export const ownIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock', 'start', 'stop', 'dock', 'mow', 'park'],
  ...['clean', 'stop_cleaning', 'pause', 'resume', 'next', 'previous', 'mute', 'unmute', 'set'],
  ...Object.keys(steps),
  ...Object.keys(questions),
  ...Object.keys(referring),
  forAnotherPlace,
];

interface OwnCommandsOptions {
  client: Pick<HomeClient, 'light' | 'setting' | 'volume' | 'states' | 'mayHaveFeature'>;
  house: Pick<House, 'onNames' | 'thingsOf' | 'thingsIn' | 'exposed' | 'classOf'>;
  index: ThingIndex;
  meantBy: Meaning;
  grammar: Pick<Grammar, 'readWords' | 'matcher'>;
  numbers: NumberReader;
  sentences: Readonly<Record<string, readonly string[]>>;
  words: OutcomeWords;
}

type SaidInRoom = Pick<TextTurn, 'text' | 'room'>;

/** A spoken value. `unit`: null if the person named none. */
interface SaidLevel {
  number: number;
  unit: 'percent' | 'degrees' | null;
}

/** A command or a question in a sentence of our own. */
export interface OwnSentence extends Meant {
  intent: string;
  /** The words name things. If not, the running ones are meant. */
  isNamed: boolean;
  level: SaidLevel | null;
}

/** A command with known things. */
export interface OwnCommand {
  intent: string;
  orders: readonly Order[];
  /** The things among which the person must choose first. Empty: it is clear. */
  choices: readonly HouseThing[];
}

/** The answer to a question: the things for which it is true, false and unknown. */
export interface OwnAnswer {
  yes: readonly HouseThing[];
  no: readonly HouseThing[];
  silent: readonly HouseThing[];
}

export type OwnCommands = ReturnType<typeof createOwnCommands>;

/** The sentences about the house that a language defines itself. They command things by their ids. */
export function createOwnCommands(options: OwnCommandsOptions) {
  const { client, house, meantBy, grammar, words } = options;
  const { readWords } = grammar;
  const stepped = createSteps(client);
  const places = createPlaces(options);
  const level = createLevelReader(options);
  const joints = createWordFinder(words.and, readWords);
  const descriptions = createDescriptions(options);
  const matchers = createMatchers(options, {
    ...{ thing: descriptions.slot, area: places.slot, level: level.slot },
  });

  /** The things of a sentence to which the intent applies. */
  const meantIn = (intent: string, slots: ReadonlyMap<string, readonly Word[]>, turn: SaidInRoom): Meant => {
    const [named, area] = [slots.get('thing') ?? [], slots.get('area') ?? []];
    const described = descriptions.of(named).map((each) => {
      const ids = each.ids.filter((id) => canBe(intent, id));
      return meantBy.description({ ...each, ids }, turn);
    });
    if (described.length > 0) return togetherOf(described);
    const exposed = house.exposed();
    if (area.length > 0) {
      const lights = house
        .thingsOf(places.idsIn(area))
        .filter(({ id }) => domainOf(id) === 'light' && canBe(intent, id));
      return { things: lights, isClear: lights.length <= maxThings };
    }
    const things = house.thingsIn(domainsOf(intent), null).filter(({ id }) => exposed.has(id));
    const near = meantBy.nearby(things, turn);
    return { things: near, isClear: near.length === 1 };
  };

  /** Null: it is not one of these sentences, or it names nothing here. */
  const sentenceIn = (said: readonly Word[], turn: SaidInRoom): OwnSentence | null => {
    for (const match of matchers) {
      const found = match(said);
      if (!found) continue;
      const { intent, slots } = found;
      const meant = meantIn(intent, slots, turn);
      const value = level.of(slots.get('level') ?? []);
      if (meant.things.length === 0 || (value && !isPossible(value, meant.things))) continue;
      return { ...meant, intent, level: value, isNamed: slots.has('thing') || slots.has('area') };
    }
    return null;
  };

  const sentencesIn = (said: readonly Word[], turn: SaidInRoom, left: number): OwnSentence[] | null => {
    const one = sentenceIn(said, turn);
    if (one) return [one];
    for (let at = 1; left > 1 && at < said.length - 1; at += 1) {
      const joint = joints.at(said, at).at(-1);
      const first = joint && sentenceIn(said.slice(0, at), turn);
      const rest = joint && first && sentencesIn(said.slice(joint.end), turn, left - 1);
      // Questions come alone.
      if (first && rest && [first, ...rest].every(({ intent }) => !(intent in questions)))
        return [first, ...rest];
    }
    return null;
  };

  const levelsOf = async (
    { intent, things, level: said }: OwnSentence,
    signal: AbortSignal,
  ): Promise<readonly Leveled<HouseThing>[]> => {
    const by = steps[intent];
    if (by !== undefined) return (await stepped(things, { by, isUsual: true }, signal)) ?? [];
    const level = said?.number ?? null;
    const ids = things.map(({ id }) => id);
    const able = level === null ? null : await lightsWith('brightness', ids, { client, signal });
    const settable = able === null ? things : things.filter(({ id }) => able.includes(id));
    return settable.map((thing) => ({ thing, level }));
  };

  return {
    /** "Schalte die Küchenlampe ein und den Ventilator aus". Null: it is not one of these sentences. */
    read: (turn: SaidInRoom): readonly OwnSentence[] | null =>
      sentencesIn(readWords(turn.text), turn, maxCommands),

    readReferring: createReferring(options, level),

    readElsewhere: createElsewhere(options, places),

    /** Whether a text is a question about states. */
    asks: ([first]: readonly OwnSentence[]): boolean => first !== undefined && first.intent in questions,

    /** The calls for a command. Empty: nothing can be changed. */
    async resolve(said: OwnSentence, signal: AbortSignal): Promise<OwnCommand> {
      const { intent, isNamed, isClear, things } = said;
      const isAny = !isNamed && (isPlayers(things) || areMachines(things));
      const few = isAny && !isClear ? atWork(intent, things, await client.states(signal)) : things;
      if (!isClear && few.length > 1) return { intent, orders: [], choices: few };
      const leveled = await levelsOf({ ...said, things: few }, signal);
      const orders = leveled.flatMap(({ thing, level: number }) => {
        const call = serviceFor(intent, thing.id, { number, text: '' });
        return call ? [{ thing, call, value: number }] : [];
      });
      return { intent, orders, choices: [] };
    },

    /** Null: it is not a question. */
    async answer({ intent, things }: OwnSentence, signal: AbortSignal): Promise<OwnAnswer | null> {
      const wanted = questions[intent];
      if (wanted === undefined) return null;
      const states = await client.states(signal);
      const standing = Map.groupBy(things, ({ id }) => {
        const found = standingOf(wanted, { id, state: states[id] ?? 'unavailable' });
        if (found === 'silent' || found === 'unsure') return 'silent';
        return found === 'there' ? 'yes' : 'no';
      });
      const [yes = [], no = [], silent = []] = (['yes', 'no', 'silent'] as const).map((each) =>
        standing.get(each),
      );
      return { yes, no, silent };
    },
  };
}

/**
 * Reads "mach sie wieder aus", for the things of the last command. Null: it is no such sentence, or one of
 * the things cannot do it.
 */
function createReferring(options: OwnCommandsOptions, level: ReturnType<typeof createLevelReader>) {
  const { house, grammar } = options;
  /** One for each command: "up" means another one for a blind than for a lamp. */
  const matchers = Object.entries(referring).map(([name, intent]) => ({
    intent,
    match: createMatcher(options, [name], { level: level.slot }),
  }));
  return ({ text }: Pick<SaidInRoom, 'text'>, ids: readonly string[]): OwnSentence | null => {
    const said = grammar.readWords(text);
    const exposed = house.exposed();
    const things = house.thingsOf(ids.filter((id) => exposed.has(id)));
    if (things.length === 0) return null;
    for (const { intent, match } of matchers) {
      const found = match(said);
      const value = level.of(found?.slots.get('level') ?? []);
      const isAble = found !== null && things.every(({ id }) => canBe(intent, id));
      if (isAble && !(value && !isPossible(value, things)))
        return { intent, things, isClear: true, isNamed: true, level: value };
    }
    return null;
  };
}

/**
 * Reads "und im Schlafzimmer": the same command for things of the same kind in another place. Null: it is no
 * such sentence, or no such thing is there.
 */
function createElsewhere(options: OwnCommandsOptions, places: ReturnType<typeof createPlaces>) {
  const { house, meantBy, grammar } = options;
  const match = createMatcher(options, [forAnotherPlace], { area: places.slot });
  const kindOf = (id: string) => `${domainOf(id)} ${domainOf(id) === 'cover' ? house.classOf(id) : ''}`;
  return (turn: SaidInRoom, before: OwnSentence): OwnSentence | null => {
    const words = match(grammar.readWords(turn.text))?.slots.get('area');
    const [kind, ...others] = new Set(before.things.map(({ id }) => kindOf(id)));
    if (!words || others.length > 0 || !before.isClear) return null;
    const exposed = house.exposed();
    const ids = places
      .idsIn(words)
      .filter((id) => kindOf(id) === kind && exposed.has(id) && canBe(before.intent, id));
    if (ids.length === 0) return null;
    const there = { words, from: 0, end: words.length, ids, isPlaced: true };
    return { ...before, ...meantBy.description(there, turn), isNamed: true };
  };
}

/** The matchers of our sentences, in the order in which they are tried. */
function createMatchers(options: OwnCommandsOptions, slotTypes: Readonly<Record<string, SlotType>>) {
  const isStep = (intent: string) => intent in steps;
  const intents = ownIntents.filter((each) => !(each in referring) && each !== forAnotherPlace);
  /** "Mach auf" may open a blind or turn up the heating; the words alone are ambiguous. */
  return [intents.filter((each) => !isStep(each)), intents.filter(isStep)].map((some) =>
    createMatcher(options, some, slotTypes),
  );
}

/** Finds the intent of a sentence among some intents. */
function createMatcher(
  { grammar, sentences }: OwnCommandsOptions,
  intents: readonly string[],
  slotTypes: Readonly<Record<string, SlotType>>,
) {
  const known = intents.flatMap((intent) =>
    (sentences[intent] ?? []).map((text) => ({
      intent,
      sentence: { text, place: `skills/home-outcome.yaml: ${intent}` },
    })),
  );
  const matcher = grammar.matcher({ sentences: known.map(({ sentence }) => sentence), slotTypes });
  return (said: readonly Word[]) => {
    const match = matcher.match(said);
    const intent = known[match?.sentence ?? -1]?.intent;
    return match && intent !== undefined ? { intent, slots: match.slots } : null;
  };
}

/** Whether the intent applies to an entity. */
function canBe(intent: string, id: string): boolean {
  const command = questions[intent] ?? intent;
  return serviceFor(command, id, { number: 0, text: '' }) !== null;
}

/** Whether things can be set to a value in this unit. */
function isPossible({ number, unit }: SaidLevel, things: readonly HouseThing[]): boolean {
  if (isHeat(things)) return unit !== 'percent';
  return unit === 'percent' || (unit === null && number > maxCounted && number <= 100);
}

/** All things of several descriptions, or those of the first unclear one. */
function togetherOf(described: readonly Meant[]): Meant {
  const unclear = described.find(({ isClear }) => !isClear);
  const things = described.flatMap((each) => each.things);
  // "The lamp and the toaster" is not a command for the lamp alone.
  if (described.some((each) => each.things.length === 0)) return { things: [], isClear: true };
  return unclear ?? { things: [...new Set(things)], isClear: things.length <= maxThings };
}

/** Descriptions of things, also several with one verb: "die Lampe und der Ventilator". */
function createDescriptions({ index, grammar, words }: OwnCommandsOptions) {
  const joints = createWordFinder(words.and, grammar.readWords);
  const read = (said: readonly Word[], from: number, left: number): Description[][] =>
    index.at(said, from).flatMap((span) => {
      const one = { ...span, from, words: said.slice(from, span.end) };
      const behind = left > 1 ? joints.at(said, span.end) : [];
      return [[one], ...behind.flatMap(({ end }) => read(said, end, left - 1).map((more) => [one, ...more]))];
    });
  const slot: SlotType = {
    ends: (said, from) => [
      ...new Set(read(said, from, maxCommands).flatMap((each) => each.at(-1)?.end ?? [])),
    ],
  };
  return {
    slot,
    /** The descriptions that these words consist of. */
    of: (said: readonly Word[]): readonly Description[] =>
      read(said, 0, maxCommands).find((each) => each.at(-1)?.end === said.length) ?? [],
  };
}

/** Rooms and floors by name, with the words before them: "in der Küche". */
function createPlaces({ house, index, grammar, words }: OwnCommandsOptions) {
  const { readWords } = grammar;
  const little = new Set(
    [...words.determiners, ...words.in].flatMap((text) => readWords(text).map(({ word }) => word)),
  );
  let names = createPhraseFinder<null>([], readWords);
  house.onNames(({ areas, floors }) => {
    const texts = [...areas.flatMap(namesOf), ...floors];
    names = createPhraseFinder(
      texts.map((text) => ({ text, stands: null })),
      readWords,
    );
  });
  const slot: SlotType = {
    ends: (said, from) => {
      const first = said.findIndex(({ word }, at) => at >= from && !little.has(word));
      return first < 0 ? [] : names.at(said, first).map(({ end }) => end);
    },
  };
  return {
    slot,
    idsIn: (said: readonly Word[]) => index.inPlace(said.map(({ word }) => word).join(' ')),
  };
}

/** Numbers with a unit, and words for an amount: "50 Prozent", "21 Grad", "halb". */
function createLevelReader({ grammar, numbers, words }: OwnCommandsOptions) {
  const { readWords } = grammar;
  const finder = (texts: readonly string[]) => createWordFinder(texts, readWords);
  const [percent, degrees] = [finder(words.percent), finder(words.degrees)];
  const amounts = createPhraseFinder<number>(
    Object.entries(words.amounts).map(([text, stands]) => ({ text, stands })),
    readWords,
  );
  const read = (said: readonly Word[], from: number): (SaidLevel & { end: number })[] => {
    const number = numbers.read(said, from);
    const inWords = amounts
      .at(said, from)
      .map(({ end, found }) => ({ number: found, unit: 'percent', end }) as const);
    if (!number) return inWords;
    const value = Number(number.value.top) / Number(number.value.bottom);
    const withUnit = (['percent', 'degrees'] as const).flatMap((unit) =>
      (unit === 'percent' ? percent : degrees)
        .at(said, number.end)
        .map(({ end }) => ({ number: value, unit, end })),
    );
    return [...inWords, { number: value, unit: null, end: number.end }, ...withUnit];
  };
  const slot: SlotType = { ends: (said, from) => read(said, from).map(({ end }) => end) };
  return {
    slot,
    of: (said: readonly Word[]): SaidLevel | null =>
      read(said, 0).find(({ end }) => end === said.length) ?? null,
  };
}
