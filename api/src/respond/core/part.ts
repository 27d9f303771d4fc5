import type { Question } from './responder.ts';

/**
 * Earlier exchanges belong to the whole sentence. A part has a separate id, because a turn does each thing
 * once.
 */
export function partOf({ turn, ...question }: Question, said: string, id: string): Question {
  return { ...question, exchanges: [], turn: { ...turn, id: `${turn.id}/${id}`, text: said } };
}

/** Ends a text as a sentence. */
export function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Skills whose sentences answer earlier turns, concern the whole conversation, or are no requests. */
export const standAlone: ReadonlySet<string> = new Set(['yes-no', 'undo', 'forget', 'help', 'talk']);
