import { z } from 'zod';

export const turnSources = ['ask', 'chat'] as const;

/** One exchange: from what was asked to the end of the reply. */
export interface Turn {
  id: string;
  /** How the question came in. */
  source: (typeof turnSources)[number];
  /** What was asked. */
  text: string;
  /** The conversation's name; null = the turn stands alone and nothing of it is kept. */
  conversation: string | null;
  room: string | null;
  /** Unix time in ms. */
  createdAt: number;
  /** Unix time in ms after which nobody waits for the answer any more. */
  deadlineAt: number;
  /** The api process that waits for the answer. */
  replyTo: string;
  /** Whether the words are wanted as they are written, not only at the end. */
  streams: boolean;
}

const states = ['waiting', 'responding', 'done', 'failed', 'cancelled'] as const;
export type TurnState = (typeof states)[number];

/** The legal moves. A state without one is an end: what is there stays. */
const moves: Readonly<Record<TurnState, readonly TurnState[]>> = {
  waiting: ['responding', 'failed', 'cancelled'],
  responding: ['done', 'failed', 'cancelled'],
  done: [],
  failed: [],
  cancelled: [],
};

/** The states from which `to` may be reached. */
export function statesBefore(to: TurnState): TurnState[] {
  return states.filter((from) => moves[from].includes(to));
}

export const exchangeSchema = z.object({
  /** The user message exactly as it was sent, context line included: the next prompt must begin with the same bytes. */
  user: z.string(),
  assistant: z.string(),
});

/** A question and its answer, as the language model saw and wrote them. */
export type Exchange = z.infer<typeof exchangeSchema>;

/** The parts of a turn whose time is told, in ms. */
export const timedParts = ['queue', 'llm-first', 'llm', 'total'] as const;

export const replySchema = z.object({
  text: z.string(),
  /** The responder that answered. */
  via: z.string(),
  /** `length`: the answer was cut off because it grew too long. */
  finish: z.enum(['stop', 'length']),
  /** Tokens as the engine counted them; null when no engine was asked, or it does not count. */
  usage: z.object({ prompt: z.number(), cached: z.number(), answer: z.number() }).nullable(),
  timings: z.partialRecord(z.enum(timedParts), z.number()),
});

export type Reply = z.infer<typeof replySchema>;
export type Timings = Reply['timings'];
