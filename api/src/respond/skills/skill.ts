import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { Exchange } from '../../turn/turn.ts';
import type { OnYes } from '../asked-back.ts';
import type { ActionKinds } from '../household-actions.ts';
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

/** Fixed rules that answer whole sentences, without a model. */
export interface Skill {
  name: string;
  /** What it can do, for whoever asks; from its language file. */
  help?: string | undefined;
  /** By intent. */
  sentences: Readonly<Record<string, readonly string[]>>;
  intents: Readonly<Record<string, Intent>>;
  slotTypes?: Readonly<Record<string, SlotType>>;
  /** What happens after a yes to its questions. */
  onYes?: OnYes;
  /** How what it has done is told of and taken back. */
  actions?: ActionKinds;
}
