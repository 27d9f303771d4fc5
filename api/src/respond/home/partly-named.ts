import { commandedDomains, domainOf } from '../../engines/home-templates.ts';
import type { SayHome } from './home-reports.ts';
import type { HomeAsk } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import { type HomeWords, kindOfDomain } from './home-words.ts';
import { type House, namesOf } from './house.ts';
import type { InTurn, Turns } from './in-turn.ts';
import type { Understood } from './understood.ts';

/** Names in a question. More cannot be remembered by ear. */
const maxNamed = 5;
/** Shorter words have no plural: "gas". */
const minPluralLetters = 4;

type Thing = ReturnType<House['thingsIn']>[number];
type Words = Pick<
  HomeWords,
  'determiners' | 'in' | 'one' | 'only' | 'domains' | 'numbers' | 'plural_endings'
>;

interface PartlyNamedOptions {
  house: Pick<House, 'thingsIn' | 'roomOf'>;
  words: Words;
  inTurn: InTurn;
  sentenceFor: Pick<SentenceFor, 'roomOf'>;
  reply: SayHome;
}

/** A command with the whole name of its thing, and the sentences for it. */
export interface WithWholeName {
  command: Understood;
  turns: Turns;
}

/** Finds the thing that a command calls by a part of its name, its room or its kind. Null: there is none. */
export type PartlyNamed = (command: Understood, ask: HomeAsk) => Promise<WithWholeName | null>;

/** "Open the garage door" opens the Garage Door Opener. Of several things it asks which one is meant. */
export function createPartlyNamed(options: PartlyNamedOptions): PartlyNamed {
  const { house, inTurn, sentenceFor, reply } = options;
  const isCalled = createIsCalled(options);

  const candidates = ({ bare, kinds }: Understood): Thing[] =>
    house
      .thingsIn(commandedDomains, null)
      .filter(({ id }) => kinds.length === 0 || kinds.includes(kindOfDomain[domainOf(id)] ?? 'power'))
      .filter((thing) => isCalled(thing, bare));

  /** Of several things those in the speaker's room, unless another place was said. */
  const nearest = (things: readonly WithWholeName[], { isPlaced }: Understood, ask: HomeAsk) => {
    const room = sentenceFor.roomOf(ask.turn);
    const here = new Set(room === null ? [] : house.thingsIn(commandedDomains, room).map(({ name }) => name));
    const near = isPlaced ? [] : things.filter(({ command }) => here.has(command.target));
    return near.length > 0 ? near : things;
  };

  const possible = async (command: Understood, thing: Thing, ask: HomeAsk): Promise<WithWholeName[]> => {
    const whole = withName(command, thing);
    const turns = whole && (await inTurn(whole, ask));
    return turns ? [{ command: whole, turns }] : [];
  };

  return async (command, ask) => {
    if (command.isEverywhere || command.parts.length > 0) return null;
    const things = candidates(command).slice(0, maxNamed);
    // Home Assistant does not reach a thing that is not exposed to it.
    const found = (await Promise.all(things.map((thing) => possible(command, thing, ask)))).flat();
    const [only, ...more] = nearest(found, command, ask);
    if (!only || more.length === 0) return only ?? null;
    const names = [only, ...more].map(({ command: { target } }) => target).join(', ');
    const refusal = reply('which_one', { names }, ask.turn);
    return { command, turns: { texts: [], told: null, refusal } };
  };
}

/** The same command to one thing by its whole name. Null: the sentence has no place for a name. */
function withName(command: Understood, { id, name }: Thing): Understood | null {
  const said = [command.text, ...command.ways].find((text) => text.includes(command.target));
  const text = command.each?.text ?? said?.replace(command.target, '{name}');
  if (text === undefined) return null;
  const common = { ...toOne, ...command.each, isOneOf: false, isOfRoom: false, calledWith: null };
  const each = { ...common, text, domains: [domainOf(id)], name };
  return { ...command, target: name, bare: name, isNamed: true, each };
}

const toOne = { by: null, isUsual: true, isOne: true };

/** Whether all words that were said are in one of a thing's names, its room or the words for its kind. */
function createIsCalled({ house, words }: Pick<PartlyNamedOptions, 'house' | 'words'>) {
  const little = new Set([...words.determiners, ...words.in, ...words.one, ...words.only]);
  const stem = (word: string): string => {
    const ending = words.plural_endings.find((each) => word.endsWith(each));
    return ending !== undefined && word.length >= minPluralLetters ? word.slice(0, -ending.length) : word;
  };
  const stemsOf = (text: string): string[] => {
    const found = text.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
    return found.filter((word) => !little.has(word)).map((word) => stem(String(words.numbers[word] ?? word)));
  };

  return (thing: Thing, said: string): boolean => {
    const wanted = stemsOf(said);
    const ofKind = words.domains[domainOf(thing.id)] ?? [];
    const common = [house.roomOf(thing.id) ?? '', ...ofKind].flatMap(stemsOf);
    const isIn = (name: string) => {
      const known = new Set([...common, ...stemsOf(name)]);
      return wanted.every((word) => known.has(word));
    };
    return wanted.length > 0 && namesOf(thing).some(isIn);
  };
}
