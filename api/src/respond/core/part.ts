import type { Question } from './responder.ts';

/**
 * One part of a sentence as a separate question. Earlier exchanges belong to the whole sentence. The part
 * gets its own id, because a turn performs each action once.
 */
export function partOf({ turn, ...question }: Question, said: string, id: string): Question {
  return { ...question, exchanges: [], turn: { ...turn, id: `${turn.id}/${id}`, text: said } };
}

/** Ends a text as a sentence. */
export function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * Skills whose sentences cannot be a part: they answer earlier turns, concern the whole conversation, or
 * request nothing.
 */
export const standAlone: ReadonlySet<string> = new Set(['yes-no', 'undo', 'forget', 'help', 'talk']);
