import { AppError } from '../errors.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { TurnClient } from '../turn-client/turn-client.ts';
import { readFormat, refuseForcedCall } from './answer-format.ts';
import { openCallerTurn, serverTiming } from './caller-turn.ts';
import { saidOnly, sendEvents, streamTurn } from './chat-routes.ts';
import type { ChatTurns } from './chat-turns.ts';
import type { Call, Handlers } from './contract-routes.ts';
import { createResponseStream, responseOf } from './response-events.ts';

interface ResponsesRoutesOptions {
  turnClient: TurnClient;
  chatTurns: ChatTurns;
  /** For requests that refer to an earlier answer. */
  turns: Pick<TurnStore, 'read' | 'readReply'>;
  /** The answer to a picture, a sound or a file. */
  onlyWords: string;
}

type ResponseCall = Call<'createResponse'>;

/**
 * The assistant for clients of OpenAI's responses API, which newer ones use for plain text too. Runs the same
 * turns as chat.
 */
export function responsesRoutes(options: ResponsesRoutesOptions): Pick<Handlers, 'createResponse'> {
  return {
    createResponse(call) {
      refuseUnoffered(call.body);
      return call.body.stream === true ? stream(options, call) : complete(options, call);
    },
  };
}

/** Throws `invalid_request` for unsupported options that would change the answer. */
function refuseUnoffered({ background, conversation, prompt }: ResponseCall['body']) {
  const named = 'Name the conversation with "user" instead, and Hearth continues it.';
  const refused = [
    ['background', background === true, 'Hearth answers at once.'],
    ['conversation', conversation, named],
    ['prompt', prompt, 'Send the words in "input".'],
  ] as const;
  for (const [param, isAsked, advice] of refused) {
    if (isAsked)
      throw new AppError('invalid_request', `Hearth does not offer "${param}". ${advice}`, { param });
  }
}

function messagesOf({ input }: Pick<ResponseCall['body'], 'input'>) {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return input.map((item) => ({ role: roleOf(item), content: item.content }));
}

const instructionsOf = ({ instructions }: Record<string, unknown>) =>
  typeof instructions === 'string' ? [{ role: 'developer', content: instructions }] : [];

type InputItem = Exclude<ResponseCall['body']['input'], string>[number];

const reference = 'item_reference';

/** Items such as a call or its result have a type and no role. A reference may be just an id. */
function roleOf({ type, role, id, content }: InputItem): string {
  if (role) return role;
  if (typeof type === 'string') return type;
  return typeof id === 'string' && content === undefined ? reference : '';
}

/** Maximum number of resolved references. No prompt holds more. */
const maxItems = 80;

/**
 * Some clients refer to an answer instead of sending it. Its words are stored as long as its turn, ten
 * minutes.
 */
async function withReferred({ input }: ResponseCall['body'], turns: ResponsesRoutesOptions['turns']) {
  if (typeof input === 'string') return messagesOf({ input });
  return Promise.all(
    input.map(async (item, at) => {
      const { id, content } = item;
      const role = roleOf(item);
      const turn =
        role === reference && at >= input.length - maxItems && typeof id === 'string'
          ? /^msg_(.{1,100})$/.exec(id)?.[1]
          : undefined;
      if (turn === undefined) return { role, content };
      // An answer without its words is still an answer, so the question before it is not asked again.
      return { role: 'assistant', content: (await turns.readReply(turn))?.text ?? [{ type: reference }] };
    }),
  );
}

type Messages = Awaited<ReturnType<typeof withReferred>>;

/**
 * The exchanges before this response, oldest first. Empty: it follows no response. Throws `invalid_request`
 * for an unknown or expired response.
 */
async function messagesBefore(
  previous: string | null,
  turns: ResponsesRoutesOptions['turns'],
): Promise<Messages> {
  if (previous === null) return [];
  const id = /^resp_(.{1,100})$/.exec(previous)?.[1] ?? '';
  const [turn, reply] = await Promise.all([turns.read(id), turns.readReply(id)]);
  if (turn === undefined || reply === undefined) throw unknownResponse();
  return messagesOfTurn(turn, reply.text);
}

function messagesOfTurn({ history = [], text }: Pick<Turn, 'history' | 'text'>, answer: string): Messages {
  return [...history, { user: text ?? '', assistant: answer }].flatMap(({ user, assistant }) => [
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]);
}

function unknownResponse(): AppError {
  return new AppError(
    'invalid_request',
    'This response is unknown or has expired after ten minutes. Send the earlier messages in "input", or name the conversation with "user".',
    { param: 'previous_response_id' },
  );
}

async function questionOf(call: ResponseCall, turns: ResponsesRoutesOptions['turns']) {
  const { body, headers } = call;
  refuseForcedCall(body['tool_choice'], 'text.format');
  const named = body.user || headers['x-openwebui-chat-id'];
  // A named conversation is stored and continues by its name.
  const before = await messagesBefore(named ? null : previousOf(body), turns);
  return {
    messages: [...instructionsOf(body), ...before, ...(await withReferred(body, turns))],
    model: body.model,
    param: 'input',
    named,
    answerFormat: readFormat(body.text?.format, 'text.format'),
    unknownBefore: before.length > 0 ? unknownResponse() : undefined,
  };
}

const previousOf = ({ previous_response_id: id }: ResponseCall['body']): string | null => id || null;

async function complete(
  { turnClient, chatTurns, turns, onlyWords }: ResponsesRoutesOptions,
  call: ResponseCall,
) {
  const { reply, request } = call;
  const newTurn = await chatTurns(await questionOf(call, turns), request);
  const previous = previousOf(call.body);
  if (newTurn === null)
    return responseOf({ id: request.id, askedAt: Date.now(), previous }, saidOnly(onlyWords));
  const { remember, ...question } = newTurn;
  const opened = await openCallerTurn(turnClient, call);
  const turn = await opened.start(question);
  const { via, timings, ...completed } = await turn.reply;
  await remember({ ...completed, via, timings });
  reply.headers({ 'server-timing': serverTiming(timings), 'x-hearth-via': via });
  return responseOf({ ...opened, previous }, completed);
}

async function stream(
  { turnClient, chatTurns, turns, onlyWords }: ResponsesRoutesOptions,
  call: ResponseCall,
) {
  const { reply, request } = call;
  const question = await chatTurns(await questionOf(call, turns), request);
  const previous = previousOf(call.body);
  if (question === null) {
    const chat = createResponseStream({ id: request.id, askedAt: Date.now(), previous });
    chat.finish(saidOnly(onlyWords));
    return sendEvents(reply, chat.readable);
  }
  const opened = await openCallerTurn(turnClient, call);
  return streamTurn({ reply, opened, question, chat: createResponseStream({ ...opened, previous }) });
}
