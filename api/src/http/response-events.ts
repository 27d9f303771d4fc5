import { PassThrough, type Readable } from 'node:stream';
import { toAppError } from '../errors.ts';
import type { Reply } from '../turn/turn.ts';
import type { components } from './contract-types.ts';
import { keepAliveComment } from './event-stream.ts';

type Response = components['schemas']['ResponseObject'];
type Message = components['schemas']['ResponseMessage'];

/** Proxies and clients consider a silent connection dead. */
const keepAliveMs = 5_000;

interface ResponseHead {
  /** The turn id. */
  id: string;
  /** Unix time in ms. */
  askedAt: number;
  /** The response that it follows. */
  previous: string | null;
}

/** A reply in the format of OpenAI's responses. Without `reply`, the reply is still in progress. */
export function responseOf(
  { id, askedAt, previous }: ResponseHead,
  reply?: Pick<Reply, 'text' | 'finish' | 'usage'>,
): Response {
  const isCut = reply?.finish === 'length';
  const ended = isCut ? 'incomplete' : 'completed';
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(askedAt / 1_000),
    status: reply ? ended : 'in_progress',
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    model: 'assistant',
    output: reply ? [messageOf(id, reply.text, ended)] : [],
    parallel_tool_calls: false,
    previous_response_id: previous,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: reply ? usageOf(reply.usage) : null,
  };
}

function messageOf(id: string, text: string | null, status: Message['status']): Message {
  const content = text === null ? [] : [partOf(text)];
  return { id: `msg_${id}`, type: 'message', status, role: 'assistant', content };
}

function partOf(text: string): Message['content'][number] {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function usageOf(usage: Reply['usage']): NonNullable<Response['usage']> {
  const { prompt, cached, answer } = usage ?? { prompt: 0, cached: 0, answer: 0 };
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: answer,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: prompt + answer,
  };
}

/**
 * Streams a reply as events of OpenAI's responses. The length of a reply is limited, so the unsent data is
 * too.
 */
export function createResponseStream(head: ResponseHead) {
  const stream = new PassThrough();
  const begun = Promise.withResolvers<void>();
  const place = { item_id: `msg_${head.id}`, output_index: 0, content_index: 0 };
  let sequence = 0;
  let sent = '';
  let via: string | null = null;

  const tell = (type: string, event: object) => {
    stream.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...event })}\n\n`,
    );
  };
  const say = (words: string) => {
    if (words === '') return;
    sent += words;
    tell('response.output_text.delta', { ...place, delta: words, logprobs: [] });
  };
  const keepAlive = setInterval(() => stream.write(keepAliveComment('thinking')), keepAliveMs);
  stream.once('close', () => clearInterval(keepAlive));
  const end = () => {
    clearInterval(keepAlive);
    stream.end();
  };

  tell('response.created', { response: responseOf(head) });
  tell('response.in_progress', { response: responseOf(head) });
  tell('response.output_item.added', {
    output_index: 0,
    item: messageOf(head.id, null, 'in_progress'),
  });
  tell('response.content_part.added', { ...place, part: partOf('') });

  return {
    readable: stream as Readable,
    /** Settles with the first words. */
    begun: begun.promise,
    /** The responder that writes; null until the first words. */
    via: () => via,
    say(words: string, from: string): void {
      via = from;
      say(words);
      begun.resolve();
    },
    /** Ends the stream. Sends words that were lost on the way from the full reply. */
    finish(reply: Pick<Reply, 'text' | 'finish' | 'usage'>): void {
      if (reply.text.startsWith(sent)) say(reply.text.slice(sent.length));
      const whole = responseOf(head, reply);
      tell('response.output_text.done', { ...place, text: reply.text, logprobs: [] });
      tell('response.content_part.done', { ...place, part: partOf(reply.text) });
      tell('response.output_item.done', { output_index: 0, item: whole.output[0] });
      tell(`response.${whole.status}`, { response: whole });
      end();
    },
    /** Ends the stream with an error. */
    fail(thrown: unknown): void {
      const { code, message } = toAppError(thrown);
      const error = { code: 'server_error', message: `${message} (${code})` };
      tell('response.failed', { response: { ...responseOf(head), status: 'failed', error } });
      end();
    },
  };
}
