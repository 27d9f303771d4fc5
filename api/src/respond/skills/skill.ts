import type { SlotType } from '../../language/grammar/walk.ts';
import type { Exchange } from '../../turn/turn.ts';
import type { ActionKinds } from '../household-actions.ts';
import type { OnYes } from '../household-questions.ts';
import type { AskedTurn } from '../responder.ts';
import type { SentencesOf } from './skill-language.ts';
import { readSlots, type SaidIn, type Slots, type SlotWords, typesIn } from './slot.ts';

/** A sentence that a skill has understood. */
export interface Ask {
  turn: AskedTurn;
  /** The conversation so far, oldest first. */
  exchanges: readonly Exchange[];
  signal: AbortSignal;
  /** Resolves when the turn is certain: a skill that does something waits for it immediately before. */
  certain: () => Promise<void>;
}

/** The reply. Null: the words fit, but are not meant for this skill. */
type Answer = string | null | Promise<string | null>;

/** One thing that a skill understands; `Said` holds the values of its slots. */
export interface Intent<Said> {
  /** Its effect: it only answers, it does something that can be undone, or something that cannot. */
  effect: 'none' | 'undoable' | 'final';
  /** It is a whole sentence, and may well be the beginning of a longer one: "set a timer", "for five minutes". */
  mayGoOn?: true;
  answer(ask: Ask, said: Said): Answer;
}

/** By their names, under which their sentences stand in the language file. */
export type Intents<Said> = Readonly<Record<string, Intent<Said>>>;

/** Makes intents of a skill by their effect. Name the type of its slots here: without it the compiler would not check them. */
export function intentsOf<Said = unknown>() {
  type Act = Intent<Said>['answer'];
  return {
    /** Only answers. */
    tells: (answer: Act): Intent<Said> => ({ effect: 'none', answer }),
    /** Does something that can be undone. */
    does: (answer: Act): Intent<Said> => ({ effect: 'undoable', answer }),
    /** Asks for what may still be said: "set a timer". */
    asksBack: (answer: Act): Intent<Said> => ({ effect: 'none', mayGoOn: true, answer }),
  };
}

/** Fixed rules that answer whole sentences, without a model. */
export interface Skill {
  name: string;
  /** Its abilities in words, for people who ask; from its language file. */
  help?: string | undefined;
  /** By intent. */
  sentences: Readonly<Record<string, readonly string[]>>;
  /** Each reads its slots itself. */
  intents: Readonly<Record<string, Intent<SlotWords>>>;
  slotTypes?: Readonly<Record<string, SlotType>>;
  /** The actions after a yes to its questions. */
  onYes?: OnYes;
  /** How what it has done is told of and taken back. */
  actions?: ActionKinds;
}

interface SkillOptions<S extends Slots>
  extends Pick<Skill, 'name' | 'help' | 'onYes' | 'actions' | 'slotTypes'> {
  /** Reads the sentences of its intents from the language file. */
  sentencesOf: SentencesOf;
  slots: S;
  intents: Intents<SaidIn<NoInfer<S>>>;
}

/** A skill from its slots and its intents. */
export function defineSkill<S extends Slots>(options: SkillOptions<S>): Skill {
  const { sentencesOf, slots, intents, slotTypes, ...rest } = options;
  const reading = ([name, intent]: [string, Intent<SaidIn<S>>]): [string, Intent<SlotWords>] => [
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
