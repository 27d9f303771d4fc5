import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Chain } from '../jobs/chain.ts';
import { ownName } from './caller.ts';
import { openCallerTurn, serverTiming } from './caller-turn.ts';
import { isOpenWebUiTask, lastUserWords } from './chat-message.ts';
import { createChatStream, toUsage } from './chat-stream.ts';
import type { Call, Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

/** So long an error may still have its own status; then a stream begins, so that the caller sees that something happens. */
const patienceMs = 2_000;

const started = Math.floor(Date.now() / 1_000);
const model = { id: 'assistant', object: 'model', created: started, owned_by: 'hearth' } as const;

/** The assistant as an OpenAI client sees it. */
export function chatRoutes({
  chain,
}: {
  chain: Chain;
}): Pick<Handlers, 'listModels' | 'getModel' | 'createChatCompletion'> {
  return {
    listModels: () => ({ object: 'list', data: [model] }),

    getModel({ path }) {
      if (path.model !== model.id) throw new AppError('model_not_found', undefined, { param: 'model' });
      return model;
    },

    createChatCompletion: (call) => (call.body.stream === true ? stream(chain, call) : complete(chain, call)),
  };
}

type ChatCall = Call<'createChatCompletion'>;

function asked({ body, headers, request }: ChatCall) {
  const text = lastUserWords(body.messages);
  const named = body.user || headers['x-openwebui-chat-id'];
  return {
    source: 'chat',
    question: { text },
    conversation: named && !isOpenWebUiTask(text) ? ownName(request.caller, named) : null,
    room: null,
  } as const;
}

async function complete(chain: Chain, call: ChatCall): Promise<components['schemas']['ChatCompletion']> {
  const { reply } = call;
  const question = asked(call);
  const { id, askedAt, start } = await openCallerTurn(chain, call);
  const turn = await start(question);
  const { text, via, finish, usage, timings } = await turn.reply;
  reply.headers({ 'server-timing': serverTiming(timings), 'x-hearth-via': via });
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
    ...(usage && { usage: toUsage(usage) }),
  };
}

async function stream(chain: Chain, call: ChatCall) {
  const { body, reply } = call;
  const question = asked(call);
  const { id, askedAt, start } = await openCallerTurn(chain, call);
  const chat = createChatStream({
    id: `chatcmpl-${id}`,
    created: Math.floor(askedAt / 1_000),
    includesUsage: body.stream_options?.include_usage === true,
  });
  try {
    const turn = await start({ ...question, onWords: chat.say });
    const patience = delay(patienceMs, undefined, { ref: false });
    const whole = await Promise.race([turn.reply, chat.begun, patience]);

    const via = whole?.via ?? chat.via();
    if (via !== null) reply.header('x-hearth-via', via);
    turn.reply.then(chat.finish, chat.fail);
  } catch (error) {
    chat.readable.destroy();
    throw error;
  }
  // A proxy that collects what it passes on would undo the streaming.
  reply.header('x-accel-buffering', 'no');
  return reply.type('text/event-stream; charset=utf-8').send(chat.readable);
}
