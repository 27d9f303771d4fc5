import type { Kind } from './home-words.ts';

export const homeIntents = [
  ...['on', 'off', 'open', 'close', 'lock', 'unlock'],
  ...['louder', 'quieter', 'volume', 'mute', 'music_off', 'unmute', 'pause', 'resume', 'next', 'previous'],
  ...[
    'warmer',
    'cooler',
    'warmer_light',
    'cooler_light',
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
  ...['lock_up', 'set_heat', 'heat_area', 'dim_area', 'cozy', 'cozy_here'],
  ...[
    'water',
    'brew',
    'which_color',
    'which_value',
    'refer_up',
    'refer_down',
    'refer_more',
    'refer_less',
    'refer_set',
  ],
  ...['more_open', 'less_open', 'refer_resume'],
  ...['refer_on', 'refer_off', 'follow', 'correct', 'state', 'which', 'level', 'measure'],
] as const;

export type HomeIntent = (typeof homeIntents)[number];

const questions = ['weather', 'state', 'which', 'level', 'measure'] as const satisfies HomeIntent[];

export type QuestionIntent = (typeof questions)[number];
type ReferenceIntent = Extract<HomeIntent, 'follow' | 'correct' | `refer_${string}`>;
export type CommandIntent = Exclude<HomeIntent, QuestionIntent | ReferenceIntent>;

export const isHomeIntent = (intent: string): intent is HomeIntent =>
  homeIntents.some((known) => known === intent);
export const isQuestionIntent = (intent: HomeIntent): intent is QuestionIntent =>
  questions.some((question) => question === intent);
export const isReferenceIntent = (intent: HomeIntent): intent is ReferenceIntent =>
  intent === 'follow' || intent === 'correct' || intent.startsWith('refer_');

/** `name`: null for a color temperature. `kelvin`: null for a color that is no white. */
export interface LightColor {
  name: string | null;
  kelvin: number | null;
}

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
  /** The color and the color temperature of lights: white has both. Null: the sentence sets neither. */
  light: LightColor | null;
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

/** The words of a sentence for the house. */
export interface HouseSentence {
  /** The sentence without "please" and similar words. */
  text: string;
  /** The spoken target, and (`bare`) without "the"; '' for none. */
  target: string;
  bare: string;
  /** The words for its kind alone: "lights" in "the lights in the kitchen". A proper name: as `bare`. */
  head: string;
  area: string;
  /** The room or floor anywhere in the sentence; '' for none. */
  place: string;
  /** The kinds that its words may mean; empty: they name no kind. */
  kinds: readonly Kind[];
  /** All of a kind in the whole house. */
  isEverywhere: boolean;
  /** It gives a place or a name. */
  isPlaced: boolean;
  /** It uses only known names. */
  isNamed: boolean;
  /** It names one among others of its kind: "the desk lamp". */
  isSpecial: boolean;
  /** It fits any room: "the lights". */
  needsRoom: boolean;
  /** It names something unknown here. Home Assistant may have another name for it. */
  isUnknown: boolean;
}

/** A sentence that names nothing. */
export const nothing: HouseSentence = {
  text: '',
  target: '',
  bare: '',
  head: '',
  area: '',
  place: '',
  kinds: [],
  isEverywhere: false,
  isPlaced: false,
  isNamed: false,
  isSpecial: false,
  needsRoom: false,
  isUnknown: false,
};

/** A question: it must never act. */
export interface UnderstoodQuestion extends HouseSentence {
  kind: 'question';
  intent: QuestionIntent;
  /** Rephrasings, in case Home Assistant does not understand the first. */
  rephrasings: readonly string[];
}

/** A sentence that refers to an earlier command: "turn it off", "and the bedroom". */
export interface UnderstoodReference extends HouseSentence {
  kind: 'reference';
  intent: ReferenceIntent;
}

interface CommandSentence extends HouseSentence {
  intent: CommandIntent;
  /** The same command for another room, with a slot for its name; null: it does not transfer. */
  elsewhere: string | null;
}

/** A command that lacks something. The person is asked for it first. */
export interface UnclearCommand extends CommandSentence {
  kind: 'unclear';
  asks: 'which_color' | 'which_scale' | 'which_value' | 'except_what';
  /**
   * The same command with its value as {value}, and with an example. No example: any thing has such a value.
   * Null: a value alone does not answer the question.
   */
  lacking: { text: string; example: UnderstoodCommand | null } | null;
}

/** A command that can be carried out as it stands. */
export interface UnderstoodCommand extends CommandSentence {
  kind: 'command';
  reach: Reach;
  /**
   * The same command entity by entity, because Home Assistant has no sentence for all of them. Null: do not
   * try it.
   */
  each: Each | null;
  /** The percent or degrees to set; null: no number. */
  setTo: number | null;
}

/** The entities that a command is for. */
type Reach =
  /** Phrasings with the same meaning, best first; {room} stands for the speaker's room. */
  | { by: 'words'; ways: readonly string[] }
  /** The same command for each of several entities: "the lamp and the fan". */
  | { by: 'parts'; parts: readonly UnderstoodCommand[] }
  /** All except those described, and those with these ids: "all lights except the kitchen". */
  | { by: 'exception'; except: readonly string[]; exceptIds?: readonly string[] }
  /** The entities that the person chose among several. */
  | { by: 'choice'; ids: readonly string[] };

export type HouseCommand = UnclearCommand | UnderstoodCommand;

/** A sentence for the house. */
export type Understood = UnderstoodQuestion | UnderstoodReference | HouseCommand;

export const isHouseCommand = (said: Understood): said is HouseCommand =>
  said.kind === 'command' || said.kind === 'unclear';
