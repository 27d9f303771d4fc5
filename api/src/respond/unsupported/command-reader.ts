import type { Word, WordReader } from '../../language/grammar/words.ts';
import { createWordFinder } from '../home/understand/word-finder.ts';
import type { CommandWords, HearthTopic } from './command-words.ts';
import { ownParts } from './own-parts.ts';
import { maxOwnWords } from './own-words.ts';
import { createTemplateFinder } from './phrases.ts';
import { createSentenceOpening, endOf, type Opening } from './sentence-opening.ts';
import { byTopic, createThingFinder, type NamedThing, type ThingFinder } from './thing-finder.ts';

/** A command about something that Hearth manages, or an action that it cannot perform. */
interface HouseholdCommand {
  kind: 'command';
  /** `reference`: the topic of the previous answer. `act`: anything that needs hands or an account. */
  topic: HearthTopic | 'reference' | 'act';
  /** It forbids the action: "don't turn on the lamp". */
  isNegative: boolean;
}

/** `words`: it asks for text, such as a poem. `talk`: anything else. */
export type SentenceKind = HouseholdCommand | { kind: 'words' | 'question' | 'talk' };

interface CommandReaderOptions {
  words: CommandWords;
  readWords: WordReader;
  /** Words for the rooms and things of any home. */
  homeThings: readonly string[];
  /** The names in this home. */
  names: () => readonly string[];
}

interface ReadOptions {
  /** The previous answer was about something that Hearth manages, so "rename it" refers to it. */
  refersBack: boolean;
}

const talk = { kind: 'talk' } as const;
const forWords = { kind: 'words' } as const;
const question = { kind: 'question' } as const;

/** "It is dark, dim the lamp": a longer clause before a comma tells a story. */
const maxAside = 4;
/** Number of words after the verb in which its object is searched. */
const maxObject = 5;

/**
 * Distinguishes a command about something that Hearth manages from a question, a remark and a request for
 * text. A command begins with its verb, perhaps after a phrase such as "could you". The verb may be any word
 * except function words (pronouns, auxiliaries) and verbs that request text.
 */
export function createCommandReader({ words, readWords, homeThings, names }: CommandReaderOptions) {
  const terms = createCommandTerms({ words, readWords });
  const { opening, either, sets, isForWords, refers } = terms;
  const thingsOf = createThingFinder({ words, readWords, homeThings });
  const { readClause } = createClauseReader(terms);

  /** "Shopping list: rename to groceries": the action follows the thing. */
  const isForThing = (said: readonly Word[], things: ThingFinder): boolean => {
    const opened = opening.read(said);
    if (said.length - opened.at < 2 || !opening.isVerb(said, opened) || isForWords(said, opened.at))
      return false;
    const isEither = either.at(said, opened.at).length > 0;
    return !things.at(said, opened.at) && (!isEither || refers(said, opened.at));
  };

  const commandFor = (said: readonly Word[], topic: HearthTopic): HouseholdCommand => ({
    kind: 'command',
    topic,
    isNegative: opening.read(said).isNegative,
  });
  const isCourtesy = (said: readonly Word[]) => opening.read(said).at >= said.length;

  /** Whether a command may follow this clause and its comma: "if it is dark", "hearth", "I am cold". */
  const mayPrecede = (clause: readonly Word[]): boolean => {
    const { at } = opening.read(clause);
    if (at >= clause.length || sets.beforeCommand.has(wordAt(clause, at))) return true;
    return sets.neverSecond.has(wordAt(clause, 1)) && clause.length <= maxAside;
  };

  /** "Chop the onions, how do I not cry": after a story, only a question counts. */
  const questionIn = (clause: readonly Word[]): SentenceKind[] =>
    sets.questions.has(wordAt(clause, 0)) ? [question] : [];

  const readClauses = (said: readonly Word[], options: ReadOptions): SentenceKind[] => {
    const things = thingsOf(names());
    let isTold = false;
    let addressed: HearthTopic | null = null;
    return clausesOf(said).flatMap((clause): SentenceKind[] => {
      if (isTold && clause[0]?.gap === ',') return questionIn(clause);
      const topic = addressed;
      addressed = things.addressed(clause);
      isTold = addressed === null && !mayPrecede(clause);
      if (topic !== null && isForThing(clause, things)) return [commandFor(clause, topic)];
      return addressed === null ? [readClause(clause, things, options)] : [];
    });
  };

  /**
   * The text next to a colon or a dash may be data: "sort this list: 3, 1, 2". Names and polite phrases are
   * no data.
   */
  const readParts = (parts: readonly Word[][], options: ReadOptions): SentenceKind[] => {
    const [first = [], second] = parts;
    if (!second) return readClauses(first, options);
    if (parts.length > 2) return [];
    const things = thingsOf(names());
    const topic = things.addressed(first, { isSetOff: true });
    if (topic !== null && isForThing(second, things)) return [commandFor(second, topic)];
    if (isCourtesy(first)) return readClauses(second, options);
    return isCourtesy(second) ? readClauses(first, options) : [];
  };

  const isWished = (clause: readonly Word[]): boolean => {
    const { isWish, isOwnWish } = opening.read(clause);
    return isWish || isOwnWish || endOf(terms.wants, clause, 0) > 0;
  };
  const opensWithVerb = (clause: readonly Word[]): boolean => {
    const opened = opening.read(clause);
    return opening.isVerb(clause, opened) && !opening.isStatement(clause, opened);
  };
  /** After the comma of a story, only a wish counts: "he came home, tired and hungry". */
  const hasRequest = (said: readonly Word[]): boolean => {
    let isTold = false;
    return clausesOf(said).some((clause) => {
      const isInStory = isTold && clause[0]?.gap === ',';
      isTold = isInStory || !mayPrecede(clause);
      return isWished(clause) || (!isInStory && opensWithVerb(clause));
    });
  };

  return {
    read(text: string, options: ReadOptions): SentenceKind {
      const parts = ownParts(text).map(readWords);
      if (parts.flat().length > maxOwnWords) return talk;
      const kinds = readParts(parts, options);
      // "Chop the onions, how do I not cry" asks for text.
      const isAct = (found: SentenceKind) => found.kind === 'command' && found.topic === 'act';
      const asks = kinds.find(
        (found) => found.kind === 'words' || (found.kind === 'command' && !isAct(found)),
      );
      return asks ?? kinds.find(({ kind }) => kind === 'question') ?? kinds.find(isAct) ?? talk;
    },
    /** Whether a clause begins like a request: with a wish, or with a word that may be its verb. */
    opensRequest: (text: string): boolean => ownParts(text).map(readWords).some(hasRequest),
  };
}

/** Splits words at commas and sentence ends. */
function clausesOf(said: readonly Word[]): Word[][] {
  const clauses: Word[][] = [];
  for (const word of said) {
    if (word.gap !== '' || clauses.length === 0) clauses.push([word]);
    else clauses.at(-1)?.push(word);
  }
  return clauses;
}

type CommandTerms = ReturnType<typeof createCommandTerms>;

/** Finds the words that distinguish commands from other sentences. */
function createCommandTerms({ words, readWords }: Pick<CommandReaderOptions, 'words' | 'readWords'>) {
  const finder = (texts: readonly string[]) => createWordFinder(texts, readWords);
  const opening = createSentenceOpening(words, readWords);
  const verbs = byTopic(words.verbs, readWords);
  const controls = finder(words.controls);
  const [wants, needs] = [createTemplateFinder(words.wants, readWords), finder(words.needs)];
  const [acts, sayings] = [
    createTemplateFinder(words.acts, readWords),
    createTemplateFinder(words.sayings, readWords),
  ];
  const [asksWords, either] = [finder(words.words), finder(words.either)];
  const sets = {
    definite: new Set(words.definite),
    references: new Set(words.references),
    questions: new Set(words.questions),
    neverSecond: new Set(words.never_second),
    beforeCommand: new Set(words.before_command),
    byPeople: new Set(words.by_people),
    ofYou: new Set(words.of_you),
    ofWords: new Set(words.of_words),
  };
  const isForWords = (said: readonly Word[], at: number) =>
    endOf(asksWords, said, at) > endOf(either, said, at);
  const refers = (said: readonly Word[], at: number) =>
    said.slice(at + 1, at + 3).some(({ word }) => sets.references.has(word));
  return {
    opening,
    verbs,
    controls,
    wants,
    needs,
    acts,
    sayings,
    asksWords,
    either,
    sets,
    isForWords,
    refers,
    isVerbLast: words.verb_last,
  };
}

/** Classifies one clause: a command, a question, a request for text, or talk. */
function createClauseReader(terms: CommandTerms) {
  const { opening, sayings, either, sets, isForWords, refers } = terms;
  const { wanted, isAct, topicOf, topicBeforeVerb } = createActionReader(terms);

  const withoutDeed = (said: readonly Word[], opened: Opening): SentenceKind => {
    if (sets.questions.has(wordAt(said, opened.at)) && !opening.isDo(said, opened)) return question;
    const isEither = opening.isVerb(said, opened) && either.at(said, opened.at).length > 0;
    return isEither || isForWords(said, opened.at) ? forWords : talk;
  };

  /** The topic of a command. Null: it is not a command, or an idiom. */
  const commandTopic = (
    said: readonly Word[],
    opened: Opening,
    { things, refersBack }: { things: ThingFinder; refersBack: boolean },
  ): HouseholdCommand['topic'] | null => {
    const isSaying = endOf(sayings, said, opened.at) > opened.at;
    const isOpen = opening.isVerb(said, opened) && !isForWords(said, opened.at);
    const topic = isOpen && !isSaying ? topicOf(said, opened, things) : null;
    if (topic !== null) return topic;
    if (isOpen && refersBack && (refers(said, opened.at) || opening.isDo(said, opened))) return 'reference';
    return !isSaying && isAct(said, opened, things) ? 'act' : null;
  };

  const readClause = (
    said: readonly Word[],
    things: ThingFinder,
    { refersBack }: ReadOptions,
  ): SentenceKind => {
    const want = wanted(said, things);
    if (want) return want;
    const opened = opening.read(said);
    const before = topicBeforeVerb(said, opened, things);
    if (before !== null) return { kind: 'command', topic: before, isNegative: opened.isNegative };
    if (isForWords(said, 0) && !isAct(said, opened, things)) return forWords;
    const topic = commandTopic(said, opened, { things, refersBack });
    return topic === null
      ? withoutDeed(said, opened)
      : { kind: 'command', topic, isNegative: opened.isNegative };
  };

  return { readClause };
}

/** Finds the requested action and its object in a clause. */
function createActionReader(terms: CommandTerms) {
  const { opening, verbs, controls, wants, needs, acts, asksWords, either, sets, isVerbLast } = terms;

  /**
   * "The list should be called groceries", "I want the list renamed". Other wishes for a home do not concern
   * Hearth.
   */
  const wanted = (said: readonly Word[], things: ThingFinder): HouseholdCommand | null => {
    const from = endOf(wants, said, 0);
    const isStated = from === 0 && sets.definite.has(wordAt(said, 0));
    const thing = from > 0 || isStated ? things.in(said, isStated ? 1 : from) : null;
    if (!thing?.isDirect || thing.topic === 'home' || thing.end >= said.length) return null;
    const isWanted = isStated ? endOf(needs, said, thing.end) > thing.end : thing.how === 'definite';
    return isWanted ? { kind: 'command', topic: thing.topic, isNegative: false } : null;
  };

  /** "Turn left at the lights" and "hold the door" are instructions to people. */
  const isMerePlace = (said: readonly Word[], at: number, thing: NamedThing): boolean =>
    thing.topic === 'home' &&
    (sets.byPeople.has(wordAt(said, at)) || (thing.isPlace && controls.at(said, at).length === 0));

  /** Whether the verb acts on the thing instead of only mentioning it. */
  const isDone = (said: readonly Word[], opened: Opening, thing: NamedThing): boolean => {
    const { at, isOwnWish } = opened;
    // "Make it cosy in the kitchen", but "make a cake in the kitchen".
    const isChange = opening.isDo(said, opened) || sets.references.has(wordAt(said, at + 1));
    if (isChange && thing.isAt && thing.topic === 'home') return thing.how !== 'indefinite';
    if (opening.isDo(said, opened) || (either.at(said, at).length > 0 && !thing.isDirect))
      return thing.isAt && thing.how === 'definite' && thing.topic !== 'home';
    if (isMerePlace(said, at, thing)) return false;
    // "I want to paint my kitchen" is a plan.
    if (isOwnWish) return thing.isDirect && thing.topic !== 'home';
    // "Blue light is bad for sleep."
    const after = said[thing.end];
    return thing.how !== 'none' || after?.gap !== '' || !sets.neverSecond.has(after.word);
  };

  /** "Call my mother", but not "call it a day" and not "wash your hands". */
  const isAct = (said: readonly Word[], opened: Opening, things: ThingFinder): boolean => {
    const { at, isOwnWish } = opened;
    const end = endOf(acts, said, at);
    if (isOwnWish || end === at || said.length < 2 || endOf(asksWords, said, at) >= end) return false;
    const object = said.slice(end, end + maxObject).map(({ word }) => word);
    if (sets.ofYou.has(object[0] ?? '') || object.some((word) => sets.ofWords.has(word))) return false;
    // "Cook dinner in the kitchen" may be addressed to a person.
    const place = things.in(said, end);
    if (place?.topic === 'home' && place.isPlace) return false;
    // "Ring is a verb", but "take a photo of the garden".
    return end > at + 1 || !sets.neverSecond.has(object[0] ?? '');
  };

  /** "Lamp oil": a noun is not a verb, except in "light the kitchen" and "list my timers". */
  const isNoun = (said: readonly Word[], at: number, things: ThingFinder): boolean =>
    things.at(said, at) !== null &&
    !sets.definite.has(wordAt(said, at + 1)) &&
    either.at(said, at).length === 0;

  /** "Kannst du meinen Wecker VERSCHIEBEN": after a wish, the verb may come last. */
  const topicBeforeVerb = (
    said: readonly Word[],
    { at, isWish, isOwnWish }: Opening,
    things: ThingFinder,
  ): HearthTopic | null => {
    if (!isVerbLast || !(isWish || isOwnWish)) return null;
    const asksForWords = said.some((_, from) => from >= at && endOf(asksWords, said, from) > from);
    const thing = asksForWords ? null : things.in(said.slice(0, -1), at);
    return thing && thing.how !== 'none' && thing.isDirect ? thing.topic : null;
  };

  const topicOf = (said: readonly Word[], opened: Opening, things: ThingFinder): HearthTopic | null => {
    const { at, isOwnWish } = opened;
    if (isNoun(said, at, things) || (opening.isStatement(said, opened) && !things.at(said, at + 1)))
      return null;
    if (opening.isChore(said, opened)) return 'home';
    const thing = things.in(said, at + 1);
    const verb = isOwnWish ? undefined : verbs.at(said, at).at(-1);
    if (verb) return thing?.topic ?? verb.found;
    return thing && isDone(said, opened, thing) ? thing.topic : null;
  };

  return { wanted, isAct, topicOf, topicBeforeVerb };
}

function wordAt(said: readonly Word[], at: number): string {
  return said[at]?.word ?? '';
}
