import type { KnownAnswers } from '../turn/known-answers.ts';
import type { AnswerFormat, Reply } from '../turn/turn.ts';
import { identityOf, ownName } from './caller.ts';
import { isOpenWebUiTask, lastUserWords, toldBefore } from './chat-message.ts';
import type { Call } from './contract-routes.ts';

interface ChatQuestion {
  messages: Parameters<typeof toldBefore>[0];
  /** The field that the messages came in. */
  param: string;
  /** Names the conversation. */
  named: string | null | undefined;
  answerFormat: AnswerFormat | undefined;
}

export type ChatTurns = ReturnType<typeof createChatTurns>;
export type ChatTurn = Awaited<ReturnType<ChatTurns>>;

/**
 * The turn of a question in a chat. Where nothing names the conversation, it goes on from those exchanges that the caller sends along and that were
 * ours; what anybody else made up does not count.
 */
export function createChatTurns(known: KnownAnswers) {
  return async (
    { messages, param, named, answerFormat }: ChatQuestion,
    { caller }: Call<'createChatCompletion'>['request'],
  ) => {
    const text = lastUserWords(messages, param);
    const isTask = isOpenWebUiTask(text);
    const conversation = named && !isTask ? ownName(caller, named) : null;
    const standsAlone = conversation === null && !isTask;
    const who = identityOf(caller);
    return {
      source: 'chat',
      question: { text },
      conversation,
      room: null,
      answerFormat,
      history: standsAlone ? await known.among(who, toldBefore(messages)) : [],
      /** To be called before the caller has the answer, for it may ask on at once. Never rejects. */
      remember: async ({ text: answer }: Pick<Reply, 'text'>): Promise<void> => {
        if (standsAlone) await known.add(who, { question: text, answer }).catch(() => undefined);
      },
    } as const;
  };
}
