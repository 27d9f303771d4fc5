import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { WordReader } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { Doubts } from '../doubts.ts';
import { type Answer, plainAnswer, type Question, type Responder } from '../responder.ts';
import { loadSkill } from '../skills/skill-language.ts';
import type { SkillResponder } from '../skills/skill-responder.ts';
import { createFrames, type FrameReader, type FrameReaders, nearWordsSchema } from './frames.ts';

const shape = { replies: { shall_i: ['text'] }, words: nearWordsSchema } as const;

interface NearRulesOptions {
  files: LanguageFiles;
  readWords: WordReader;
  doubts: Pick<Doubts, 'note'>;
  skills: Pick<SkillResponder, 'respond' | 'meaning'>;
  /** Reads a time, where only one can stand if it is bare ("seven"), and a length. */
  times: Record<'read' | 'readBare', FrameReader>;
  lengths: FrameReader;
  /** The rooms at this moment. */
  rooms: () => readonly string[];
  /** Whether a sentence is a command to the house, with all its names known. */
  isForHome: (text: string) => Promise<boolean>;
}

/**
 * What comes near a rule and is none: "the alarm should ring at seven". A question that changes nothing is answered; anything else is asked back once, in
 * the words of the rule, and done after a yes. It stands behind everybody who understands a sentence as a whole.
 */
export function createNearRules(options: NearRulesOptions): Responder {
  const { files, readWords, doubts, skills, times, lengths, rooms, isForHome } = options;
  const { reply, words } = loadSkill(files, 'near', shape);
  const frames = createFrames(words);
  const leads = new Set(words.leads);
  const when: FrameReader = (said, from) =>
    times.read(said, from) ?? (leads.has(said[from]?.word ?? '') ? times.readBare(said, from + 1) : null);
  const places = (): FrameReaders => {
    const names = createPhraseFinder(
      rooms().map((text) => ({ text, stands: text })),
      readWords,
    );
    return { when, length: lengths, room: (said, from) => names.at(said, from).at(-1) ?? null };
  };

  const known = async (ways: readonly string[]) => {
    for (const text of ways) {
      const effect = skills.meaning(text)?.effect ?? ((await isForHome(text)) ? 'final' : null);
      if (effect !== null) return { text, effect };
    }
    return null;
  };

  /** The only meaning; null: a sentence has none, or two. */
  const meantBy = async (text: string) => {
    const found = frames.meanings(text, readWords(text), places());
    const [first, ...more] = (await Promise.all(found.map(known))).filter((each) => each !== null);
    return first && more.every((each) => each.text === first.text) ? first : null;
  };

  const askBack = async ({ turn, exchanges, say }: Question, meant: string): Promise<Answer | null> => {
    const text = reply('shall_i', { text: meant }, turn);
    // Whoever says much the same again did not mean that.
    if (exchanges.at(-1)?.assistant === text) return null;
    await doubts.note({ ...turn, text: meant });
    say(text);
    return plainAnswer(text);
  };

  return {
    name: 'skills',
    async respond(question) {
      const { turn } = question;
      // Of doubtful words it is asked back what was said.
      if (!turn.isSure) return null;
      const meant = await meantBy(turn.text);
      if (!meant) return null;
      if (meant.effect !== 'none') return await askBack(question, meant.text);
      return await skills.respond({ ...question, turn: { ...turn, text: meant.text } });
    },
  };
}
