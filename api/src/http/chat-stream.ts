import { PassThrough, type Readable } from 'node:stream';
import { toAppError } from '../errors.ts';
import type { Reply } from '../turn/turn.ts';
import type { components } from './contract-types.ts';
import { keepAliveComment } from './event-stream.ts';

type Chunk = components['schemas']['ChatChunk'];
type Usage = components['schemas']['ChatUsage'];

/** Proxies and clients take a silent connection for a dead one. */
const keepAliveMs = 5_000;

interface ChatStreamOptions {
  id: string;
  created: number;
  includesUsage: boolean;
}

/**
 * A reply as it is written, in the events of the chat completions format. A reply is bounded, and so is what
 * can wait here to be sent.
 */
export function createChatStream({ id, created, includesUsage }: ChatStreamOptions) {
  const stream = new PassThrough();
  const begun = Promise.withResolvers<void>();
  let sent = '';
  let via: string | null = null;

  const send = (choices: Chunk['choices'], usage?: Usage | null) => {
    const chunk: Chunk = { id, object: 'chat.completion.chunk', created, model: 'assistant', choices };
    const withUsage = includesUsage ? { ...chunk, usage: usage ?? null } : chunk;
    stream.write(`data: ${JSON.stringify(withUsage)}\n\n`);
  };
  const choice = (
    delta: Chunk['choices'][number]['delta'],
    finish: Chunk['choices'][number]['finish_reason'] = null,
  ): Chunk['choices'] => [{ index: 0, delta, logprobs: null, finish_reason: finish }];

  const say = (words: string) => {
    if (words === '') return;
    sent += words;
    send(choice({ content: words }));
  };

  send(choice({ role: 'assistant', content: '' }));
  const keepAlive = setInterval(() => stream.write(keepAliveComment('thinking')), keepAliveMs);
  stream.once('close', () => clearInterval(keepAlive));
  /** A slow reader has not closed it by the next keep-alive. */
  const end = (last: string) => {
    clearInterval(keepAlive);
    stream.end(last);
  };

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
    /** Ends the stream; words that were lost on the way come from the whole reply. */
    finish({ text, finish, usage }: Pick<Reply, 'text' | 'finish' | 'usage'>): void {
      if (text.startsWith(sent)) say(text.slice(sent.length));
      send(choice({}, finish));
      if (includesUsage) send([], toUsage(usage));
      end('data: [DONE]\n\n');
    },
    /** Ends the stream with an error; without `[DONE]`, for the answer is not whole. */
    fail(thrown: unknown): void {
      end(`data: ${JSON.stringify(toAppError(thrown).toBody())}\n\n`);
    },
  };
}

/**
 * What the language model has read and written. Zero where it took no part or does not count: clients add it
 * up, and some end where it is missing.
 */
export function toUsage(usage: Reply['usage']): Usage {
  const { prompt, cached, answer } = usage ?? { prompt: 0, cached: 0, answer: 0 };
  return {
    prompt_tokens: prompt,
    completion_tokens: answer,
    total_tokens: prompt + answer,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
