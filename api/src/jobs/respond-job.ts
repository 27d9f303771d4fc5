import { AppError } from '../errors.ts';
import { contextLine } from '../respond/prompt.ts';
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
  return async (turn: Turn, signal: AbortSignal): Promise<void> => {
    const history = turn.conversation === null ? nothingBefore : await conversations.read(turn.conversation);
    const message = `${contextLine(turn, timeZone)} ${turn.text}`;

    const answer = await firstAnswer(responders, { turn, message, exchanges: history.exchanges, signal });
    if (!answer)
      throw new AppError(
        'llm_unavailable',
        'The language model is switched off, and nothing else can answer that.',
      );

    const { text, via, timings, dropped } = answer;
    await turns.finish(turn, {
      reply: { text, via, timings },
      exchange: { user: message, assistant: text },
      promptFrom: history.from + dropped,
    });
  };
}
