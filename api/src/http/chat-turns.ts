import type { Exchange } from '../conversations/exchange.ts';
import type { KnownAnswers } from '../conversations/known-answers.ts';
import { AppError } from '../errors.ts';
import type { PictureSupport } from '../turn/shown-pictures.ts';
import type { AnswerFormat, ModelOnly, Reply } from '../turn/turn.ts';
import { identityOf, ownName } from './caller.ts';
import {
  earlierExchanges,
  endOfChat,
  hasMoreThanWords,
  isClientTask,
  lastUserWords,
  type MessagesEnd,
} from './chat-message.ts';
import { shownPictures } from './chat-pictures.ts';
import type { Call } from './contract-routes.ts';
import { roomOfModel } from './model-name.ts';

interface ChatQuestion {
  messages: Parameters<typeof earlierExchanges>[0];
  /** The model name from the caller, which may contain the room. */
  model: unknown;
  /** The request field with the messages. */
  param: string;
  /** The conversation's name. */
  named: string | null | undefined;
  answerFormat: AnswerFormat | undefined;
  /** Thrown unless the exchange before the question is ours with this caller. Undefined: no check. */
  unknownBefore?: AppError | undefined;
}

interface ChatTurnsOptions extends PictureSupport {
  known: KnownAnswers;
  /** The prompt that asks the language model to continue its last answer. */
  goOn: string;
}

type Remembered = Pick<Reply, 'text' | 'via' | 'timings'>;

/** The responder name of the language model. */
const modelVia = 'local';

export type ChatTurns = ReturnType<typeof createChatTurns>;
export type ChatTurn = NonNullable<Awaited<ReturnType<ChatTurns>>>;

/**
 * Turns a chat question into a turn. Without a conversation name, it continues from sent exchanges that
 * Hearth itself answered. Exchanges from other sources do not count.
 * Null: the question contains more than words, which Hearth cannot process. Throws `invalid_request` if the
 * last question was already answered: no action runs twice.
 */
export function createChatTurns({ known, goOn, ...sight }: ChatTurnsOptions) {
  /**
   * The answers Hearth gave this caller in this chat. Throws if the answer to continue is not Hearth's own.
   */
  const historyOf = async (
    who: string,
    { messages, param, unknownBefore }: ChatQuestion,
    isMore: boolean,
  ) => {
    const exchanges = earlierExchanges(isMore ? [...messages, { role: 'user', content: goOn }] : messages);
    const history = await known.among(who, exchanges);
    const last = exchanges.at(-1);
    if (unknownBefore && !isLast(history, last)) throw unknownBefore;
    if (!isMore) return { history, before: '' };
    if (!last || !isLast(history, last)) throw nothingToContinue(param);
    return { history, before: last.answer };
  };

  return async (question: ChatQuestion, { caller }: Call<'createChatCompletion'>['request']) => {
    const { messages, model, param, named, answerFormat } = question;
    const end = endOfChat(messages);
    if (end === 'question' && hasMoreThanWords(messages, { sees: sight.sees() })) return null;
    const { text, pictures } = askedIn(question, sight);
    if (end === 'result') throw answeredAlready(param);
    const modelOnly = modelOnlyOf(messages, end);
    const isMore = modelOnly === 'more';
    const conversation = named && modelOnly !== 'task' ? ownName(caller, named) : null;
    const standsAlone = conversation === null && modelOnly !== 'task';
    const who = identityOf(caller);
    const { history, before } = standsAlone
      ? await historyOf(who, question, isMore)
      : { history: [], before: '' };
    return {
      source: 'chat',
      question: { text: isMore ? goOn : text },
      conversation,
      room: roomOfModel(model),
      answerFormat,
      modelOnly,
      pictures: isMore ? undefined : pictures,
      history,
      /** Call this before the caller gets the answer: it may ask again immediately. Never rejects. */
      remember: async ({ text: answer, via, timings }: Remembered): Promise<void> => {
        const isOurs = via !== modelVia || timings.tools !== undefined;
        const whole = { question: text, answer: `${before}${answer}`, isOurs };
        if (standsAlone) await known.add(who, whole).catch(() => undefined);
      },
    } as const;
  };
}

/** The last user message. Throws `no_user_message` if there is none. */
function askedIn({ messages, param }: ChatQuestion, { sees, aboutPictures }: PictureSupport) {
  const pictures = sees() ? shownPictures(messages, param) : undefined;
  return { pictures, text: lastUserWords(messages, param, pictures?.when === 'now' ? aboutPictures : '') };
}

function isLast(history: readonly Exchange[], exchange: { answer: string } | undefined): boolean {
  return exchange !== undefined && history.at(-1)?.assistant === exchange.answer;
}

function modelOnlyOf(messages: ChatQuestion['messages'], end: MessagesEnd): ModelOnly | undefined {
  if (isClientTask(messages)) return 'task';
  return end === 'answer' ? 'more' : undefined;
}

function answeredAlready(param: string): AppError {
  return new AppError(
    'invalid_request',
    'The last message is a tool call or a tool result. Hearth runs its own tools and has already answered that question. End with a user message.',
    { param },
  );
}

function nothingToContinue(param: string): AppError {
  return new AppError(
    'invalid_request',
    'The last message is an answer that Hearth did not give here, so it cannot continue it. End with a user message.',
    { param },
  );
}
