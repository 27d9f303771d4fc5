import type { Say } from '../../language/phrases.ts';
import type { TranscriptCandidate, Turn } from '../../turn/turn.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { type Answer, plainAnswer, type Question, type Responder, type TextTurn } from '../core/responder.ts';
import type { SkillResponder } from '../core/skill-responder.ts';
import type { Doubts } from './doubts.ts';
import { doubtfulWords, type NearSentence, type NearSet, nearSentences } from './near-sentences.ts';
import { isSpoken, phoneticDistance, phoneticRoomDistance, typedDistance } from './near-words.ts';

interface TranscriptCorrectionOptions {
  say: Say;
  doubts: Pick<Doubts, 'note'>;
  skills: Pick<SkillResponder, 'respond' | 'meaning' | 'hasWord' | 'words'>;
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
  soundsOf: (word: string) => string;
  /**
   * Words that a speaker may mean now: those of the language, and names of rooms, entities, lists and timers.
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
  other: TranscriptCandidate;
  /** The effect of the skill's intent. Undefined: the sentence is for the house. */
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
export function createTranscriptCorrection(options: TranscriptCorrectionOptions): Responder {
  const { say, doubts, skills, pendingQuestions, soundsOf, words, isForHome, home } = options;
  const { concerns = async () => true, isBelieved = () => false, rooms = () => [] } = options;
  const [byVoice, byVoiceForRooms] = [phoneticDistance(soundsOf), phoneticRoomDistance(soundsOf)];

  /** The candidate sets, by the turn's source. */
  const nearSets = async ({ source }: TextTurn): Promise<NearSet[]> => {
    const all = new Set(await words());
    // There are thousands of words in the sentences of skills, so they are not copied.
    if (!isSpoken(source)) return [skills.words, all].map((words) => ({ words, distance: typedDistance }));
    return [
      { words: all, distance: byVoice },
      { words: new Set(rooms()), distance: byVoiceForRooms },
    ];
  };

  const hasAsked = async ({ turn, exchanges }: Question) =>
    (await pendingQuestions.last(exchanges, turn.createdAt)) !== null;

  /** The meaning of a text for the skills. The answer to a question means nothing without one. */
  const meaningOf = (text: string, takesReplies: boolean) => {
    const meaning = skills.meaning(text);
    return meaning?.isReply && !takesReplies ? null : meaning;
  };

  const kindOf = async (text: string, takesReplies: boolean) => {
    const meaning = meaningOf(text, takesReplies);
    if (meaning) return meaning;
    return (await isForHome(text)) ? { effect: 'final' as const, key: text.toLowerCase() } : null;
  };

  /** The single candidate. Null: there is none, or two are equally near. */
  const onlyOne = async (near: readonly NearSentence[], takesReplies: boolean) => {
    let found: (NearSentence & NonNullable<Awaited<ReturnType<typeof kindOf>>>) | null = null;
    for (const each of near) {
      if (found && each.distance > found.distance + clearly) return found;
      const kind = await kindOf(each.text, takesReplies);
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
  const otherOf = async ({ alternatives = [] }: Turn, takesReplies: boolean): Promise<OtherText | null> => {
    for (const other of alternatives) {
      const effect = meaningOf(other.text, takesReplies)?.effect;
      if (effect || (await isForHome(other.text))) return { other, effect };
    }
    return null;
  };

  const answerOther = async (question: Question, { other, effect }: OtherText): Promise<Answer> => {
    const meant = { ...question, turn: { ...question.turn, ...other } };
    const answer = effect ? effect !== 'final' && (await skills.respond(meant)) : await answerAtHome(meant);
    return answer ? { ...answer, heard: other.text } : await askBack(question, other.text);
  };

  /** The house answers under its own name. */
  const answerAtHome = async (question: Question): Promise<Answer | null> => {
    if (home === null) return null;
    const via = home.name;
    const answer = await home.respond({ ...question, say: (words) => question.say(words, { via }) });
    return answer && { ...answer, via };
  };

  const answerNear = async (question: Question): Promise<Answer | null> => {
    const { turn } = question;
    const isCommon = (word: string) => skills.hasWord(word) || isBelieved(word);
    // Most sentences have no such word, and reading the names of the household takes time.
    if (doubtfulWords(turn.text, isCommon).length === 0) return null;
    const near = nearSentences(turn.text, { sets: await nearSets(turn), isCommon });
    const found = near.length > 0 && (await onlyOne(near, await hasAsked(question)));
    if (!found) return null;
    const mayAct = isSpoken(turn.source) && found.effect !== 'final';
    if (!turn.isSure || found.isDoubtful || !(mayAct || found.effect === 'none'))
      return await askBack(question, found.text);
    const answer = await skills.respond({ ...question, turn: { ...turn, text: found.text } });
    return answer && { ...answer, heard: found.text };
  };

  return {
    name: 'skills',
    async respond(question) {
      const { turn } = question;
      if (turn.source === 'chat' || !(await concerns(turn.text))) return null;
      const { alternatives = [] } = turn;
      const hasOthers = isSpoken(turn.source) && alternatives.length > 0;
      const found = hasOthers && (await otherOf(turn, await hasAsked(question)));
      return await (found ? answerOther(question, found) : answerNear(question));
    },
  };
}
