import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { ActionKinds } from './household-actions.ts';
import type { OnYes } from './household-questions.ts';
import type { Answer, Ask } from './responder.ts';
import type { SentencesOf } from './skill-language.ts';
import { readSlots, type Slots, type SlotValues, type SlotWords, typesIn } from './slot.ts';

export type { Ask };

/** The text, and the version for the conversation if that differs. */
export type SkillReply = string | Pick<Answer, 'text' | 'kept'>;

/** Null: the words match, but are not for this skill. */
type MaybeReply = SkillReply | null;

/** One meaning that a skill understands. `Said` is the type of its slot values. */
export interface Intent<Said> {
  /** Its effect: only an answer, a reversible action, or an irreversible one. */
  effect: 'none' | 'undoable' | 'final';
  /** It is a whole sentence, but may be the start of a longer one: "set a timer", "for five minutes". */
  mayGoOn?: true;
  /** It only answers a question of its skill: "five minutes", "in the kitchen". */
  isReply?: true;
  /** It withdraws a request, also in the same sentence: "set a timer. Never mind." */
  isWithdrawal?: true;
  answer(ask: Ask, said: Said): MaybeReply | Promise<MaybeReply>;
}

/** By name; the language file lists their sentences under it. */
type Intents<Said> = Readonly<Record<string, Intent<Said>>>;

/**
 * Creates a skill's intents by effect. Pass the type of the slots here, or the compiler does not check them.
 */
export function intentsOf<Said = unknown>() {
  type Act = Intent<Said>['answer'];
  return {
    /** Only answers. */
    tells: (answer: Act): Intent<Said> => ({ effect: 'none', answer }),
    /** Performs a reversible action. */
    does: (answer: Act): Intent<Said> => ({ effect: 'undoable', answer }),
    /** Asks for missing details: "set a timer". */
    asksBack: (answer: Act): Intent<Said> => ({ effect: 'none', mayGoOn: true, answer }),
  };
}

/** A phrase with its name in a sentence: "in the BEDROOM". */
export interface AdjunctPhrase {
  from: number;
  to: number;
  /** Start of the name. It ends with the phrase. */
  nameAt: number;
  /** The name is known. An unknown name counts only if the sentence makes no sense with it. */
  isKnown: boolean;
}

/** A phrase that may stand anywhere in the sentences of some intents. */
export interface Adjunct {
  /** The slot that its name fills. */
  slot: string;
  intents: readonly string[];
  /** Slots of free text. An unknown name directly after one belongs to it. */
  textSlots: readonly string[];
  find(words: readonly Word[]): readonly AdjunctPhrase[];
}

/** Fixed rules that answer whole sentences, without a model. */
export interface Skill {
  name: string;
  /** A description of its abilities for users, from its language file. */
  help?: string | undefined;
  /** By intent. */
  sentences: Readonly<Record<string, readonly string[]>>;
  /** Each intent reads its own slots. */
  intents: Readonly<Record<string, Intent<SlotWords>>>;
  slotTypes?: Readonly<Record<string, SlotType>>;
  adjuncts?: readonly Adjunct[];
  /** The actions after a yes to its questions. */
  onYes?: OnYes;
  /**
   * Reads the answer to its question "which one?", in words that are no sentence of it: "pasta". Null: no
   * such question is open, or the words choose nothing.
   */
  choose?: (ask: Ask) => Promise<string | null>;
  /** How to report and undo its actions. */
  actions?: ActionKinds;
}

interface SkillOptions<S extends Slots>
  extends Pick<Skill, 'name' | 'help' | 'onYes' | 'choose' | 'actions' | 'slotTypes' | 'adjuncts'> {
  /** Reads the sentences of its intents from the language file. */
  sentencesOf: SentencesOf;
  slots: S;
  intents: Intents<SlotValues<NoInfer<S>>>;
}

/** Builds a skill from its slots and intents. */
export function defineSkill<S extends Slots>(options: SkillOptions<S>): Skill {
  const { sentencesOf, slots, intents, slotTypes, ...rest } = options;
  const reading = ([name, intent]: [string, Intent<SlotValues<S>>]): [string, Intent<SlotWords>] => [
    name,
    { ...intent, answer: (ask, filled) => intent.answer(ask, readSlots(slots, filled, ask.turn.text)) },
  ];
  return {
    ...rest,
    sentences: sentencesOf(Object.keys(intents)),
    slotTypes: { ...typesIn(slots), ...slotTypes },
    intents: Object.fromEntries(Object.entries(intents).map(reading)),
  };
}

/** The text of an intent's reply to a sentence without slots. Null: it has none. */
export async function replyOf(
  { intents }: Pick<Skill, 'intents'>,
  intent: string,
  ask: Ask,
): Promise<string | null> {
  const reply = (await intents[intent]?.answer(ask, new Map())) ?? null;
  return typeof reply === 'string' ? reply : (reply?.text ?? null);
}
