import { z } from 'zod';
import { EngineError } from './engine-client.ts';

/** A function that the model may call, as it is described to it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A call that the model asks for. Its arguments are its own words: JSON only when they can be read as such. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** No question needs more at once; a model that goes on is going round in circles. */
const maxCalls = 16;

export const callDeltaSchema = z.object({
  index: z.number().int().min(0).nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

type CallDelta = z.infer<typeof callDeltaSchema>;

/**
 * Puts calls together from their pieces. llama.cpp names a call once and then only its number; others send whole calls that all have the same
 * number, and tell them apart by their ids.
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
    /** Takes a piece, and returns how many letters it had. */
    add(delta: CallDelta): number {
      const call = callOf(delta);
      const { name = null, arguments: words = null } = delta.function ?? {};
      if (delta.id) call.id = delta.id;
      if (name) call.name = name;
      call.arguments += words ?? '';
      return (words ?? '').length + (name ?? '').length;
    },
    /** All calls, in the order in which they began. A server that names none gets names from us, for the results must name them. */
    calls: (): ToolCall[] =>
      calls.map(({ id, name, arguments: words }, at) => ({
        id: id || `call_${at + 1}`,
        name,
        arguments: words,
      })),
  };
}
