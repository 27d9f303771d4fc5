import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import type { Reply } from '../turn/turn.ts';
import type { TurnClient } from '../turn-client/turn-client.ts';
import { readFormat, refuseForcedCall } from './answer-format.ts';
import { openCallerTurn, serverTiming } from './caller-turn.ts';
import { createChatStream, toUsage } from './chat-stream.ts';
import type { ChatTurn, ChatTurns } from './chat-turns.ts';
import type { Call, Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { modelName, roomOfModel } from './model-name.ts';

/**
 * Time in which an error still gets its own status. After it, a stream starts to show the caller progress.
 */
const patienceMs = 2_000;

const started = Math.floor(Date.now() / 1_000);
const modelOf = (id: string) => ({ id, object: 'model', created: started, owned_by: 'hearth' }) as const;

interface ChatRoutesOptions {
  turnClient: TurnClient;
  chatTurns: ChatTurns;
  /** The answer to a picture, a sound or a file. */
  onlyWords: string;
}

/** The assistant's API for OpenAI clients. */
export function chatRoutes(
  options: ChatRoutesOptions,
): Pick<Handlers, 'listModels' | 'getModel' | 'createChatCompletion'> {
  return {
    listModels: () => ({ object: 'list', data: [modelOf(modelName)] }),

    getModel({ path }) {
      if (path.model !== modelName && roomOfModel(path.model) === null)
        throw new AppError('model_not_found', undefined, { param: 'model' });
      return modelOf(path.model);
    },

    createChatCompletion(call) {
      return call.body.stream === true ? stream(options, call) : complete(options, call);
    },
  };
}

type ChatCall = Call<'createChatCompletion'>;

function questionOf({ body, headers }: ChatCall) {
  refuseForcedCall(body['tool_choice'], 'response_format');
  return {
    messages: body.messages,
    model: body.model,
    param: 'messages',
    named: body.user || headers['x-openwebui-chat-id'],
    answerFormat: readFormat(body.response_format, 'response_format'),
  };
}

type CompletedReply = Pick<Reply, 'text' | 'finish' | 'usage'>;

/** The reply to content that is not a question in words. */
export const saidOnly = (text: string): CompletedReply => ({ text, finish: 'stop', usage: null });

async function complete(
  { turnClient, chatTurns, onlyWords }: ChatRoutesOptions,
  call: ChatCall,
): Promise<components['schemas']['ChatCompletion']> {
  const { reply, request } = call;
  const newTurn = await chatTurns(questionOf(call), request);
  if (newTurn === null) return completionOf({ id: request.id, askedAt: Date.now() }, saidOnly(onlyWords));
  const { remember, ...question } = newTurn;
  const opened = await openCallerTurn(turnClient, call);
  const turn = await opened.start(question);
  const { via, timings, ...completed } = await turn.reply;
  await remember({ ...completed, via, timings });
  reply.headers({ 'server-timing': serverTiming(timings), 'x-hearth-via': via });
  return completionOf(opened, completed);
}

function completionOf(
  { id, askedAt }: { id: string; askedAt: number },
  { text, finish, usage }: CompletedReply,
): components['schemas']['ChatCompletion'] {
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: Math.floor(askedAt / 1_000),
    model: 'assistant',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: toUsage(usage),
  };
}

async function stream({ turnClient, chatTurns, onlyWords }: ChatRoutesOptions, call: ChatCall) {
  const { body, reply, request } = call;
  const open = ({ id, askedAt }: { id: string; askedAt: number }) =>
    createChatStream({
      id: `chatcmpl-${id}`,
      created: Math.floor(askedAt / 1_000),
      includesUsage: body.stream_options?.include_usage === true,
    });
  const question = await chatTurns(questionOf(call), request);
  if (question === null) {
    const chat = open({ id: request.id, askedAt: Date.now() });
    chat.finish(saidOnly(onlyWords));
    return sendEvents(reply, chat.readable);
  }
  const opened = await openCallerTurn(turnClient, call);
  return streamTurn({ reply, opened, question, chat: open(opened) });
}

interface StreamedTurn {
  reply: FastifyReply;
  opened: Awaited<ReturnType<typeof openCallerTurn>>;
  question: ChatTurn;
  chat: Pick<ReturnType<typeof createChatStream>, 'say' | 'begun' | 'via' | 'finish' | 'fail' | 'readable'>;
}

/** Starts a turn and streams its answer. An early error has its own status; a later one is an event. */
export async function streamTurn({
  reply,
  opened,
  question: { remember, ...question },
  chat,
}: StreamedTurn): Promise<FastifyReply> {
  try {
    const turn = await opened.start({ ...question, onWords: chat.say });
    const patience = delay(patienceMs, undefined, { ref: false });
    const whole = await Promise.race([turn.reply, chat.begun, patience]);

    const via = whole?.via ?? chat.via();
    if (via !== null) reply.header('x-hearth-via', via);
    turn.reply
      .then(async (completed) => {
        await remember(completed);
        chat.finish(completed);
      })
      .catch(chat.fail);
  } catch (error) {
    chat.readable.destroy();
    throw error;
  }
  return sendEvents(reply, chat.readable);
}

export function sendEvents(reply: FastifyReply, events: Readable): FastifyReply {
  // Stops a buffering proxy from undoing the streaming.
  reply.header('x-accel-buffering', 'no');
  return reply.type('text/event-stream; charset=utf-8').send(events);
}
