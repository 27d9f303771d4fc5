import type { Question, TextTurn } from '../core/responder.ts';

/** The turn of a command to the house. */
export interface HomeAsk {
  turn: TextTurn;
  signal: AbortSignal;
  /** Resolves when the turn is confirmed. Nothing that acts is sent before. */
  beginActing: () => Promise<void>;
  /** The earlier conversation. Missing: the command is not part of one. */
  exchanges?: Question['exchanges'];
  /** The command has a time, which a follow-up question would lose. So it asks nothing. */
  asksNothing?: true;
}

/** The result of a command. */
export interface HomeResult {
  /** Whether it was done, and the house confirms it. */
  ok: boolean;
  /** A sentence with the result, spoken unchanged. */
  text: string;
  /** The version for the conversation, if the text contains text from outside. */
  kept?: string;
  /** The entities that an answer named or a command changed: the next sentence may call them "it". */
  about?: readonly { id: string; name: string }[];
  /** The reply says that a room or an entity is unknown or cannot do that. Nothing was done. */
  isDenial?: boolean;
  /** Home Assistant failed. Whether the command was carried out may be unknown. */
  isFault?: boolean;
}

/** The command was not carried out; the text gives the reason. */
export function no(text: string): HomeResult {
  return { ok: false, text };
}

/** A refusal that may be wrong until all names of the house have arrived. */
export function denial(text: string): HomeResult {
  return { ok: false, text, isDenial: true };
}
