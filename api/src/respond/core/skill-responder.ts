import type { Grammar, Sentence } from '../../language/grammar/grammar.ts';
import { rememberedTexts } from '../../language/grammar/remembered.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import { joinedWords, type Word } from '../../language/grammar/words.ts';
import { withDryRun } from './dry-run.ts';
import { createFollowUps } from './follow-up.ts';
import { plainAnswer } from './responder.ts';
import type { Adjunct, AdjunctPhrase, Ask, Intent, Skill, SkillReply } from './skill.ts';
import type { SlotWords } from './slot.ts';

interface SkillsOptions {
  /** In the order they are asked. */
  skills: readonly Skill[];
  grammar: Grammar;
}

/** How the skills understand a sentence, before any skill acts. */
interface Accepts {
  /** A skill understands the whole sentence. */
  isWhole: boolean;
  /** The skill can undo the action. */
  isUndoable: boolean;
  /** It uses the last words, which may continue: "add eggs", "set a timer for an hour". */
  mayGetLonger: boolean;
}

/** The meaning of a whole sentence. */
interface Meaning extends Pick<Intent<SlotWords>, 'effect'> {
  /** It only answers a question, so it means nothing without one. */
  isReply: boolean;
  key: string;
}

/** Commands are shorter, even one refused for its length. */
const maxCharacters = 20_000;

/** Limits for adjuncts: how many a sentence may have, and in how many places to search for one. */
const maxAdjuncts = 3;
const maxCandidates = 8;

/** More words before "never mind" are a request. */
const maxExclamation = 2;

/** Remembered sentences: several responders read the sentence of a turn, some with many variants. */
const maxRemembered = 64;

/** Slots of every skill. */
const commonSlots: Readonly<Record<string, SlotType>> = { text: { isOpen: true, costPerWord: 2 } };

/**
 * The skills as a responder. The first skill that accepts the whole sentence answers by fixed rules, without
 * a model. Other texts are passed on.
 */
export function createSkillResponder({ skills, grammar }: SkillsOptions) {
  const { known, matcher, wordsOf, find } = createIntentFinder({ skills, grammar });
  const followUp = createFollowUps({ grammar, find });

  const replyTo = async (found: Found | null, ask: Ask): Promise<SkillReply | null> => {
    // Doubtful words must not cause anything irreversible: the next responder asks back.
    if (found === null || (found.intent.effect === 'final' && !ask.turn.isSure)) return null;
    return await found.intent.answer(ask, found.slots);
  };

  const chosenIn = async (ask: Ask): Promise<string | null> => {
    if (ask.exchanges.length === 0) return null;
    for (const { choose } of skills) {
      const reply = (await choose?.(ask)) ?? null;
      if (reply !== null) return reply;
    }
    return null;
  };

  const responder = withDryRun({
    name: 'skills',
    async respond(question) {
      const { turn, exchanges } = question;
      // The words of a choice may also be a sentence: "call mum", of two reminders.
      const chosen = await chosenIn(question);
      const whole = chosen ?? (await replyTo(find(turn.text), question));
      const other = whole === null ? followUp(turn.text, exchanges) : null;
      const reply =
        other === null
          ? whole
          : await replyTo(other.found, { ...question, turn: { ...turn, text: other.text } });
      if (reply === null) return null;
      const { text, kept } = typeof reply === 'string' ? { text: reply, kept: undefined } : reply;
      question.say(text);
      return plainAnswer(text, kept);
    },
  });

  return {
    ...responder,

    /** Whether a skill understands this whole sentence. It runs nothing and asks nothing. */
    accepts(text: string): Accepts {
      const found = find(text);
      const isWhole = found !== null && found.intent.mayGoOn !== true;
      return {
        isWhole,
        isUndoable: found?.intent.effect === 'undoable',
        mayGetLonger: found?.endsOpen === true && found.intent.effect !== 'none',
      };
    },

    /** Whether a sentence only asks for information: "why is the sky blue". It needs no matching skill. */
    asks: (text: string): boolean => grammar.asks(wordsOf(text)),

    /** Whether it is a complete statement: "my name is Anna". */
    states: (text: string): boolean => grammar.states(wordsOf(text)),

    /** Whether it only shows that the person listens: "mm-hm", "yeah". */
    isBackchannel: (text: string): boolean => text !== '' && grammar.isBackchannel(wordsOf(text)),

    /** Whether it begins like the rest of a sentence: "and eggs", "in Tokyo". */
    joins: (text: string): boolean => grammar.joins(wordsOf(text)),

    /** Whether it begins like a new sentence after another: "what is the". */
    beginsAnew(text: string): boolean {
      const words = wordsOf(text);
      if (grammar.joins(words)) return false;
      const found = find(text);
      return (found !== null && found.intent.mayGoOn !== true) || grammar.beginsToAsk(words);
    },

    /** Whether a sentence is clearly incomplete: "add eggs and", "set a timer for", "what is the". */
    goesOn(text: string): boolean {
      const words = wordsOf(text);
      if (words.length < 2) return false;
      const match = matcher.match(words);
      if (match) return known[match.sentence]?.intent.mayGoOn === true;
      return grammar.hangs(words) || matcher.isBegun(words);
    },

    /** Whether a sentence may be unfinished: "add milk", "what is the capital", "what". */
    mayGoOn(text: string): boolean {
      const words = wordsOf(text);
      const isHalfQuestion = grammar.beginsToAsk(words) && !grammar.asks(words);
      return matcher.mayBeBegun(words) || isHalfQuestion || grammar.isQuestionWord(words);
    },

    /** Whether a skill's sentences contain this word. Such a word is rarely misheard. */
    hasWord: (word: string) => wordsOf(word).every((each) => matcher.words.has(each.word)),

    /** All words of the skills' sentences. */
    get words(): ReadonlySet<string> {
      return matcher.words;
    },

    /**
     * The effect of a whole sentence, and a key shared only by sentences with the same meaning. Null: no
     * skill understands it.
     */
    meaning(text: string): Meaning | null {
      const found = find(text);
      if (found === null || found.intent.mayGoOn === true) return null;
      const slots = [...found.slots].map(([name, words]) => `${name}=${joinedWords(words)}`);
      const { effect, isReply = false } = found.intent;
      return { effect, isReply, key: [found.skill, found.name, ...slots].join(' ') };
    },

    /** The matching skill and intent. `endsOpen`: its last words are free text. */
    understood(text: string): { skill: string; intent: string; endsOpen: boolean } | null {
      const found = find(text);
      return found && { skill: found.skill, intent: found.name, endsOpen: found.endsOpen };
    },
  };
}

export type SkillResponder = ReturnType<typeof createSkillResponder>;

interface KnownSentence {
  skill: string;
  name: string;
  intent: Intent<SlotWords>;
  sentence: Sentence;
}

interface Found extends KnownSentence {
  slots: SlotWords;
  endsOpen: boolean;
}

interface Candidate {
  skill: string;
  adjunct: Adjunct;
  phrase: AdjunctPhrase;
}

/** Finds the intent of a sentence and its adjuncts. */
function createIntentFinder({ skills, grammar }: SkillsOptions) {
  const known = skills.flatMap(intentsOf);
  const matcher = grammar.matcher({
    sentences: known.map(({ sentence }) => sentence),
    slotTypes: slotTypesOf(skills),
  });

  const wordsOf = (text: string) => (text.length > maxCharacters ? [] : grammar.readWords(text));
  const foundIn = (words: readonly Word[]): Found | null => {
    const match = matcher.match(words);
    const found = match && known[match.sentence];
    return found ? { ...found, slots: match.slots, endsOpen: match.endsOpen } : null;
  };
  const candidates = (words: readonly Word[]): Candidate[] =>
    skills
      .flatMap(({ name: skill, adjuncts = [] }) =>
        adjuncts.flatMap((adjunct) => adjunct.find(words).map((phrase) => ({ skill, adjunct, phrase }))),
      )
      .slice(0, maxCandidates);
  /** Matches the sentence without one adjunct, if its intent allows the adjunct. */
  const foundWith = (
    words: readonly Word[],
    { skill, adjunct, phrase }: Candidate,
    depth: number,
  ): Found | null => {
    const found = understand(without(words, phrase), depth - 1);
    if (found?.skill !== skill || !adjunct.intents.includes(found.name)) return null;
    if (found.slots.has(adjunct.slot) || !mayStand(phrase, { words, found, adjunct })) return null;
    const named = words.slice(phrase.nameAt, phrase.to);
    return { ...found, slots: new Map([...found.slots, [adjunct.slot, named]]) };
  };
  /** Matches the sentence without its adjuncts. */
  const foundAround = (words: readonly Word[], whole: Found | null, depth: number): Found | null => {
    const isUnclear = whole === null || whole.intent.mayGoOn === true;
    for (const candidate of depth > 0 ? candidates(words) : []) {
      const found = candidate.phrase.isKnown || isUnclear ? foundWith(words, candidate, depth) : null;
      if (found) return found;
    }
    return null;
  };
  const understand = (words: readonly Word[], depth: number): Found | null => {
    const whole = foundIn(words);
    return foundAround(words, whole, depth) ?? whole;
  };
  const withdrawals = known.filter(({ intent }) => intent.isWithdrawal === true);
  /** Nothing was done yet, so nothing is undone. */
  const withdrawal = withdrawals.find(({ intent }) => intent.effect === 'none');
  const isRequest = (words: readonly Word[]): boolean => {
    const { intent } = understand(words, maxAdjuncts) ?? {};
    return intent !== undefined && (intent.mayGoOn === true || intent.effect !== 'none');
  };
  /** "Set a timer. Never mind.": nothing is wanted. "Stop" withdraws only what a skill understands. */
  const withdrawnIn = (words: readonly Word[]): Found | null => {
    const found = withdrawal ? grammar.withdrawn(words) : null;
    if (!withdrawal || !found) return null;
    const { before, last } = found;
    const lastIntent = foundIn(last)?.intent;
    const isClear = last.length > 1 || withdrawals.some(({ intent }) => intent === lastIntent);
    // "Oh no, cancel that" is about the last action.
    const isLonger = before.length > maxExclamation && (isClear || matcher.isBegun(before));
    if (!isLonger && !isRequest(before)) return null;
    return { ...withdrawal, slots: new Map(), endsOpen: false };
  };
  const read = (words: readonly Word[]) => withdrawnIn(words) ?? understand(words, maxAdjuncts);
  const find = rememberedTexts((text: string) => read(wordsOf(text)), maxRemembered);

  return { known, matcher, wordsOf, find };
}

function without(words: readonly Word[], { from, to }: AdjunctPhrase): Word[] {
  const [first, ...rest] = words.toSpliced(from, to - from);
  return first ? [{ ...first, gap: '' }, ...rest] : [];
}

/** An adjunct in the middle of a slot belongs to it. So does an unknown name after free text. */
function mayStand(
  { from, to, isKnown }: AdjunctPhrase,
  { words, found, adjunct }: { words: readonly Word[]; found: Found; adjunct: Adjunct },
): boolean {
  const [start, before] = [words[from]?.start ?? 0, words[from - 1]];
  return [...found.slots].every(([name, slot]) => {
    const [first, last] = [slot[0], slot.at(-1)];
    if (!first || !last) return true;
    if (first.start < start && to < words.length && last.start > start) return false;
    return isKnown || !adjunct.textSlots.includes(name) || last.start !== before?.start;
  });
}

/**
 * The slot types of all skills. Throws if two have the same name, because one would read the words of the
 * other.
 */
function slotTypesOf(skills: readonly Skill[]): Readonly<Record<string, SlotType>> {
  const types = { ...commonSlots };
  for (const { name: skill, slotTypes = {} } of skills) {
    const taken = Object.keys(slotTypes).find((name) => Object.hasOwn(types, name));
    if (taken !== undefined) throw new Error(`The skill "${skill}" has a slot type {${taken}} of another.`);
    Object.assign(types, slotTypes);
  }
  return types;
}

function intentsOf(skill: Skill): KnownSentence[] {
  return Object.entries(skill.sentences).flatMap(([name, texts]) => {
    const intent = skill.intents[name];
    if (!intent)
      throw new Error(`The skill "${skill.name}" has sentences for "${name}", which it cannot do.`);
    const place = `skills/${skill.name}.yaml: ${name}`;
    return texts.map((text) => ({ skill: skill.name, name, intent, sentence: { text, place } }));
  });
}
