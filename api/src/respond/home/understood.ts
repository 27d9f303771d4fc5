import type { Kind } from './home-words.ts';

export const homeIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock', 'set', 'start', 'stop'],
  ...['refer_on', 'refer_off', 'follow', 'state', 'which', 'level', 'measure'],
] as const;

const questions: readonly string[] = ['state', 'which', 'level', 'measure'];

export const isQuestionIntent = (intent: string) => questions.includes(intent);
export const isReferenceIntent = (intent: string) => intent === 'follow' || intent.startsWith('refer_');

/** A sentence that is the house's business. */
export interface Understood {
  intent: string;
  /** It asks, and must never act. */
  isQuestion: boolean;
  /** It refers to what was said before: "turn it off", "and the bedroom". */
  isReference: boolean;
  /** The sentence without "please" and the like. */
  text: string;
  /** Ways to say a command, best first; {room} stands for where it was said. None says anything else than was said. */
  ways: readonly string[];
  /** What the words say that it is; none: nothing. */
  kinds: readonly Kind[];
  /** All of a kind in the whole house. */
  isEverywhere: boolean;
  /** The same command to each of several things; none: it is to one. */
  parts: readonly Understood[];
  /** It is told from others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** What it speaks of, as it was said, and without "the"; '' for nothing. */
  target: string;
  bare: string;
  area: string;
  /** The room or floor that it speaks of, wherever that stands; '' for none. */
  place: string;
  /** It says where, or names a thing. */
  isPlaced: boolean;
  /** All it speaks of are known names. */
  isNamed: boolean;
  /** It may be in any room: "the lights". */
  needsRoom: boolean;
  /** It speaks of something that nobody knows here: only Home Assistant can tell, which may have another name for it. */
  isUnknown: boolean;
  /** The same of another room, with a place for its name; null: it cannot be said of another. */
  elsewhere: string | null;
  /** Other words for a question, should it not be understood as it was asked. */
  askedAs: readonly string[];
}

/** Words of which nothing is understood. */
export const nothing: Understood = {
  intent: 'anything',
  isQuestion: false,
  isReference: false,
  text: '',
  ways: [],
  kinds: [],
  isEverywhere: false,
  parts: [],
  isSpecial: false,
  target: '',
  bare: '',
  area: '',
  place: '',
  isPlaced: false,
  isNamed: false,
  needsRoom: false,
  isUnknown: false,
  elsewhere: null,
  askedAs: [],
};
