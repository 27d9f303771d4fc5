import type { AskedTurn } from '../responder.ts';

/** The turn in which something is to be done in the house. */
export interface HomeAsk {
  turn: AskedTurn;
  signal: AbortSignal;
  /** Resolves when the turn is certain. Nothing that can act is sent before. */
  certain: () => Promise<void>;
}

/** The result of a command. */
export interface HomeResult {
  /** Whether it was done, and the house says so too. */
  ok: boolean;
  /** A sentence that tells the result, to be spoken as it is. */
  text: string;
}

/** It was not done; the text says why. */
export function no(text: string): HomeResult {
  return { ok: false, text };
}
