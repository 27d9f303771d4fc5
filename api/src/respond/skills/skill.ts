import type { Action, Recorded } from '../../actions/action-store.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { Exchange } from '../../turn/turn.ts';
import type { AskedTurn } from '../responder.ts';

/** A sentence that a skill has understood. */
export interface Ask {
  turn: AskedTurn;
  /** What was said before in this conversation, oldest first. */
  exchanges: readonly Exchange[];
  signal: AbortSignal;
  /** Resolves when the turn is certain: a skill that does something waits for it immediately before. */
  certain: () => Promise<void>;
  /** The words in a slot; none when it was left out. */
  words(slot: string): readonly Word[];
  /** The same as they were said. */
  said(slot: string): string;
}

/** One thing that a skill understands. */
export interface Intent {
  /** What it does: nothing but answer, something that can be undone, or something that cannot. */
  effect: 'none' | 'undoable' | 'final';
  /** It is a whole sentence, and may well be the beginning of a longer one: "set a timer", "for five minutes". */
  mayGoOn?: true;
  /** What is said. Null: the words fit, yet it is none of the skill's business. */
  answer(ask: Ask): string | null | Promise<string | null>;
}

/** What happens after a yes to a question that a skill has asked. */
export type OnYes = (about: Readonly<Record<string, string>>, ask: Ask) => Promise<string>;

/** How actions of one kind are told of and taken back. */
export interface ActionKind {
  /** "I added milk to the shopping list." */
  tell(action: Action, turn: AskedTurn): string;
  /** Takes it back and says so. Null: it has been taken back meanwhile. */
  undo(found: Recorded, ask: Ask): Promise<string | null>;
}

/** Fixed rules that answer whole sentences, without a model. */
export interface Skill {
  name: string;
  /** What it can do, for whoever asks; from its language file. */
  help?: string | undefined;
  /** By intent. */
  sentences: Readonly<Record<string, readonly string[]>>;
  intents: Readonly<Record<string, Intent>>;
  slotTypes?: Readonly<Record<string, SlotType>>;
  /** What happens after a yes to a question of this skill, by the question's kind. */
  onYes?: Readonly<Record<string, OnYes>>;
  /** By the action's kind. */
  actions?: Readonly<Record<string, ActionKind>>;
}
