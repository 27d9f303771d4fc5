import type { Say } from '../../language/phrases.ts';
import type { Heard, Turn } from '../../turn/turn.ts';
import {
  type Answer,
  type AskedTurn,
  plainAnswer,
  type Question,
  type Responder,
} from '../core/responder.ts';
import type { SkillResponder } from '../core/skill-responder.ts';
import type { Doubts } from './doubts.ts';
import { type NearSentence, type NearSet, nearSentences } from './near-sentences.ts';
import { heardDistance, heardRoomDistance, typedDistance } from './near-words.ts';

interface HeardNearlyOptions {
  say: Say;
  doubts: Pick<Doubts, 'note'>;
  skills: Pick<SkillResponder, 'respond' | 'meaning' | 'hasWord' | 'words'>;
  soundsOf: (word: string) => string;
  /**
   * Words a speaker may mean now: those of the language, and the names of rooms, things, lists and timers.
   */
  words: () => Promise<readonly string[]>;
  /** Whether a sentence is a command or question for the house and all its names are known. */
  isForHome: (text: string) => Promise<boolean>;
  /** Answers such a sentence; null if no house is connected. */
  home: Responder | null;
  /** Whether this responder handles such a sentence. Missing: it handles every one. */
  concerns?: (text: string) => Promise<boolean>;
  /** Words taken literally, besides those of the rules. */
  isBelieved?: (word: string) => boolean;
  /** The words in room names, for a sentence that can only mean a room. */
  rooms?: () => readonly string[];
}

interface OtherText {
  other: Heard;
  /** The effect of a skill; undefined: the sentence is for the house. */
  effect: NonNullable<ReturnType<SkillResponder['meaning']>>['effect'] | undefined;
}

/** Minimum distance between the nearest candidate and the next one. */
const clearly = 0.05;

/**
 * Corrects a spoken sentence that no rule understood: "how many grants are in three ounces". First it tries
 * the other texts from speech recognition. It answers the most likely one that a rule understands as a whole.
 * Then it replaces one word by a similar-sounding one that fits here. It runs the rule only if that gives
 * information or can be undone. In all other cases it asks back. In a typed sentence one letter may be wrong
 * ("the kitchn lights"); it asks before any action. It comes after all rules.
 */
export function createHeardNearlyResponders(options: HeardNearlyOptions): Responder[] {
  const { say, doubts, skills, soundsOf, words, isForHome, home } = options;
  const { concerns = async () => true, isBelieved = () => false, rooms = () => [] } = options;
  const [heard, heardRoom] = [heardDistance(soundsOf), heardRoomDistance(soundsOf)];

  /** The candidate sets, by the turn's source. */
  const nearSets = async ({ source }: AskedTurn): Promise<NearSet[]> => {
    const all = await words();
    if (!isSpoken(source)) return [{ words: [...skills.words, ...all], distance: typedDistance }];
    return [
      { words: all, distance: heard },
      { words: rooms(), distance: heardRoom },
    ];
  };

  const kindOf = async (text: string) => {
    const meaning = skills.meaning(text);
    if (meaning) return meaning;
    return (await isForHome(text)) ? { effect: 'final' as const, key: text.toLowerCase() } : null;
  };

  /** The single candidate. Null: there is none, or two are equally near. */
  const onlyOne = async (near: readonly NearSentence[]) => {
    let found: (NearSentence & NonNullable<Awaited<ReturnType<typeof kindOf>>>) | null = null;
    for (const each of near) {
      if (found && each.distance > found.distance + clearly) return found;
      const kind = await kindOf(each.text);
      if (kind && found && kind.key !== found.key) return null;
      if (kind) found ??= { ...each, ...kind };
    }
    return found;
  };

  const askBack = async ({ turn, say: tell }: Question, meant: string): Promise<Answer> => {
    await doubts.note({ ...turn, text: meant });
    const text = say('did_you_mean', { text: meant.replace(/[.!?]+$/, '') }, turn.id);
    tell(text);
    return plainAnswer(text);
  };

  /** The most likely of the other texts that a rule accepts. */
  const otherOf = async ({ alternatives = [] }: Turn): Promise<OtherText | null> => {
    for (const other of alternatives) {
      const effect = skills.meaning(other.text)?.effect;
      if (effect || (await isForHome(other.text))) return { other, effect };
    }
    return null;
  };

  const answerOther = async (
    question: Question,
    by: Pick<Responder, 'respond'>,
    { other, effect }: OtherText,
  ) => {
    const meant = { ...question, turn: { ...question.turn, ...other } };
    const answer = effect === 'final' ? null : await by.respond(meant);
    return answer ? { ...answer, heard: other.text } : await askBack(question, other.text);
  };

  const answerNear = async (question: Question): Promise<Answer | null> => {
    const { turn } = question;
    const found = await onlyOne(
      nearSentences(turn.text, {
        sets: await nearSets(turn),
        isCommon: (word) => skills.hasWord(word) || isBelieved(word),
      }),
    );
    if (!found) return null;
    const mayAct = isSpoken(turn.source) && found.effect !== 'final';
    if (!turn.isSure || found.isDoubtful || !(mayAct || found.effect === 'none'))
      return await askBack(question, found.text);
    const answer = await skills.respond({ ...question, turn: { ...turn, text: found.text } });
    return answer && { ...answer, heard: found.text };
  };

  const look = async (turn: AskedTurn) => {
    if (turn.source === 'chat' || !(await concerns(turn.text))) return null;
    return { found: isSpoken(turn.source) ? await otherOf(turn) : null };
  };
  /** Caches the result, because two responders ask about the same turn. */
  const looked = new WeakMap<AskedTurn, ReturnType<typeof look>>();
  /** Null: this turn needs no correction. */
  const lookInto = (turn: AskedTurn) => {
    const known = looked.get(turn) ?? look(turn);
    looked.set(turn, known);
    return known;
  };

  const ofSkills: Responder = {
    name: 'skills',
    async respond(question) {
      const seen = await lookInto(question.turn);
      if (!seen) return null;
      const { found } = seen;
      return await (found ? answerOther(question, skills, found) : answerNear(question));
    },
  };

  /** Comes before the other responder, so that the house answers under its own name. */
  const ofHome = (home: Responder): Responder => ({
    name: home.name,
    async respond(question) {
      const found = (await lookInto(question.turn))?.found;
      return found && !found.effect ? await answerOther(question, home, found) : null;
    },
  });

  return home ? [ofHome(home), ofSkills] : [ofSkills];
}

const isSpoken = (source: AskedTurn['source']): boolean => source === 'voice' || source === 'listen';
