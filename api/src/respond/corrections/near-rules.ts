import { wholeAnswer } from '../../conversations/exchange.ts';
import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { WordReader } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { type Answer, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { SkillResponder } from '../core/skill-responder.ts';
import type { Doubts } from './doubts.ts';
import {
  createFrames,
  type FrameMeaning,
  type FrameReader,
  type FrameReaders,
  nearWordsSchema,
} from './frames.ts';

const shape = { replies: { shall_i: ['text'] }, words: nearWordsSchema } as const;

interface NearRulesOptions {
  files: LanguageFiles;
  readWords: WordReader;
  doubts: Pick<Doubts, 'note'>;
  skills: Pick<SkillResponder, 'respond' | 'meaning' | 'understood'>;
  /** Reads a duration or a time. `readBare` also reads a bare time ("seven"), as a last resort. */
  times: Record<'read' | 'readBare', FrameReader>;
  lengths: FrameReader;
  /** Reads how often: "every day". */
  repeats: FrameReader;
  /** Words for the colors of lights. */
  colors: readonly string[];
  /** The current rooms. */
  rooms: () => readonly string[];
  /** The type of a slot of a skill, or of the house. */
  slotType: (skill: string, slot: string) => SlotType | undefined;
  /** Whether a sentence is a command to the house with all names known. */
  isForHome: (text: string) => Promise<boolean>;
}

/**
 * Handles sentences close to a rule: "the alarm should ring at seven". It answers questions directly. For an
 * action, it asks back once in the rule's words, and acts after a yes. It comes after all responders that
 * understand whole sentences.
 */
export function createNearRules(options: NearRulesOptions): Responder {
  const { files, readWords, doubts, skills, times, lengths, repeats, colors, rooms, slotType, isForHome } =
    options;
  const { reply, words } = loadSkill(files, 'near', shape);
  const frames = createFrames(words);
  const leads = new Set(words.leads);
  const when: FrameReader = (said, from) =>
    times.read(said, from) ?? (leads.has(said[from]?.word ?? '') ? times.readBare(said, from + 1) : null);
  /** A slot of a skill: {clock.place}. */
  const bySkill = (place: string): FrameReader | undefined => {
    const [skill = '', slot = ''] = place.split('.');
    const type = slotType(skill, slot);
    // Without a house there is nothing to name.
    if (!type) return skill === 'home' ? () => null : undefined;
    return (said, from) => endOf(type.ends?.(said, from) ?? []);
  };
  const phrasesOf = (texts: readonly string[]): FrameReader => {
    const phrases = createPhraseFinder(
      texts.map((text) => ({ text, stands: text })),
      readWords,
    );
    return (said, from) => phrases.at(said, from).at(-1) ?? null;
  };
  const color = phrasesOf(colors);
  const placesNow = (): FrameReaders => {
    const own: Readonly<Record<string, FrameReader>> = {
      when,
      length: lengths,
      often: repeats,
      room: phrasesOf(rooms()),
      color,
    };
    return (place) => own[place] ?? bySkill(place);
  };
  const unknown = [...frames.places].find((place) => placesNow()(place) === undefined);
  if (unknown !== undefined) throw new Error(`skills/near.yaml: there is no place {${unknown}}`);

  const meaningOf = async (text: string) => {
    const meaning = skills.meaning(text);
    if (meaning) return meaning;
    // "Set a timer" only asks for how long.
    if (skills.understood(text)) return { effect: 'none', key: text } as const;
    return (await isForHome(text)) ? ({ effect: 'final', key: text } as const) : null;
  };
  const known = async ({ ways, mayAct }: FrameMeaning) => {
    for (const text of ways) {
      const meaning = await meaningOf(text);
      if (meaning && (meaning.effect === 'none' || mayAct)) return { text, ...meaning };
    }
    return null;
  };

  /** The only meaning; null: none, or two. */
  const meantBy = async (text: string) => {
    const request = frames.request(text, readWords(text));
    const whole = request === null ? null : await known({ ways: [request], mayAct: true });
    return whole ?? (await framed(text)) ?? (request === null ? null : await framed(request));
  };

  const framed = async (text: string) => {
    const found = frames.meanings(text, readWords(text), placesNow());
    const [first, ...more] = (await Promise.all(found.map(known))).filter((each) => each !== null);
    return first && more.every((each) => isSame(each, first)) ? first : null;
  };

  /** "Your alarm" for "my alarm". */
  const inOtherPerson = (text: string): string =>
    text.replaceAll(/[\p{L}’']+/gu, (word) => words.persons[word.toLowerCase()] ?? word);

  const askBack = async ({ turn, exchanges, say }: Question, meant: string): Promise<Answer | null> => {
    const text = reply('shall_i', { text: inOtherPerson(meant) }, turn);
    // A person who repeats almost the same words has rejected this meaning.
    const last = exchanges.at(-1);
    if (last && wholeAnswer(last) === text) return null;
    await doubts.note({ ...turn, text: meant });
    say(text);
    return plainAnswer(text);
  };

  return {
    name: 'skills',
    async respond(question) {
      const { turn } = question;
      // Another responder asks back about doubtful words.
      if (!turn.isSure) return null;
      const meant = await meantBy(turn.text);
      if (!meant) return null;
      if (meant.effect !== 'none') return await askBack(question, meant.text);
      return await skills.respond({ ...question, turn: { ...turn, text: meant.text } });
    },
  };
}

interface Meant {
  effect: string;
  /** Begins with the name of the skill. */
  key: string;
}

/** Whether two meanings are one, or two questions to one skill. */
const isSame = (one: Meant, other: Meant): boolean =>
  one.key === other.key ||
  (one.effect === 'none' && other.effect === 'none' && skillOf(one) === skillOf(other));

const skillOf = ({ key }: Meant): string => key.split(' ')[0] ?? '';

const endOf = (ends: readonly number[]) => (ends.length === 0 ? null : { end: Math.max(...ends) });
