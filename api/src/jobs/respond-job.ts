import { AppError } from '../errors.ts';
import { createContextLine } from '../respond/prompt.ts';
import { firstAnswer, type Responder } from '../respond/responder.ts';
import type { ConversationStore, History } from '../turn/conversation-store.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';

interface RespondJobOptions {
  turns: TurnStore;
  conversations: ConversationStore;
  /** In the order in which they are asked. */
  responders: readonly Responder[];
  timeZone: string;
}

const nothingBefore: History = { exchanges: [], from: 0 };

/** The respond stage: a question to its reply, kept in the conversation in the same moment in which the turn is done. */
export function createRespondJob({ turns, conversations, responders, timeZone }: RespondJobOptions) {
  const contextLine = createContextLine(timeZone);

  return async (turn: Turn, signal: AbortSignal): Promise<void> => {
    const history = turn.conversation === null ? nothingBefore : await conversations.read(turn.conversation);
    const message = `${contextLine(turn)} ${turn.text}`;

    const say = turn.streams ? teller(turns, turn) : () => undefined;
    const question = { turn, message, exchanges: history.exchanges, signal };
    const answer = await firstAnswer(responders, question, say);
    if (!answer)
      throw new AppError(
        'llm_unavailable',
        'The language model is switched off, and nothing else can answer that.',
      );

    const { dropped, ...reply } = answer;
    const isKept = await turns.finish(turn, {
      reply,
      exchange: { user: message, assistant: reply.text },
      promptFrom: history.from + dropped,
    });
    if (!isKept) throw new AppError('turn_cancelled');
  };
}

/**
 * Passes words on as they come: the first at once, and what comes while they are on their way to Redis together after them, so that a fast engine
 * never fills a queue. Words that are lost cost nothing: the end of the turn brings the whole reply.
 */
function teller(turns: TurnStore, turn: Turn): (words: string, via: string) => void {
  let seq = 0;
  let waiting = '';
  let isSending = false;

  const send = async (via: string) => {
    isSending = true;
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      await turns.tellDelta(turn, { seq, text, via }).catch(() => undefined);
      seq += 1;
    }
    isSending = false;
  };

  return (words, via) => {
    waiting += words;
    if (!isSending) void send(via);
  };
}
