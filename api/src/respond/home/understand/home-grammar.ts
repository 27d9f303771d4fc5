import type { SaidOfHouse } from '../../../actions/last-command.ts';
import { domainOf } from '../../../engines/home-templates.ts';
import { createPhraseFinder } from '../../../language/grammar/phrase-finder.ts';
import { textOf, type Word, type WordReader } from '../../../language/grammar/words.ts';
import { fill } from '../../../language/phrase.ts';
import { createThingIndex } from '../thing-index.ts';
import { createDigitsReader } from './digits.ts';
import { createHomeMatcher } from './home-matcher.ts';
import type { WishGrammar } from './home-wishes.ts';
import type { DescribedThing, HomeWords, HouseNames } from './home-words.ts';
import { createLater } from './later.ts';
import { createPassing } from './passing.ts';
import { createSentenceReader } from './sentence-reader.ts';
import { createSpacing } from './spacing.ts';
import { targetSlotsOf } from './spoken.ts';
import type { Target } from './target.ts';
import { createTargetReader } from './target-reader.ts';
import {
  type CommandIntent,
  type HouseCommand,
  isHouseCommand,
  isQuestionIntent,
  isReferenceIntent,
  nothing,
  type Understood,
  type UnderstoodCommand,
  type UnderstoodReference,
} from './understood.ts';
import { createWordFinder } from './word-finder.ts';

/** Longer texts are not commands to the house. */
const maxCharacters = 400;
const maxCommands = 4;

/** Commands behind references that need no words for their target. */
const plainIntents: Readonly<Record<string, CommandIntent>> = { refer_on: 'on', refer_off: 'off' };

/** Commands that set a level without going up or down. */
const levelIntents: readonly string[] = ['set', 'shine', 'volume', 'set_heat'];

type LastSaid = Pick<SaidOfHouse, 'target' | 'elsewhere' | 'text' | 'things'>;

interface HomeGrammarOptions {
  grammar: WishGrammar;
  sentences: Readonly<Record<string, readonly string[]>>;
  words: HomeWords;
}

export type HomeGrammar = ReturnType<typeof createHomeGrammar>;

/** Tells commands to the house and questions about it from everything else. */
export function createHomeGrammar({ grammar, sentences, words: data }: HomeGrammarOptions) {
  const { readWords, whileReadingOnce } = createNameReading(grammar.readWords);
  const index = createThingIndex(data, readWords);
  const targets = createTargetReader(data, readWords, index);
  const matcher = createHomeMatcher({ grammar, sentences, words: data, targets });
  const readOne = createSentenceReader({
    words: data,
    readWords,
    matcher,
    targets,
    inDigits: createDigitsReader(data, grammar),
  });
  const and = createWordFinder(data.and, readWords);
  const except = createWordFinder([...data.except, ...data.leave], readWords);
  const [leave, left] = [createWordFinder(data.leave, readWords), createWordFinder(data.left, readWords)];
  const pronouns = createPhraseFinder<'one' | 'several'>(
    (['one', 'several'] as const).flatMap((number) =>
      data.pronouns[number].map((text) => ({ text, stands: number })),
    ),
    readWords,
  );
  const passing = createPassing(data, readWords);
  const { learn: learnSpacing, asNamed } = createSpacing(data, readWords);

  const little = new Set([
    ...data.determiners,
    ...data.in,
    ...data.and,
    ...data.here,
    ...data.one,
    ...data.only,
  ]);
  /** A lamp that is called "the" would be meant by every sentence. */
  const tellsSomething = (name: string): boolean => readWords(name).some(({ word }) => !little.has(word));

  const phraseOf = (intent: string) =>
    ({
      refer_off: data.refer_off,
      refer_resume: data.refer_resume,
      refer_up: data.refer_up,
      refer_down: data.refer_down,
      refer_set: data.refer_set,
    })[intent] ?? data.refer_on;
  const roomWords = new Set([...data.this_room, ...data.here]);
  const soundOf = new Map([
    ['refer_up', data.louder],
    ['refer_down', data.quieter],
  ]);

  const intentOf = (text: string) => readOne(text, readWords(text))?.intent;
  const stepTexts = Object.values(data.steps).flatMap(({ up, down }) => [up, down]);
  const ofLast = ['shine', 'mute', 'unmute', 'pause', 'resume', 'volume', 'next', 'previous'];
  const stepIntents = new Set([...stepTexts.map(intentOf), ...ofLast]);

  /** A step for no named thing, such as "brighter", is for what was just commanded, if it can be. */
  const isForLast = ({ intent, target, place, isEverywhere, text }: HouseCommand): boolean => {
    if (!stepIntents.has(intent) || target !== '' || place !== '' || isEverywhere) return false;
    return !readWords(text).some(({ word }) => roomWords.has(word));
  };

  /** The words for a step up and down for things of one domain. Undefined: they have no steps. */
  const stepsOf = (things: LastSaid['things']) => {
    const [domain = '', ...others] = new Set(things.map(({ id }) => domainOf(id)));
    return others.length === 0 ? data.steps[domain] : undefined;
  };

  /** "Brighter" for "a bit more", after a command that set a level. Null: the last one set none. */
  const furtherStep = (isMore: boolean, { things, text }: LastSaid): string | null => {
    const steps = stepsOf(things);
    const last = intentOf(text) ?? '';
    if (!steps) return null;
    const wentDown = last === intentOf(steps.down);
    if (!wentDown && last !== intentOf(steps.up) && !levelIntents.includes(last)) return null;
    return wentDown === isMore ? steps.down : steps.up;
  };

  /** "Brighter" for "turn it up", right after a command to lights. Undefined: the words say it themselves. */
  const stepOf = (intent: string, before: LastSaid): string | null | undefined => {
    if (intent === 'refer_more' || intent === 'refer_less')
      return furtherStep(intent === 'refer_more', before);
    // "Continue" refers only to something that was paused or stopped.
    if (intent === 'refer_resume')
      return ['pause', 'stop'].includes(intentOf(before.text) ?? '') ? undefined : null;
    const steps = stepsOf(before.things);
    return { refer_up: steps?.up, refer_down: steps?.down }[intent];
  };

  /** The command before, for another room or thing. '': it cannot be for another. */
  const sameFor = ({ area, target }: UnderstoodReference, before: LastSaid): string => {
    if (area !== '') return before.elsewhere.replace('{area}', () => area);
    const isNamed = before.target !== '' && before.text.includes(before.target);
    return isNamed ? before.text.replace(before.target, () => target) : '';
  };

  /** The whole command behind one that refers to it: "turn off the kitchen lights" for "turn it off". */
  const referring = (said: UnderstoodReference, before: LastSaid): Understood | null => {
    const { intent } = said;
    const { target } = before;
    const step = intent === 'correct' ? null : stepOf(intent, before);
    if (step === null) return null;
    // A value alone goes on with a command for named things.
    if (intent === 'refer_set' && (target === '' || before.text === '')) return null;
    const whole =
      intent === 'follow' ? sameFor(said, before) : fill(phraseOf(intent), { target, value: said.text });
    const text = step ?? whole;
    // For "turn them all off", switch the remembered entities: their names together are too long to read.
    const plain = text === whole && target === '' && before.things.length > 0 && plainIntents[intent];
    return plain ? forAll(plain, said.text) : readOne(text, readWords(text));
  };

  /**
   * "... in the kitchen and the bedroom": the same command in another room, behind an "and" like a sentence.
   */
  const inRoom = (each: Understood, { isPlaced, target, elsewhere }: HouseCommand): Understood =>
    each.kind === 'reference' && each.intent === 'follow' && isPlaced && elsewhere !== null
      ? (referring(each, { target, elsewhere, text: '', things: [] }) ?? each)
      : each;

  /** "Warmer" in "make the lights brighter and warmer" is about the lights, and not about the heating. */
  const ofSameThings = (each: HouseCommand, first: HouseCommand): HouseCommand => {
    const said = readWords(each.text).map(({ word }) => word);
    const isStep = stepTexts.includes(said.at(-1) ?? '');
    const isBare = each.target === '' && !data.passed_verbs.includes(said[0] ?? '');
    const isOfOthers = first.target !== '' && !each.kinds.some((kind) => first.kinds.includes(kind));
    if (each.kind !== 'command' || !isStep || !isBare || !isOfOthers) return each;
    const whole = `${first.target} ${each.text}`;
    const ofThem = readOne(whole, readWords(whole));
    if (ofThem && isHouseCommand(ofThem)) return ofThem;
    const { target, bare, head, kinds, place, isPlaced, isEverywhere, isNamed, needsRoom } = first;
    const things = { target, bare, head, kinds, place, isPlaced, isEverywhere, isNamed, needsRoom };
    return { ...each, ...things, each: null, reach: { by: 'words', ways: [] } };
  };

  /** Several commands in one sentence: "turn on the lights and close the blinds". Questions come alone. */
  const readMany = (text: string, words: readonly Word[], left: number): Understood[] | null => {
    const one = readOne(text, words);
    if (one) return [one];
    for (let at = 1; left > 1 && at < words.length - 1; at += 1) {
      const [joint] = and.at(words, at);
      const first = joint && readOne(text, words.slice(0, at));
      if (!joint || !first || !isHouseCommand(first)) continue;
      const rest = readMany(text, words.slice(joint.end), left - 1)?.map((next) => inRoom(next, first));
      if (rest?.every(isHouseCommand)) return [first, ...rest.map((next) => ofSameThings(next, first))];
    }
    return null;
  };

  /** The spans of the rooms that follow one another up to here: "kitchen, hall" and "kitchen hall". */
  const roomsUntil = (words: readonly Word[], end: number): { from: number; to: number }[] => {
    const from = words.findIndex((_, at) => at < end && targets.areasAt(words, at).includes(end));
    return from < 0 ? [] : [...roomsUntil(words, from), { from, to: end }];
  };

  /**
   * "The kitchen lights and living room lights" for "the kitchen and living room lights". Null: they share no
   * word.
   */
  const withSharedKind = (text: string, words: readonly Word[]): string | null => {
    for (const at of words.keys()) {
      const [joint] = and.at(words, at);
      const rooms = joint ? roomsUntil(words, at) : [];
      const device = joint && rooms.length > 0 ? kindBehindRoom(targets.read(words, joint.end)) : null;
      if (!device) continue;
      const kind = textOf(text, words.slice(device.from, device.to));
      const before = textOf(text, words.slice(0, rooms[0]?.from));
      const each = rooms.map(({ from, to }) => `${textOf(text, words.slice(from, to))} ${kind}`);
      return `${before} ${each.join(data.last)}${text.slice(words[at - 1]?.end)}`.trim();
    }
    return null;
  };

  /** "All lights except the kitchen and the hall". Null: the sentence has no exception. */
  const excepting = (text: string): Understood[] | null => {
    const words = readWords(text);
    const at = words.findIndex((_, from) => from > 0 && except.at(words, from).length > 0);
    const end = Math.max(...except.at(words, at).map((sign) => sign.end));
    const main = at < 0 || end >= words.length ? null : readOne(text, words.slice(0, at));
    if (!main || !isHouseCommand(main) || isOfParts(main) || main.intent === 'unlock') return null;
    const said = leave.at(words, at).length > 0 ? withoutLeft(words.slice(end)) : words.slice(end);
    if (said.length === 0) return null;
    const [whole, without] = roomOfAll(main, { text, begin: words.slice(0, at), said });
    const reach = { by: 'exception', except: listed(text, without) } as const;
    return [whole.kind === 'unclear' ? { ...whole, text } : { ...whole, text, reach }];
  };
  /** Whether words without a place tell one thing from all others. */
  const isOnlyOne = (text: string) => index.find(text).length === 1;
  /**
   * "Everything but the kettle IN THE KITCHEN" means everything in that room: a unique name needs no room.
   * Never turns on the whole house.
   */
  const roomOfAll = (
    main: HouseCommand,
    { text, begin, said }: { text: string; begin: readonly Word[]; said: readonly Word[] },
  ): [HouseCommand, readonly Word[]] => {
    const isAll = main.kind !== 'unclear' && main.each?.isEverything === true;
    const { from, to } = placeIn(said);
    if (!isAll || main.place !== '' || from === 0 || from === to || to < said.length) return [main, said];
    if (main.intent !== 'on' && !isOnlyOne(textOf(text, said.slice(0, from)))) return [main, said];
    const placed = `${textOf(text, begin)} ${textOf(text, said.slice(from))}`;
    const whole = readOne(placed, readWords(placed));
    return [whole && isHouseCommand(whole) ? whole : main, said.slice(0, from)];
  };
  /** "The hall light" for "the hall light on". */
  const withoutLeft = (words: readonly Word[]): readonly Word[] => {
    const at = words.findIndex((_, from) => left.at(words, from).some(({ end }) => end === words.length));
    return at < 0 ? words : words.slice(0, at);
  };
  const listed = (text: string, words: readonly Word[]): string[] => {
    const at = words.findIndex((_, from) => from > 0 && and.at(words, from).length > 0);
    const first = textOf(text, targets.bare(at < 0 ? words : words.slice(0, at)));
    const end = and.at(words, at)[0]?.end ?? words.length;
    return at < 0 ? [first] : [first, ...listed(text, words.slice(end))];
  };

  const others = createWordFinder(data.everything_else, readWords);
  const isElse = ({ target }: Understood): boolean =>
    readWords(target).some((_, at, all) => others.at(all, at).length > 0);
  /** "The lamp on and everything else off" leaves the lamp alone. */
  const withoutOthers = (each: Understood, before: readonly Understood[]): Understood => {
    const named = before.map(({ bare }) => bare).filter((bare) => bare !== '');
    if (each.kind !== 'command' || !isElse(each) || named.length === 0) return each;
    return { ...each, reach: { by: 'exception', except: named } };
  };
  const readAll = (text: string): Understood[] | null =>
    readMany(text, readWords(text), maxCommands)?.map((each, at, all) =>
      withoutOthers(each, all.slice(0, at)),
    ) ?? null;

  /** The first room in a sentence, with the preposition before it. Empty: it names none. */
  const placeIn = (words: readonly Word[]): { from: number; to: number } => {
    const at = words.findIndex((_, from) => targets.areasAt(words, from).length > 0);
    if (at < 0) return { from: words.length, to: words.length };
    const before = words.slice(0, at).findLastIndex(({ word }) => !data.determiners.includes(word));
    const isPlaced = data.in.includes(words[before]?.word ?? '');
    return { from: isPlaced ? before : at, to: Math.max(...targets.areasAt(words, at)) };
  };

  const isForLater = createLater({
    words: data,
    readWords,
    isCommand(words) {
      const intent = matcher.match(words)?.intent;
      return intent !== undefined && !isQuestionIntent(intent) && !isReferenceIntent(intent);
    },
  });

  return {
    /** A command, but not for now. */
    isForLater: (text: string): boolean => text.length <= maxCharacters && isForLater(readWords(text)),

    learn({ areas, things, described = things.map(asDescribed) }: HouseNames): void {
      whileReadingOnce(() => {
        const names = { areas, things: things.filter(({ name }) => tellsSomething(name)), described };
        index.learn(described);
        targets.learn(names);
        passing.learn(names);
        learnSpacing([...areas, ...names.things.map(({ name }) => name)]);
      });
    },

    index,
    readWords,
    /** The types of the slots that name things: "light", "lock". */
    thingSlots: targetSlotsOf(targets),
    /** The word between the last two names of a list. */
    and: data.last,

    asNamed,

    /** Sentences that no template of ours matches may match one of Home Assistant. */
    passing: {
      mayConcern: (text: string) => text.length <= maxCharacters && passing.mayConcern(text),
      isCommand: (text: string) => passing.isCommand(asNamed(text)),
      commandOf: passing.commandOf,
    },

    referring,

    /** Whether the last command may say what is meant: "turn it off", "brighter", "the kitchen one". */
    mayRefer: (said: HouseCommand | UnderstoodReference): boolean =>
      said.kind === 'reference' || said.isUnknown || isForLast(said),

    /** "Turn off everything else", without a word for what to leave alone. */
    leavesLast: (said: HouseCommand | UnderstoodReference): boolean =>
      said.kind === 'command' && said.reach.by !== 'exception' && isElse(said),

    /** A question for another room, with a slot for its name. */
    elsewhere(text: string): string {
      const words = readWords(text);
      const { from, to } = placeIn(words);
      const rest = [textOf(text, words.slice(0, from)), textOf(text, words.slice(to))];
      return fill(data.in_area, { target: rest.filter(Boolean).join(' '), area: '{area}' });
    },

    /**
     * The sentence with a target in place of "it" or "them". `isOne`: the pronoun means one entity. Null: it
     * has no pronoun.
     */
    withReferent(text: string, target: string): { text: string; isOne: boolean } | null {
      if (text.length > maxCharacters) return null;
      const words = readWords(text);
      const at = words.findIndex((_, from) => pronouns.at(words, from).length > 0);
      const longest = pronouns.at(words, at).toSorted((one, other) => other.end - one.end)[0];
      if (!longest) return null;
      const parts = [textOf(text, words.slice(0, at)), target, textOf(text, words.slice(longest.end))];
      return { text: parts.filter((part) => part !== '').join(' '), isOne: longest.found === 'one' };
    },

    /** "Turn off the kitchen lights" for "the kitchen one", after lights. Null: it says no such word. */
    ofSameKind(text: string, { things, target }: LastSaid): string | null {
      const words = readWords(text);
      const at = words.findIndex(({ word }) => data.ones.includes(word));
      const isBehindRoom = words.some((_, from) => from < at && targets.areasAt(words, from).includes(at));
      const isBeforeRoom = data.in.includes(words[at + 1]?.word ?? '') && placeIn(words).to === words.length;
      const [domain = '', ...others] = new Set(things.map(({ id }) => domainOf(id)));
      const kind = others.length === 0 ? data.domains[domain]?.[0] : undefined;
      const named = kind ?? target.split(' ').at(-1) ?? '';
      if (at < 0 || named === '' || !(isBehindRoom || isBeforeRoom)) return null;
      const parts = [textOf(text, words.slice(0, at)), named, textOf(text, words.slice(at + 1))];
      return parts.filter((part) => part !== '').join(' ');
    },

    /** The command of a reference without a recent command: the sound. Null: none. */
    withoutLast({ intent }: UnderstoodReference): Understood | null {
      const text = soundOf.get(intent);
      return text === undefined ? null : readOne(text, readWords(text));
    },

    /** The commands or the question in a sentence; none: it is not for the house. */
    read(text: string): readonly Understood[] {
      if (text.length > maxCharacters) return [];
      const named = asNamed(text);
      const shared = () => withSharedKind(named, readWords(named));
      return readAll(named) ?? readAll(shared() ?? '') ?? excepting(named) ?? [];
    },
  };
}

/** Reads the words of a name once while several tables learn it. */
function createNameReading(read: WordReader) {
  let known: Map<string, Word[]> | null = null;
  const readOnce = (text: string, names: Map<string, Word[]>): Word[] => {
    const words = names.get(text) ?? read(text);
    names.set(text, words);
    return words;
  };
  return {
    readWords: ((text) => (known === null ? read(text) : readOnce(text, known))) satisfies WordReader,
    whileReadingOnce(work: () => void): void {
      known = new Map();
      try {
        work();
      } finally {
        known = null;
      }
    },
  };
}

/** The words for a kind that follow a room: "lights" in "living room lights". */
function kindBehindRoom(targets: readonly Target[]) {
  const found = targets.find(
    ({ device, place }) => device && place && typeof place !== 'string' && place.to <= device.from,
  );
  return found?.device ?? null;
}

/** An entity without more than its name. */
const asDescribed = ({ id, name }: HouseNames['things'][number]): DescribedThing => ({
  id,
  names: [name],
  deviceClass: null,
  device: [],
  place: [],
});

const isOfParts = (said: HouseCommand): boolean => said.kind === 'command' && said.reach.by === 'parts';

/** A command for all things of the last one, which has no words for them. */
const forAll = (intent: CommandIntent, text: string): UnderstoodCommand => ({
  ...nothing,
  kind: 'command',
  intent,
  text,
  target: text,
  elsewhere: null,
  reach: { by: 'words', ways: [] },
  each: null,
  setTo: null,
});
