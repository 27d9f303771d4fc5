import type { Say } from '../language/phrases.ts';
import type { Doubts } from './doubts.ts';
import { type NearSentence, nearSentences } from './near-sentences.ts';
import { plainAnswer, type Question, type Responder } from './responder.ts';
import type { SkillResponder } from './skills/skill-responder.ts';

interface HeardNearlyOptions {
  say: Say;
  doubts: Pick<Doubts, 'note'>;
  skills: Pick<SkillResponder, 'respond' | 'meaning' | 'hasWord'>;
  soundsOf: (word: string) => string;
  /** The words that can be meant at this moment: those of the language, and the names of rooms, things, lists and timers. */
  words: () => Promise<readonly string[]>;
  /** Whether a sentence is a command to the house or a question about it, with all its names known. */
  isForHome: (text: string) => Promise<boolean>;
  /** Whether this one is asked about such a sentence at all. Left out: about any. */
  concerns?: (text: string) => Promise<boolean>;
}

/** The next one must be further away than the nearest by this. */
const clearly = 0.05;

/**
 * A spoken sentence that nobody has understood may have been heard nearly: "how many grants are in three ounces". If one word in it sounds like one that
 * can be meant here, and with that one a rule understands the whole, the rule answers, provided that it only tells something or that what it does can be
 * undone. Anything else is asked back. It stands behind all rules.
 */
export function createHeardNearlyResponder(options: HeardNearlyOptions): Responder {
  const { say, doubts, skills, soundsOf, words, isForHome, concerns = async () => true } = options;

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

  return {
    name: 'skills',
    async respond(question: Question) {
      const { turn } = question;
      if (turn.source !== 'voice' && turn.source !== 'listen') return null;
      if (!(await concerns(turn.text))) return null;
      const found = await onlyOne(
        nearSentences(turn.text, {
          soundsOf,
          words: await words(),
          isCommon: skills.hasWord,
        }),
      );
      if (!found) return null;
      const meant = { ...turn, text: found.text };
      if (turn.isSure && !found.isDoubtful && found.effect !== 'final')
        return await skills.respond({ ...question, turn: meant });
      await doubts.note(meant);
      const text = say('did_you_mean', { text: found.text.replace(/[.!?]+$/, '') }, turn.id);
      question.say(text);
      return plainAnswer(text);
    },
  };
}
