import type { HomeClient } from '../../engines/home-client.ts';
import { commandedDomains, domainOf } from '../../engines/home-templates.ts';
import { joined } from '../../language/phrase.ts';
import type { SayHome } from './home-reports.ts';
import { denial, type HomeAsk, type HomeResult } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import { type ServiceCall, serviceFor } from './home-services.ts';
import { type House, namesOf } from './house.ts';
import type { AskWhichRoom } from './same-name.ts';
import {
  areCovers,
  areLights,
  areMachines,
  atWork,
  createSteps,
  isHeat,
  isOfWhite,
  isPlayers,
  type Leveled,
  whitesAfter,
} from './steps.ts';
import type { ThingIndex } from './thing-index.ts';
import { type HomeWords, kindOfDomain } from './understand/home-words.ts';
import type { Each, UnderstoodCommand } from './understand/understood.ts';

interface ResolverOptions {
  client: Pick<HomeClient, 'light' | 'colorTemperature' | 'setting' | 'volume' | 'exposed' | 'states'>;
  house: Pick<House, 'thingsIn' | 'thingsOf' | 'roomOf'>;
  index: Pick<ThingIndex, 'find' | 'inPlace'>;
  sentenceFor: Pick<SentenceFor, 'roomOf'>;
  reply: SayHome;
  words: Pick<HomeWords, 'plural_endings' | 'units' | 'lighting' | 'between' | 'last' | 'outdoors'>;
  alike: AskWhichRoom;
}

/** Setting more than this at once takes too long. */
const maxThings = 200;
/** People also count from one to ten: without a unit, up to this a number is unclear. */
const maxCounted = 10;

/** More things elsewhere are not offered for a command without a room. */
const maxOffered = 5;

type Thing = ReturnType<House['thingsIn']>[number];

/** These domains are seen or heard in their room only. */
const boundToRoom = ['light', 'media_player'];
/** A word for a machine, such as "heater" or "sprinkler", may mean one of these. */
const appliances = ['valve', 'climate', 'water_heater'];

const allLights: Each = {
  ...{ domains: ['light'], name: null, value: '', level: null, light: null, by: null },
  ...{ calledWith: null, isUsual: false, isOne: false, isOneOf: false, isOfRoom: false, isEverything: false },
};

/** A service call to one entity. */
export interface Order {
  thing: Pick<Thing, 'id' | 'name'>;
  call: ServiceCall;
  /** The percent or degrees that it sets; null: no number. */
  value: number | null;
}

/** The calls for a command, or the reason against them. */
export interface Resolution {
  orders: readonly Order[];
  /** The reply with what was set; null: another one fits. */
  confirmation: string | null;
  refusal: HomeResult | null;
  /** Why these things cannot do it, so that others still may. */
  unable: string | null;
  /** They are off and stay as they are, so that there is nothing to set. */
  isIdle: boolean;
  /** The entities among which the person must choose; empty: nothing is open. */
  choices: readonly Thing[];
  /** The heatings that are off, so that they cannot be made warmer. */
  heatingsOff: readonly Thing[];
}

const noOrders: Resolution = {
  ...{ orders: [], confirmation: null, refusal: null, unable: null, isIdle: false },
  ...{ choices: [], heatingsOff: [] },
};

/** The entities that a command means, with the calls for them. Null: it names none that is known. */
type ResolveTarget = (command: UnderstoodCommand, ask: HomeAsk) => Promise<Resolution | null>;

/** The things that may be meant. Unclear: the person must choose among them. */
interface Choice {
  things: readonly Thing[];
  isClear: boolean;
}

/**
 * Resolves what Home Assistant's sentences do not reach: parts of names, kinds, and several things at once.
 * Only entities exposed to Assist count.
 */
export function createTargetResolver(options: ResolverOptions): ResolveTarget {
  const { client, house, index, sentenceFor, reply, alike } = options;
  const levelsOf = createLevels(options);
  const { named, cleansAnywhere, toldLevels } = createReplies(options);
  const candidatesOf = createCandidates(options);
  const choose = createChoice(options);

  /** The things that an exception describes: "the kitchen", "the floor lamp". */
  const excepted = (words: string): readonly string[] => {
    const things = index.find(words);
    return things.length > 0 ? things : index.inPlace(words);
  };

  const refused = (text: string): Resolution => ({ ...noOrders, refusal: denial(text) });
  const unable = (text: string): Resolution => ({ ...noOrders, unable: text });

  const exposedOf = async (things: readonly Thing[], signal: AbortSignal): Promise<readonly Thing[]> => {
    if (things.length === 0) return [];
    const exposed = new Set(await client.exposed(signal));
    return things.filter(({ id }) => exposed.has(id));
  };

  /** Heatings without a temperature that can be changed. */
  const withoutDegrees = async (
    { intent }: UnderstoodCommand,
    things: readonly Thing[],
    { turn, signal }: Pick<HomeAsk, 'turn' | 'signal'>,
  ): Promise<Resolution> => {
    const states = await client.states(signal);
    const isOff = things.every(({ id }) => states[id] === 'off');
    if (isOff && intent === 'warmer') return { ...noOrders, heatingsOff: things };
    if (isOff) return { ...unable(reply('heating_off', {}, turn)), isIdle: true };
    return unable(reply('not_possible', { target: named(things) }, turn));
  };

  /** Lights that cannot be changed in steps. Null: other things. */
  const withoutSteps = (
    { each, intent }: UnderstoodCommand,
    things: readonly Thing[],
    turn: { id: string },
  ): Resolution | null => {
    if (each === null || each.by === null || !areLights(things)) return null;
    const without = isOfWhite(intent) ? 'no_color_temperature' : 'not_dimmable';
    return unable(reply(without, { things_start: named(things) }, turn));
  };

  const resolved = async (
    command: UnderstoodCommand,
    things: readonly Thing[],
    { turn, signal }: HomeAsk,
  ): Promise<Resolution | null> => {
    const { each } = command;
    const leveled = await levelsOf(command, things, signal);
    if (leveled === null) return withoutSteps(command, things, turn);
    if (leveled.length === 0 && isHeat(things))
      return await withoutDegrees(command, things, { turn, signal });
    if (leveled.length === 0) return { ...unable(reply('all_off', {}, turn)), isIdle: true };
    const orders = leveled.flatMap(({ thing, level }) => {
      const call = serviceFor(command.intent, thing.id, { number: level, text: each?.value ?? '' });
      return call ? [{ thing, call, value: level }] : [];
    });
    const levels = leveled.flatMap(({ level }) => level ?? []);
    if (orders.length === 0) return null;
    const isChanged = each !== null && each.by !== null && levels.length > 0 && !isPlayers(things);
    const confirmation = isChanged
      ? toldLevels(command, leveled, turn)
      : cleansAnywhere(command, things, turn);
    return { ...noOrders, orders, confirmation };
  };

  const chosenFor = async (
    command: UnderstoodCommand,
    able: readonly Thing[],
    ask: HomeAsk,
  ): Promise<Resolution | null> => {
    const choice = await choose(command, able, ask);
    if (choice === null) return null;
    const { things, isClear } = choice;
    if (isClear && things.length > maxThings) return refused(reply('too_many', {}, ask.turn));
    if (isClear) return await resolved(command, things, ask);
    const offered = await alike(command, ask);
    return { ...noOrders, ...(offered ? { refusal: offered } : { choices: things }) };
  };

  return async (said, ask) => {
    const command = lightsOfRoom(house, said);
    const { except, exceptIds = [] } = command.reach.by === 'exception' ? command.reach : { except: [] };
    const unknown = except.find((words) => excepted(words).length === 0);
    if (unknown !== undefined) return refused(reply('not_known', { bare: unknown }, ask.turn));
    const left = new Set([...exceptIds, ...except.flatMap(excepted)]);
    const candidates = candidatesOf(command, sentenceFor.roomOf(ask.turn)).filter(({ id }) => !left.has(id));
    const known = await exposedOf(candidates, ask.signal);
    if (known.length === 0) return null;
    const { intent, target, isSpecial } = command;
    const able = known.filter(({ id }) => serviceFor(intent, id, { number: 0, text: '-' }) !== null);
    if (able.length === 0) return isSpecial ? unable(reply('not_possible', { target }, ask.turn)) : null;
    return await chosenFor(command, able, ask);
  };
}

/** The words for the things of a command, and replies that fit no other command. */
function createReplies({ reply, words }: Pick<ResolverOptions, 'reply' | 'words'>) {
  const named = (things: readonly Thing[]) =>
    joined(
      things.map(({ name }) => name),
      words,
    );

  /** A vacuum cleaner that is started to clean one room may clean others too. */
  const cleansAnywhere = (
    { intent, place }: UnderstoodCommand,
    things: readonly Thing[],
    turn: { id: string },
  ) => {
    if (intent !== 'clean' || place === '') return null;
    return reply('cleans_anywhere', { things: named(things) }, turn);
  };

  /** The levels in words. Null: things that open, to different levels. */
  const toldLevels = (
    { intent }: UnderstoodCommand,
    leveled: readonly Leveled<Thing>[],
    turn: { id: string },
  ): string | null => {
    const levels = leveled.flatMap(({ level }) => level ?? []);
    const [low, high] = [Math.min(...levels), Math.max(...levels)].map(String);
    const things = leveled.map(({ thing }) => thing);
    const [one, range] = [{ value: low ?? '' }, { low: low ?? '', high: high ?? '' }];
    const isSame = low === high;
    if (areCovers(things))
      return isSame ? reply('was_set_percent', { things_start: named(things), ...one }, turn) : null;
    const light = isOfWhite(intent) ? (['white', 'whites'] as const) : (['level', 'levels'] as const);
    const [single, several] = isHeat(things) ? (['temperature', 'temperatures'] as const) : light;
    return isSame ? reply(single, one, turn) : reply(several, range, turn);
  };

  return { named, cleansAnywhere, toldLevels };
}

/** "Turn off the kitchen" means the lights there, unless something else has that name. */
function lightsOfRoom(house: Pick<House, 'thingsIn'>, command: UnderstoodCommand): UnderstoodCommand {
  const { intent, bare, place, isNamed, each } = command;
  if (intent !== 'on' && intent !== 'off') return command;
  const isRoom = bare !== '' && place === '' && !isNamed && each === null;
  if (!isRoom || house.thingsIn(['light'], bare).length === 0) return command;
  return { ...command, bare: '', place: bare, isPlaced: true, kinds: ['light'], each: allLights };
}

/** The things that the words of a command may mean. */
function createCandidates({ house, index }: Pick<ResolverOptions, 'house' | 'index'>) {
  const kindOf = ({ id }: Thing) => kindOfDomain[domainOf(id)] ?? 'power';
  const isOfKind =
    ({ kinds }: UnderstoodCommand) =>
    (thing: Thing) =>
      kinds.length === 0 || kinds.includes(kindOf(thing));
  /** "The projector" may be a plug, "the irrigation" a valve, and "the heater" a thermostat. */
  const mayBeOfKind =
    ({ kinds }: UnderstoodCommand) =>
    (thing: Thing) =>
      kindOf(thing) === 'power' || (kinds.includes('power') && appliances.includes(domainOf(thing.id)));

  const described = (command: UnderstoodCommand): readonly Thing[] => {
    const all = house.thingsOf(index.find(command.bare));
    const ofKind = all.filter(isOfKind(command));
    if (ofKind.length > 0) return ofKind;
    const near = all.filter(mayBeOfKind(command));
    if (near.length > 0) return near;
    // "The garage" may be Garage door in the Garage, though the word is that of its room.
    const things = house.thingsIn(commandedDomains, null).filter(isOfKind(command));
    return things.filter((thing) => namesOf(thing).some((name) => hasWords(name, command.bare)));
  };

  /** All of some domains, in the place that was said or in the speaker's room. */
  const ofEach = (command: UnderstoodCommand, each: Each, room: string | null): readonly Thing[] => {
    const { domains, name, calledWith } = each;
    if (name !== null) return [];
    const all = house.thingsIn(domains, null);
    const there = command.place || room;
    const may = calledWith === null ? all : all.filter((thing) => hasWord(thing, calledWith));
    if (command.isEverywhere || (calledWith !== null && !each.isOfRoom)) return may;
    const inRoom = there === null ? [] : house.thingsIn(domains, there).map(({ id }) => id);
    // A floor holds several rooms.
    const ids = new Set(inRoom.length > 0 ? inRoom : index.inPlace(command.place));
    return may.filter(({ id }) => ids.has(id));
  };

  const byWords = (command: UnderstoodCommand): readonly Thing[] => {
    const { bare, place } = command;
    if (bare !== '') return described(command);
    if (command.kinds.length === 0) return [];
    const inPlace = house.thingsOf(place === '' ? [] : index.inPlace(place));
    // A place that the house does not know says nothing.
    const isUnknownPlace = inPlace.length === 0 && command.intent === 'water';
    const all = place === '' || isUnknownPlace ? house.thingsIn(commandedDomains, null) : inPlace;
    const calledWith = command.each?.calledWith ?? null;
    return all.filter(isOfKind(command)).filter((thing) => calledWith === null || hasWord(thing, calledWith));
  };

  return (command: UnderstoodCommand, room: string | null): readonly Thing[] => {
    if (command.reach.by === 'choice') return house.thingsOf(command.reach.ids);
    // "The desk lamp" is no other lamp, and the blinds are no gate.
    const saysWhich = command.isSpecial || command.kinds.join() === 'cover';
    const found = command.each && !saysWhich ? ofEach(command, command.each, room) : [];
    return found.length > 0 ? found : byWords(command);
  };
}

/**
 * Chooses among the things that the words describe. Null: the room must be said.
 */
function createChoice({ client, house, sentenceFor, words }: ResolverOptions) {
  /** "The light" and "the lighting" are all lights of a room. */
  const isAnyLight = (head: string) => words.lighting.includes(head.toLowerCase());
  /** "The outside lights" are in one place, though in several rooms. */
  const saysOutdoors = (bare: string) =>
    bare
      .toLowerCase()
      .split(/\s+/)
      .some((word) => words.outdoors.words.includes(word));
  /** A word for some lights: "lamp". */
  const isLamp = (head: string, things: readonly Thing[]) =>
    head !== '' && areLights(things) && !isAnyLight(head);
  /** A word for several means all of them, but doors are only unlocked one by one. */
  const saysSeveral = ({ head, isEverywhere, intent, each }: UnderstoodCommand): boolean =>
    intent !== 'unlock' &&
    each?.isOne !== true &&
    (isEverywhere ||
      each?.isEverything === true ||
      words.plural_endings.some((ending) => head.endsWith(ending)));
  const roomsOf = (things: readonly Thing[]) => [...new Set(things.map(({ id }) => house.roomOf(id)))];
  const areInOneRoom = (things: readonly Thing[]): boolean => {
    const [room = null, ...more] = roomsOf(things);
    return room !== null && more.length === 0;
  };
  /** "The bedroom" is a part of the name of several rooms, and none of them is meant for sure. */
  const isPartOfRooms = ({ place }: UnderstoodCommand, things: readonly Thing[]): boolean => {
    const rooms = roomsOf(things);
    return place !== '' && rooms.length > 1 && rooms.every((room) => room !== null && hasMore(room, place));
  };

  /** Those of exactly this name before others, and of them those in the speaker's room. */
  const nearest = (command: UnderstoodCommand, things: readonly Thing[], room: string | null) => {
    const { bare, head, isPlaced, isSpecial, isEverywhere } = command;
    const named = things.filter((thing) => namesOf(thing).some((name) => isSame(name, bare)));
    const isOfRooms = isPartOfRooms(command, things);
    // "The bedroom light" is Master Bedroom Light rather than another light in there.
    const near =
      isOfRooms && bare !== ''
        ? things.filter((thing) => namesOf(thing).some((name) => hasWords(name, bare)))
        : [];
    const called = [named, near, things].find((some) => some.length > 0) ?? things;
    const inRoom = new Set(room === null ? [] : house.thingsIn(domainsOf(things), room).map(({ id }) => id));
    const isAnywhere = isEverywhere || (isPlaced && !isSpecial && !isOfRooms);
    const here = isAnywhere ? [] : called.filter(({ id }) => inRoom.has(id));
    const found = here.length > 0 ? here : called;
    // "The lamp" is the one that is called a lamp, but "the light" is any.
    const literal = found.filter((thing) => namesOf(thing).some((name) => hasWords(name, head)));
    const isSpecific = literal.length === 1 && isLamp(head, things);
    return { found: isSpecific ? literal : found, isHere: here.length > 0 };
  };
  /** The only heating or blind of a house is meant in every room, but not the only light or player. */
  const isForTheHouse = (things: readonly Thing[]) =>
    things.length === 1 && things.every(({ id }) => !boundToRoom.includes(domainOf(id)));
  /** One of a few thermostats or blinds of the house may be meant in a room without one. */
  const areAnywhere = (things: readonly Thing[]) =>
    things.length <= maxOffered && things.every(({ id }) => !boundToRoom.includes(domainOf(id)));
  /** "The desk lamp" says which one, in any room. */
  const isOfRoom = ({ needsRoom, isSpecial }: UnderstoodCommand) => needsRoom && !isSpecial;
  /** It means something in the room, and sound that is heard there comes from a player there. */
  const isBoundToRoom = (command: UnderstoodCommand, things: readonly Thing[]): boolean =>
    isOfRoom(command)
      ? !isForTheHouse(things)
      : !command.isEverywhere && command.bare === '' && command.place === '' && isPlayers(things);
  const meansAll = (command: UnderstoodCommand, things: readonly Thing[], isHere: boolean): boolean => {
    const { bare, head, each, intent, isEverywhere, place } = command;
    // A house has few vacuum cleaners and mowers.
    const isFew = intent === 'lock' || areMachines(things);
    const isPlaced = (place !== '' && !isPartOfRooms(command, things)) || saysOutdoors(bare);
    const isBounded = isEverywhere || isPlaced || isHere || isFew || areInOneRoom(things);
    const isLighting = isAnyLight(head) && areLights(things) && each?.isOneOf !== true;
    return isBounded && (isLighting || (bare === '' && each?.isOne === false) || saysSeveral(command));
  };

  const elsewhere = (things: readonly Thing[]): Choice | null =>
    areAnywhere(things) ? { things, isClear: false } : null;
  const atWorkOf = async (
    { intent, bare }: UnderstoodCommand,
    found: readonly Thing[],
    { signal }: HomeAsk,
  ) => {
    const isAny = bare === '' && isPlayers(found);
    return isAny || areMachines(found) ? atWork(intent, found, await client.states(signal)) : found;
  };

  return async (
    command: UnderstoodCommand,
    things: readonly Thing[],
    ask: HomeAsk,
  ): Promise<Choice | null> => {
    if (command.reach.by === 'choice') return { things, isClear: true };
    const room = sentenceFor.roomOf(ask.turn);
    const { found, isHere } = nearest(command, things, room);
    if (room !== null && !isHere && isBoundToRoom(command, things)) return elsewhere(found);
    const few = await atWorkOf(command, found, ask);
    if (few.length === 1) return { things: few, isClear: true };
    if (isOfRoom(command) && !isHere && !isForTheHouse(few)) return null;
    return { things: few, isClear: meansAll(command, few, isHere) };
  };
}

/** The level for each thing. Null: it has none that can be changed. */
function createLevels({ client, words }: Pick<ResolverOptions, 'client' | 'words'>) {
  const hasUnit = (text: string) => words.units.some((unit) => text.toLowerCase().includes(unit));
  const steps = createSteps(client);

  return async (
    { intent, each, setTo, text }: UnderstoodCommand,
    things: readonly Thing[],
    signal: AbortSignal,
  ): Promise<readonly Leveled<Thing>[] | null> => {
    if (isOfWhite(intent)) return await whitesAfter(things, each?.by ?? 0, { client, signal });
    const isCounted = each !== null && each.level !== null;
    const isUnclear =
      !isCounted && setTo !== null && setTo <= maxCounted && !hasUnit(text) && !isHeat(things);
    if (each === null || each.by === null)
      return isUnclear ? null : things.map((thing) => ({ thing, level: each?.level ?? setTo }));
    return await steps(things, { by: each.by, isUsual: each.isUsual }, signal);
  };
}

const domainsOf = (things: readonly Thing[]) => [...new Set(things.map(({ id }) => domainOf(id)))];

const hasWord = ({ name }: Thing, wanted: readonly string[]) =>
  wanted.some((word) => name.toLowerCase().includes(word));

function hasWords(name: string, said: string): boolean {
  const words = new Set(plain(name).split(/\s+/));
  return plain(said)
    .split(/\s+/)
    .every((word) => words.has(word));
}

/** Whether a name has these words, and others. */
const hasMore = (name: string, said: string): boolean => hasWords(name, said) && !isSame(name, said);

const isSame = (name: string, said: string): boolean => plain(name) === plain(said);

/** In lower case, without apostrophes. */
const plain = (text: string) => text.toLowerCase().replaceAll(/['’]/g, '').trim();
