export const homeIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock', 'set', 'start', 'stop'],
  ...['refer_on', 'refer_off', 'follow', 'state', 'which', 'level', 'measure'],
] as const;

export const questions: readonly string[] = ['state', 'which', 'level', 'measure'];

/** A sentence that is the house's business. */
export interface Understood {
  intent: string;
  /** It asks, and must never act. */
  isQuestion: boolean;
  /** It refers to what was said before: "turn it off", "and the bedroom". */
  isReference: boolean;
  /** What is sent: the sentence without "please" and the like. */
  text: string;
  /** What it speaks of, as it was said, and without "the"; '' for nothing. */
  target: string;
  bare: string;
  area: string;
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
  target: '',
  bare: '',
  area: '',
  isPlaced: false,
  isNamed: false,
  needsRoom: false,
  isUnknown: false,
  elsewhere: null,
  askedAs: [],
};
