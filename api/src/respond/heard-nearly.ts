import type { Say } from '../language/phrases.ts';
import type { Heard, Turn } from '../turn/turn.ts';
import type { Doubts } from './doubts.ts';
import { type NearSentence, type NearSet, nearSentences } from './near-sentences.ts';
import { heardDistance, heardRoomDistance, typedDistance } from './near-words.ts';
import { type Answer, type AskedTurn, plainAnswer, type Question, type Responder } from './responder.ts';
import type { SkillResponder } from './skills/skill-responder.ts';

interface HeardNearlyOptions {
  say: Say;
  doubts: Pick<Doubts, 'note'>;
  skills: Pick<SkillResponder, 'respond' | 'meaning' | 'hasWord' | 'words'>;
  soundsOf: (word: string) => string;
  /** The words that can be meant at this moment: those of the language, and the names of rooms, things, lists and timers. */
  words: () => Promise<readonly string[]>;
  /** Whether a sentence is a command to the house or a question about it, with all its names known. */
  isForHome: (text: string) => Promise<boolean>;
  /** Answers such a sentence; null where no house is connected. */
  home: Responder | null;
  /** Whether this one is asked about such a sentence at all. Left out: about any. */
  concerns?: (text: string) => Promise<boolean>;
  /** Words that mean what they are, besides those of the rules. */
  isBelieved?: (word: string) => boolean;
  /** The words in the names of rooms, where a sentence can only mean one of those. */
  rooms?: () => readonly string[];
}

interface OtherText {
  other: Heard;
  /** What a skill would do; undefined: it is for the house. */
  effect: NonNullable<ReturnType<SkillResponder['meaning']>>['effect'] | undefined;
}

/** The next one must be further away than the nearest by this. */
const clearly = 0.05;

/**
 * A spoken sentence that nobody has understood may have been heard nearly: "how many grants are in three ounces". First come the other texts that the
 * speech recognition thought of: the likeliest that a rule understands as a whole is answered as if it had been heard. Then the words: if one of them
 * sounds like one that can be meant here, and with that one a rule understands the whole, the rule answers, provided that it only tells something or
 * that what it does can be undone. Anything else is asked back. In a typed sentence one letter may be wrong ("the kitchn lights"), and what would do
 * anything is asked back. It stands behind all rules.
 */
export function createHeardNearlyResponders(options: HeardNearlyOptions): Responder[] {
  const { say, doubts, skills, soundsOf, words, isForHome, home } = options;
  const { concerns = async () => true, isBelieved = () => false, rooms = () => [] } = options;
  const [heard, heardRoom] = [heardDistance(soundsOf), heardRoomDistance(soundsOf)];

  /** What can be meant, by how it got here. */
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

  /** The only sentence that can be meant. Null: there is none, or there are two as near as each other. */
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

  /** The likeliest of the other texts that a rule would take. */
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
  /** Two responders ask about the same turn. */
  const looked = new WeakMap<AskedTurn, ReturnType<typeof look>>();
  /** Null: this turn is none to look into. */
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

  /** Stands before the other, so that the house answers under its own name. */
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
