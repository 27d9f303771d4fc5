import type { AskedTurn } from '../responder.ts';

/** For whom something is to be done in the house. */
export interface HomeAsk {
  turn: AskedTurn;
  signal: AbortSignal;
  /** Resolves when the turn is certain: nothing is sent that can act before. */
  certain: () => Promise<void>;
}

/** What came of a command. */
export interface HomeResult {
  /** Whether it was done, and the house says so too. */
  ok: boolean;
  /** A sentence that says what came of it, to be spoken as it is. */
  text: string;
}

/** It was not done, and why. */
export function no(text: string): HomeResult {
  return { ok: false, text };
}
