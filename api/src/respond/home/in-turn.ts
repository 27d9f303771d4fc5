import type { HomeAnswer } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import type { Reading } from '../../engines/home-dry-run.ts';
import { fill, joined } from '../../language/phrase.ts';
import type { SayHome } from './home-reports.ts';
import type { HomeAsk } from './home-result.ts';
import type { SentenceFor } from './home-sentence.ts';
import type { HomeWords } from './home-words.ts';
import { type House, namesOf } from './house.ts';
import { isIntended } from './intended.ts';
import type { Each, Understood } from './understood.ts';

interface InTurnOptions {
  client: Pick<HomeClient, 'readings' | 'light' | 'setting'>;
  house: Pick<House, 'thingsIn' | 'roomOf'>;
  sentenceFor: Pick<SentenceFor, 'roomOf'>;
  reply: SayHome;
  words: Pick<HomeWords, 'in_area' | 'between' | 'last'>;
}

/** To set more than this one by one takes longer than anybody waits. */
const maxThings = 200;
/** Home Assistant is asked about so many sentences at a time: each takes it 10 ms in a big house. */
const maxAtOnce = 50;
const leastLit = 5;
/** Nobody has it warmer at home: above, the degrees are Fahrenheit, of which a step has two. */
const maxCelsius = 45;
/** Nobody listens to more names than this. */
const maxNamed = 5;
/** Names of one thing that Home Assistant is asked about. */
const maxNames = 3;

/** The sentences for each thing, or why there are none. */
export interface Turns {
  texts: readonly string[];
  /** What was set, in our words; null: Home Assistant's do. */
  told: string | null;
  refusal: string | null;
}

interface Thing {
  id: string;
  name: string;
  aliases: readonly string[];
}

/** The sentences for one thing, best first. */
interface Wanted {
  id: string;
  name: string;
  texts: readonly string[];
  level: number;
}

/** What was found for each thing: the sentence that reaches it alone, or that none does. */
interface Sure {
  found: readonly (Wanted & { text: string })[];
  /** Home Assistant cannot tell them from others of the same name. */
  left: readonly Wanted[];
}

/** The sentences for the things of a command. Null: there is no such thing. */
export type InTurn = (command: Understood, ask: HomeAsk) => Promise<Turns | null>;

/** Puts a command that Home Assistant has no words for into one for each thing, each tried before. */
export function createInTurn({ client, house, sentenceFor, reply, words }: InTurnOptions): InTurn {
  /** The things that are meant: in the place, or by name; of one that can be meant the only one, wherever it is. */
  const meant = (command: Understood, each: Each, ask: HomeAsk): Thing[] => {
    const { domains, name, calledWith } = each;
    const all = house.thingsIn(domains, null);
    if (name !== null) return all.filter((thing) => isCalled(thing, name));
    const may = calledWith === null ? all : all.filter((thing) => hasWord(thing, calledWith));
    if (command.isEverywhere || (calledWith !== null && !each.isOfRoom)) return may;
    const there = command.place || sentenceFor.roomOf(ask.turn);
    const inPlace = new Set((there === null ? [] : house.thingsIn(domains, there)).map(({ id }) => id));
    const found = may.filter(({ id }) => inPlace.has(id));
    return found.length === 0 && command.place === '' && isAnywhere(each, may) ? may : found;
  };

  /** How bright each is to be, in percent. Lights that are off stay so, unless all are and are to be brighter. */
  const levels = async (things: readonly Thing[], by: number, signal: AbortSignal) => {
    const read = await Promise.all(
      things.map(async (thing) => ({ thing, now: await client.light(thing.id, signal) })),
    );
    const dimmable = read.flatMap(({ thing, now }) => (now === null ? [] : [{ thing, now }]));
    if (dimmable.length === 0) return null;
    const lit = dimmable.filter(({ now }) => now > 0);
    const changed = lit.length > 0 || by < 0 ? lit : dimmable;
    return changed.map(({ thing, now }) => ({
      thing,
      level: Math.min(100, Math.max(leastLit, Math.round(now + by))),
    }));
  };

  /** How warm it is to be at each. One that is off stays so. */
  const degrees = async (things: readonly Thing[], { by, isUsual }: Each, signal: AbortSignal) => {
    const read = await Promise.all(
      things.map(async (thing) => ({ thing, now: await client.setting(thing.id, signal) })),
    );
    return read.flatMap(({ thing, now }) => {
      if (now?.unit !== 'degrees') return [];
      const step = (by ?? 0) * (isUsual && now.value > maxCelsius ? 2 : 1);
      return [{ thing, level: now.value + step }];
    });
  };

  const told = (all: readonly number[], isHeat: boolean, turn: { id: string }): string => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    if (isHeat && low === high) return reply('temperature', { value: String(low) }, turn);
    if (isHeat) return reply('temperatures', { low: String(low), high: String(high) }, turn);
    return low === high
      ? reply('level', { value: String(low) }, turn)
      : reply('levels', { low: String(low), high: String(high) }, turn);
  };

  /** The sentences that would do to exactly one thing what was said. What is not exposed has no reading. */
  const sure = async (command: Understood, wanted: readonly Wanted[], signal: AbortSignal): Promise<Sure> => {
    const tries = wanted.flatMap((each) => each.texts.map((text) => ({ each, text })));
    const readings: (Reading | null)[] = [];
    for (let at = 0; at < tries.length; at += maxAtOnce) {
      const texts = tries.slice(at, at + maxAtOnce).map(({ text }) => text);
      readings.push(...(await client.readings(texts, signal)));
    }
    const reached = tries.map((each, at) => ({ ...each, reading: readings[at] ?? null }));
    const textFor = ({ id }: Wanted) =>
      reached.find(({ each, reading }) => each.id === id && isOnly(id, reading, command))?.text;
    const isShared = ({ id }: Wanted) =>
      reached.some(({ each, reading }) => each.id === id && reading?.targets.includes(id));
    return {
      found: wanted.flatMap((each) => {
        const text = textFor(each);
        return text === undefined ? [] : [{ ...each, text }];
      }),
      left: wanted.filter((each) => textFor(each) === undefined && isShared(each)),
    };
  };

  const turnsOf = (
    { found, left }: Sure,
    { by, calledWith, isOfRoom, domains }: Each,
    turn: { id: string },
  ): Turns => {
    const texts = found.map(({ text }) => text);
    const levels = found.map(({ level }) => level);
    const names = found.map(({ name }) => name).join(', ');
    const brewing = calledWith === null || isOfRoom ? null : reply('brewing', { names }, turn);
    // Home Assistant tells of one thing: "Turned on the light."
    const several = found.length + left.length > 1 ? reply('ok', {}, turn) : null;
    const inOurWords = by !== null ? told(levels, isHeating(domains), turn) : (brewing ?? several);
    return { texts, told: withLeft(inOurWords, left, turn), refusal: null };
  };

  /** The answer with those that were left out: a lock that nobody names is believed to be locked. */
  const withLeft = (told: string | null, left: readonly Wanted[], turn: { id: string }): string | null => {
    if (told === null || left.length === 0) return told;
    const names = [...new Set(left.map(({ name }) => name))].slice(0, maxNamed);
    const problem = reply('left_out', { things: joined(names, words) }, turn);
    return reply('did_some', { text: told.replace(/\.$/, ''), problem }, turn);
  };

  const refused = (refusal: string): Turns => ({ texts: [], told: null, refusal });

  const allOff = ({ domains }: Each, turn: { id: string }) =>
    reply(isHeating(domains) ? 'heating_off' : 'all_off', {}, turn);

  /** Why a sentence cannot mean all of these; null: it can. */
  const tooMany = ({ isOne }: Each, things: readonly Thing[], turn: { id: string }): string | null => {
    if (things.length > maxThings) return reply('too_many', {}, turn);
    const names = things.slice(0, maxNamed).map(({ name }) => name);
    return isOne && things.length > 1 ? reply('which_one', { names: names.join(', ') }, turn) : null;
  };

  const changed = (by: number, each: Each, things: readonly Thing[], signal: AbortSignal) =>
    isHeating(each.domains) ? degrees(things, each, signal) : levels(things, by, signal);

  /** By its name and other names, and with its room, by which two of one name are told apart. */
  const waysToName = (thing: Thing, { name }: Each): string[] => {
    const names = namesOf(thing).slice(0, maxNames);
    // A name that was said may mean only one of them.
    const area = name === null ? house.roomOf(thing.id) : null;
    return area === null ? names : [...names, fill(words.in_area, { target: thing.name, area })];
  };

  /** The sentences for each thing. Null: they cannot be made so. */
  const wantedOf = async (
    each: Each,
    things: readonly Thing[],
    signal: AbortSignal,
  ): Promise<Wanted[] | null> => {
    const same = things.map((thing) => ({ thing, level: 0 }));
    const set = each.by === null ? same : await changed(each.by, each, things, signal);
    return (
      set?.map(({ thing, level }) => ({
        id: thing.id,
        name: thing.name,
        texts: waysToName(thing, each).map((name) =>
          each.text.replace('{name}', () => name).replace('{value}', String(level)),
        ),
        level,
      })) ?? null
    );
  };

  const outcomeOf = (reached: Sure, each: Each, turn: { id: string }): Turns | null => {
    const [same] = reached.left;
    if (reached.found.length > 0) return turnsOf(reached, each, turn);
    // Of a name it is asked elsewhere which is meant.
    return same && each.name === null ? refused(reply('same_name', { bare: same.name }, turn)) : null;
  };

  return async (command, ask) => {
    const { each } = command;
    const { turn, signal } = ask;
    const things = each ? meant(command, each, ask) : [];
    if (!each || things.length === 0) return null;
    const refusal = tooMany(each, things, turn);
    if (refusal !== null) return refused(refusal);
    const wanted = await wantedOf(each, things, signal);
    if (wanted === null) return null;
    if (wanted.length === 0) return refused(allOff(each, turn));
    return outcomeOf(await sure(command, wanted, signal), each, turn);
  };
}

/** Home Assistant would do what was said to this thing and to no other. */
function isOnly(id: string, reading: Reading | null, command: Understood): boolean {
  const isIts = reading?.targets.length === 1 && reading.targets[0] === id && !reading.isOwn;
  return isIts && isIntended(reading, { ...command, kinds: [] });
}

/** The only one is meant wherever it is, a lock too; and one heating heats the whole house. */
const isAnywhere = ({ isOne, isOneOf, calledWith, domains }: Each, all: readonly Thing[]) =>
  (isOne && !isOneOf && calledWith === null) ||
  domains.every((domain) => domain === 'lock') ||
  (domains.includes('climate') && all.length === 1);

const isHeating = (domains: readonly string[]) => domains.includes('climate');

const hasWord = ({ name }: Thing, words: readonly string[]) =>
  words.some((word) => name.toLowerCase().includes(word));

function isCalled(thing: Thing, said: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll('’', "'").trim();
  return namesOf(thing).some((name) => plain(name) === plain(said));
}

/** The answer, in our words where there are some and something was done. */
export function toldAs(answer: HomeAnswer, text: string | null): HomeAnswer {
  const isDone = answer.kind === 'done' || (answer.kind === 'failed' && answer.succeeded.length > 0);
  return text === null || !isDone ? answer : { ...answer, speech: text };
}
