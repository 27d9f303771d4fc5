import { PassThrough, type Readable } from 'node:stream';
import { toAppError } from '../errors.ts';
import type { Reply } from '../turn/turn.ts';
import type { components } from './contract-types.ts';
import { keepAliveComment } from './event-stream.ts';

type Chunk = components['schemas']['ChatChunk'];
type Usage = components['schemas']['ChatUsage'];

/** Proxies and clients consider a silent connection dead. */
const keepAliveMs = 5_000;

interface ChatStreamOptions {
  id: string;
  created: number;
  includesUsage: boolean;
}

/** Streams a reply as chat completion events. The length of a reply is limited, so the unsent data is too. */
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
  /** Stops the keep-alive at once: with a slow reader, `close` may come after the next one. */
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
    /** Ends the stream. Sends words that were lost on the way from the full reply. */
    finish({ text, finish, usage }: Pick<Reply, 'text' | 'finish' | 'usage'>): void {
      if (text.startsWith(sent)) say(text.slice(sent.length));
      send(choice({}, finish));
      if (includesUsage) send([], toUsage(usage));
      end('data: [DONE]\n\n');
    },
    /** Ends the stream with an error. Sends no `[DONE]`, because the answer is incomplete. */
    fail(thrown: unknown): void {
      end(`data: ${JSON.stringify(toAppError(thrown).toBody())}\n\n`);
    },
  };
}

/**
 * Tokens the language model read and wrote. Zero if no model was used or it does not count them. Clients add
 * the numbers up, and some fail without them.
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
