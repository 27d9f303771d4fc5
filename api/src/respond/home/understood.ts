import type { Each } from './deeds.ts';
import type { Kind } from './home-words.ts';

export const homeIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock'],
  ...['louder', 'quieter', 'volume', 'mute', 'unmute', 'pause', 'resume', 'next', 'previous'],
  ...[
    'warmer',
    'cooler',
    'brighter',
    'darker',
    'shine',
    'color',
    'clean',
    'mow',
    'park',
    'dock',
    'set',
    'start',
    'stop',
    'weather',
  ],
  ...['brew', 'which_color', 'refer_up', 'refer_down'],
  ...['refer_on', 'refer_off', 'follow', 'state', 'which', 'level', 'measure'],
] as const;

const questions: readonly string[] = ['weather', 'state', 'which', 'level', 'measure'];

export const isQuestionIntent = (intent: string) => questions.includes(intent);
export const isReferenceIntent = (intent: string) => intent === 'follow' || intent.startsWith('refer_');

/** A sentence that is for the house. */
export interface Understood {
  intent: string;
  /** It asks, and must never act. */
  isQuestion: boolean;
  /** It refers to what was said before: "turn it off", "and the bedroom". */
  isReference: boolean;
  /** The sentence without "please" and the like. */
  text: string;
  /** Ways to say a command, best first, all of the same meaning; {room} stands for the room where it was said. */
  ways: readonly string[];
  /** A device in the room where it was said, if its words need that; null: they do not. */
  device: string | null;
  /** The reply by which more is asked; null: nothing is missing. */
  unclear: 'which_color' | 'which_scale' | null;
  /** The kinds of thing that its words may mean; none: they name no kind. */
  kinds: readonly Kind[];
  /** All of a kind in the whole house. */
  isEverywhere: boolean;
  /** The same command to each of several things; none: it is to one. */
  parts: readonly Understood[];
  /** The same to each thing, where Home Assistant has no words for all of them; null: it is not to be tried. */
  each: Each | null;
  /** The percent or degrees that it sets something to; null: it sets nothing, or no number. */
  setTo: number | null;
  /** It names one among others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** The thing it speaks of as it was said, and (`bare`) without "the"; '' for nothing. */
  target: string;
  bare: string;
  area: string;
  /** The room or floor that it speaks of, wherever that stands; '' for none. */
  place: string;
  /** It says where, or names a thing. */
  isPlaced: boolean;
  /** It speaks only of known names. */
  isNamed: boolean;
  /** It may be in any room: "the lights". */
  needsRoom: boolean;
  /** It speaks of something unknown here. Home Assistant may have another name for it. */
  isUnknown: boolean;
  /** The same command for another room, with a place for its name; null: it cannot be said of another. */
  elsewhere: string | null;
  /** Other words for a question, in case Home Assistant does not understand the first. */
  askedAs: readonly string[];
}

/** Words that could not be understood. */
export const nothing: Understood = {
  intent: 'anything',
  isQuestion: false,
  isReference: false,
  text: '',
  ways: [],
  device: null,
  unclear: null,
  kinds: [],
  isEverywhere: false,
  parts: [],
  each: null,
  setTo: null,
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
