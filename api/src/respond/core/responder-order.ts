import type { Responder } from './responder.ts';

/** The order in which responders are asked: the first that accepts a question answers it. */
const order = [
  'silence',
  'routines',
  'laterCancelling',
  'calendar',
  'listAnswers',
  'jokeFollowUps',
  'skills',
  'reminderSubject',
  'announcementText',
  'later',
  'several',
  'homeInWords',
  'homeCorrection',
  'nearAtHome',
  'home',
  'near',
  'records',
  'music',
  'notConnected',
  'lastSkills',
  'reason',
  'notUnderstood',
  'unsupported',
  'askAgain',
  'askBack',
] as const;

/** Responders by their place in the order. Absent: this household or language lacks it. */
export type PlacedResponders<R extends Responder = Responder> = Record<
  (typeof order)[number],
  R | readonly R[] | null | undefined
>;

export function inOrder<R extends Responder>(responders: Partial<PlacedResponders<R>>): R[] {
  return order.flatMap((place) => responders[place] ?? []);
}
