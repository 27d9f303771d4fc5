import type { Kind } from './home-words.ts';

export const homeIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock'],
  ...['louder', 'quieter', 'volume', 'mute', 'music_off', 'unmute', 'pause', 'resume', 'next', 'previous'],
  ...[
    'warmer',
    'cooler',
    'brighter',
    'darker',
    'faster',
    'slower',
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
  ...['lock_up', 'set_heat', 'heat_area', 'cozy', 'cozy_here'],
  ...['water', 'brew', 'which_color', 'refer_up', 'refer_down', 'refer_more', 'refer_less', 'refer_set'],
  ...['more_open', 'less_open', 'refer_resume'],
  ...['refer_on', 'refer_off', 'follow', 'correct', 'state', 'which', 'level', 'measure'],
] as const;

const questions: readonly string[] = ['weather', 'state', 'which', 'level', 'measure'];

export const isQuestionIntent = (intent: string) => questions.includes(intent);
export const isReferenceIntent = (intent: string) =>
  intent === 'follow' || intent === 'correct' || intent.startsWith('refer_');

/**
 * The same sentence for each entity of some domains, because Home Assistant has no sentence for all of them.
 */
export interface Each {
  domains: readonly string[];
  /** The spoken name; null: all in the place. */
  name: string | null;
  /** The spoken value, and as a number: percent or degrees. '' and null: none. */
  value: string;
  level: number | null;
  /** Relative change: percent for lights, degrees for heating. */
  by: number | null;
  /** The person gave no amount. */
  isUsual: boolean;
  /** The sentence can mean only one entity. */
  isOne: boolean;
  /** Its name contains one of these words; null: any entity may be meant. */
  calledWith: readonly string[] | null;
  /** It says "everything". */
  isEverything: boolean;
  /** The sentence means any one of several: "a light". */
  isOneOf: boolean;
  /** It is in the named place, or in the speaker's room. */
  isOfRoom: boolean;
}

/** A sentence for the house. */
export interface Understood {
  intent: string;
  /** A question: it must never act. */
  isQuestion: boolean;
  /** It refers to an earlier command: "turn it off", "and the bedroom". */
  isReference: boolean;
  /** The sentence without "please" and similar words. */
  text: string;
  /** Phrasings of a command with the same meaning, best first; {room} stands for the speaker's room. */
  ways: readonly string[];
  /** A device in the speaker's room, if the words need one; null: they do not. */
  device: string | null;
  /** The follow-up question; null: nothing is missing. */
  unclear: 'which_color' | 'which_scale' | null;
  /** The kinds that its words may mean; empty: they name no kind. */
  kinds: readonly Kind[];
  /** All of a kind in the whole house. */
  isEverywhere: boolean;
  /** The same command for each of several entities; empty for one. */
  parts: readonly Understood[];
  /**
   * The same command entity by entity, because Home Assistant has no sentence for all of them. Null: do not
   * try it.
   */
  each: Each | null;
  /** The percent or degrees to set; null: no number. */
  setTo: number | null;
  /** Descriptions of what a command for several leaves out: "all lights except the kitchen". */
  except: readonly string[];
  /** The entities that the person chose among several; null: the words decide. */
  among: readonly string[] | null;
  /** It names one among others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** The spoken target, and (`bare`) without "the"; '' for none. */
  target: string;
  bare: string;
  /** The words for its kind alone: "lights" in "the lights in the kitchen". A proper name: as `bare`. */
  head: string;
  area: string;
  /** The room or floor anywhere in the sentence; '' for none. */
  place: string;
  /** It gives a place or a name. */
  isPlaced: boolean;
  /** It uses only known names. */
  isNamed: boolean;
  /** It fits any room: "the lights". */
  needsRoom: boolean;
  /** It names something unknown here. Home Assistant may have another name for it. */
  isUnknown: boolean;
  /** The same command for another room, with a slot for its name; null: it does not transfer. */
  elsewhere: string | null;
  /** Rephrasings of a question, in case Home Assistant does not understand the first. */
  askedAs: readonly string[];
}

/** Words that were not understood. */
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
  except: [],
  among: null,
  isSpecial: false,
  target: '',
  bare: '',
  head: '',
  area: '',
  place: '',
  isPlaced: false,
  isNamed: false,
  needsRoom: false,
  isUnknown: false,
  elsewhere: null,
  askedAs: [],
};
