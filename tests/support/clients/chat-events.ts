import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import { mismatch } from './contract-check.ts';

const chunkSchema = z.looseObject({
  id: z.string(),
  choices: z.array(
    z.looseObject({
      delta: z.looseObject({ role: z.string().optional(), content: z.string().optional() }),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: z.number() }).nullish(),
});

type ChatChunk = z.infer<typeof chunkSchema>;

/** The events of a chat stream, in order. */
export type ChatEvent =
  | { type: 'chunk'; chunk: ChatChunk }
  | { type: 'error'; error: { code: string; message: string } }
  | { type: 'comment' }
  | { type: 'done' };

const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Reads server-sent events as they arrive and checks each against openapi.yaml. */
export function createChatReader(onEvent: (event: ChatEvent) => void) {
  const parser = createParser({
    onComment: () => onEvent({ type: 'comment' }),
    onError: (error) => {
      throw error;
    },
    onEvent: ({ data }) => onEvent(toEvent(data)),
  });
  const decoder = new TextDecoder();
  return (bytes: Uint8Array) => parser.feed(decoder.decode(bytes, { stream: true }));
}

function toEvent(data: string): ChatEvent {
  if (data === '[DONE]') return { type: 'done' };
  const value: unknown = JSON.parse(data);
  const failed = errorSchema.safeParse(value);
  const fault = mismatch(`/components/schemas/${failed.success ? 'Error' : 'ChatChunk'}`, value);
  if (fault) throw new Error(`an event is against the contract: ${fault}\n${data}`);
  if (failed.success) return { type: 'error', error: failed.data.error };
  return { type: 'chunk', chunk: chunkSchema.parse(value) };
}

/** The events of a whole stream. */
export function chatEvents(text: string): ChatEvent[] {
  const events: ChatEvent[] = [];
  createChatReader((event) => events.push(event))(Buffer.from(text));
  return events;
}

export function chunksOf(events: readonly ChatEvent[]): ChatChunk[] {
  return events.flatMap((event) => (event.type === 'chunk' ? [event.chunk] : []));
}

/** Joins the words of the stream. */
export function wordsOf(events: readonly ChatEvent[]): string {
  return chunksOf(events)
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}
