import type { Question } from '../responder.ts';

/** What was said before belongs to the sentence as a whole. A part has an id of its own, for a turn does each thing once. */
export function partOf({ turn, ...question }: Question, said: string, id: string): Question {
  return { ...question, exchanges: [], turn: { ...turn, id: `${turn.id}/${id}`, text: said } };
}

/** As a sentence. */
export function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Skills whose sentences answer to what was said before, concern the whole conversation, or are no requests. */
export const standAlone: ReadonlySet<string> = new Set(['yes-no', 'undo', 'forget', 'help', 'talk']);
