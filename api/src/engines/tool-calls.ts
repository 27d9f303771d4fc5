import { z } from 'zod';
import { EngineError } from './engine-client.ts';

/** A function that the model may call, as described to the model. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A tool call from the model. The arguments are raw model output and may not be valid JSON. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** No question needs more calls at once. A model that makes more is in a loop. */
const maxCalls = 16;

export const callDeltaSchema = z.object({
  index: z.number().int().min(0).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

type CallDelta = z.infer<typeof callDeltaSchema>;

/**
 * Assembles calls from their chunks. llama.cpp names a call once and then sends only its index. Other servers
 * send whole calls with the same index and distinguish them by id.
 */
export function createCallCollector() {
  const calls: (ToolCall & { index: number })[] = [];

  const callOf = (delta: CallDelta): ToolCall => {
    const index = delta.index ?? 0;
    const known = calls.findLast((call) => call.index === index);
    const isAnother = delta.id && known?.id && delta.id !== known.id;
    if (known && !isAnother) return known;
    if (calls.length >= maxCalls) throw new EngineError('llm', 'broken', { detail: 'too many tool calls' });
    const fresh = { index, id: '', name: '', arguments: '' };
    calls.push(fresh);
    return fresh;
  };

  return {
    /** Adds a chunk and returns its character count. */
    add(delta: CallDelta): number {
      const call = callOf(delta);
      const { name = null, arguments: words = null } = delta.function ?? {};
      if (delta.id) call.id = delta.id;
      if (name) call.name = name;
      call.arguments += words ?? '';
      return (words ?? '').length + (name ?? '').length;
    },
    /**
     * All calls in order of their first chunk. We generate missing ids, because tool results must name them.
     */
    calls: (): ToolCall[] =>
      calls.map(({ id, name, arguments: words }, at) => ({
        id: id || `call_${at + 1}`,
        name,
        arguments: words,
      })),
  };
}
