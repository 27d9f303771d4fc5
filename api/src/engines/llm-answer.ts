import { createParser, type EventSourceParser } from 'eventsource-parser';
import { z } from 'zod';
import { EngineError, parseAnswer } from './engine-client.ts';
import { callDeltaSchema, createCallCollector, type ToolCall } from './tool-calls.ts';

/** The engine's figures for a finished answer; llama.cpp reports all of them, others fewer. */
export interface ChatEnd {
  finish: 'stop' | 'length';
  promptTokens: number | null;
  /** Prompt tokens that came from the engine's cache. */
  cachedTokens: number | null;
  answerTokens: number | null;
}

/** `calls` comes at most once, before the end: tool calls that the model needs before it can continue. */
export type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'calls'; calls: ToolCall[] }
  | { type: 'end'; end: ChatEnd };

const usageSchema = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
});

const deltaSchema = z.object({
  content: z.string().nullish(),
  tool_calls: z.array(callDeltaSchema).nullish(),
});
type Delta = Partial<z.infer<typeof deltaSchema>>;

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: deltaSchema.optional(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: usageSchema.nullish(),
  error: z.unknown().optional(),
});

/**
 * Parses server-sent events into answer events. The answer must end properly. One that breaks off or exceeds
 * `maxLetters` throws EngineError.
 */
export async function* readAnswer(
  bytes: AsyncIterable<Buffer>,
  maxLetters: number,
): AsyncGenerator<ChatEvent> {
  const decoder = new TextDecoder();
  const ready: ChatEvent[] = [];
  const collector = createCallCollector();
  const end: ChatEnd = { finish: 'stop', promptTokens: null, cachedTokens: null, answerTokens: null };
  let finished = false;
  let letters = 0;

  const take = ({ content, tool_calls: deltas }: Delta): number => {
    const text = content ?? '';
    if (text !== '') ready.push({ type: 'text', text });
    return (deltas ?? []).reduce((sum, delta) => sum + collector.add(delta), text.length);
  };

  const parser = createParser({
    maxBufferSize: 1024 * 1024,
    onEvent: ({ data }) => {
      if (data === '[DONE]') return;
      const chunk = toChunk(data);
      const [choice] = chunk.choices;
      letters += take(choice?.delta ?? {});
      if (letters > maxLetters) throw new EngineError('llm', 'broken', { detail: 'the answer does not end' });
      if (choice?.finish_reason) {
        finished = true;
        end.finish = choice.finish_reason === 'length' ? 'length' : 'stop';
      }
      if (chunk.usage) Object.assign(end, countsOf(chunk.usage));
    },
  });

  for await (const chunk of bytes) {
    feed(parser, decoder.decode(chunk, { stream: true }));
    yield* ready.splice(0);
  }
  if (!finished) throw new EngineError('llm', 'broken', { detail: 'the answer was cut off' });
  const calls = collector.calls();
  // A call that the token limit cut off is dropped, because its rest is unknown.
  if (calls.length > 0 && end.finish === 'stop') yield { type: 'calls', calls };
  yield { type: 'end', end };
}

/** A failure mid-answer arrives as a separate event. */
function toChunk(event: string): z.infer<typeof chunkSchema> {
  const chunk = parseAnswer('llm', chunkSchema, toJson(event));
  if (chunk.error === undefined) return chunk;
  throw new EngineError('llm', 'broken', { detail: JSON.stringify(chunk.error).slice(0, 2_000) });
}

function countsOf(usage: z.infer<typeof usageSchema>): Omit<ChatEnd, 'finish'> {
  return {
    promptTokens: usage.prompt_tokens,
    answerTokens: usage.completion_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
  };
}

/** The parser throws its own error on a line above its size limit. */
function feed(parser: EventSourceParser, text: string): void {
  try {
    parser.feed(text);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('llm', 'broken', { detail: 'the response is not an event stream', cause: error });
  }
}

function toJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw new EngineError('llm', 'broken', { detail: 'an event is not JSON', cause: error });
  }
}
