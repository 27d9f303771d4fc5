import type { KnownAnswers } from '../turn/known-answers.ts';
import type { Sight } from '../turn/shown-pictures.ts';
import type { AnswerFormat, Reply } from '../turn/turn.ts';
import { roomOfModel } from './asked-model.ts';
import { identityOf, ownName } from './caller.ts';
import { hasMoreThanWords, isOpenWebUiTask, lastUserWords, toldBefore } from './chat-message.ts';
import { shownPictures } from './chat-pictures.ts';
import type { Call } from './contract-routes.ts';

interface ChatQuestion {
  messages: Parameters<typeof toldBefore>[0];
  /** As the caller names it: it may name the room. */
  model: unknown;
  /** The field that the messages came in. */
  param: string;
  /** Names the conversation. */
  named: string | null | undefined;
  answerFormat: AnswerFormat | undefined;
}

interface ChatTurnsOptions extends Sight {
  known: KnownAnswers;
}

type Remembered = Pick<Reply, 'text' | 'via' | 'timings'>;

/** The name under which the language model answers. */
const modelVia = 'local';

export type ChatTurns = ReturnType<typeof createChatTurns>;
export type ChatTurn = NonNullable<Awaited<ReturnType<ChatTurns>>>;

/**
 * The turn of a question in a chat. Where nothing names the conversation, it goes on from those exchanges that the caller sends along and that were
 * ours; what anybody else made up does not count. Null: the question holds more than words, which nobody here can take in.
 */
export function createChatTurns({ known, sees, aboutPictures }: ChatTurnsOptions) {
  return async (
    { messages, model, param, named, answerFormat }: ChatQuestion,
    { caller }: Call<'createChatCompletion'>['request'],
  ) => {
    if (hasMoreThanWords(messages, { sees: sees() })) return null;
    const pictures = sees() ? shownPictures(messages, param) : undefined;
    const text = lastUserWords(messages, param, pictures?.when === 'now' ? aboutPictures : '');
    const isTask = isOpenWebUiTask(text);
    const conversation = named && !isTask ? ownName(caller, named) : null;
    const standsAlone = conversation === null && !isTask;
    const who = identityOf(caller);
    return {
      source: 'chat',
      question: { text },
      conversation,
      room: roomOfModel(model),
      answerFormat,
      pictures,
      history: standsAlone ? await known.among(who, toldBefore(messages)) : [],
      /** To be called before the caller has the answer, for it may ask on at once. Never rejects. */
      remember: async ({ text: answer, via, timings }: Remembered): Promise<void> => {
        const isOurs = via !== modelVia || timings.tools !== undefined;
        if (standsAlone) await known.add(who, { question: text, answer, isOurs }).catch(() => undefined);
      },
    } as const;
  };
}
