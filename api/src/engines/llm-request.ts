import type { LlmFacts } from './llm-facts.ts';
import type { ToolCall, ToolSpec } from './tool-calls.ts';

export type ChatMessage =
  | { role: 'system'; content: string }
  /** `pictures`: as `data:` URLs. */
  | { role: 'user'; content: string; pictures?: readonly string[] }
  /** `calls`: the tool calls it asked for; a message with role tool answers each. */
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string };

export interface ChatRequest {
  messages: readonly ChatMessage[];
  /**
   * The tools that the model may call. They come first in its prompt and must stay identical, or the cache
   * misses.
   */
  tools?: readonly ToolSpec[];
  /** Another model of the server; null means its first. */
  model?: string | null;
  /** Maximum answer length, in tokens. */
  maxTokens: number;
  /** 0: always the most likely words. */
  temperature?: number;
  /** The answer must be JSON: of this schema, or any object. */
  format?: { schema: Record<string, unknown> | null };
  /** The slot of llama.cpp that holds this conversation's cache. */
  slot?: number;
  signal: AbortSignal;
}

/**
 * The body of a streamed chat. Only llama.cpp gets its extra fields, because other servers refuse unknown
 * ones.
 */
export function chatBody(
  request: ChatRequest,
  { model, isLlamaCpp }: Pick<LlmFacts, 'model' | 'isLlamaCpp'>,
) {
  const hasTools = Boolean(request.tools?.length);
  return {
    model,
    // First, as in the prompt; left out for a model without tool calls.
    ...(hasTools && { tools: request.tools?.map(wireTool) }),
    messages: request.messages.map(wireMessage),
    stream: true,
    stream_options: { include_usage: true },
    temperature: request.temperature ?? 0,
    max_tokens: request.maxTokens,
    ...(request.format && { response_format: wireFormat(request.format) }),
    ...(isLlamaCpp && {
      cache_prompt: true,
      ...(hasTools && { parallel_tool_calls: true }),
      // With progress events the engine notices a closed connection between two batches.
      return_progress: true,
      chat_template_kwargs: { enable_thinking: false },
      ...(request.slot !== undefined && { id_slot: request.slot }),
    }),
  };
}

function wireFormat({ schema }: NonNullable<ChatRequest['format']>) {
  if (schema === null) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } };
}

function wireTool(spec: ToolSpec) {
  return { type: 'function', function: spec };
}

function wireMessage(message: ChatMessage) {
  if (message.role === 'tool')
    return { role: message.role, tool_call_id: message.callId, content: message.content };
  const { role, content } = message;
  if (role === 'user' && message.pictures?.length) {
    const shown = message.pictures.map((url) => ({ type: 'image_url', image_url: { url } }));
    return { role, content: [{ type: 'text', text: content }, ...shown] };
  }
  if (role !== 'assistant' || !message.calls?.length) return { role, content };
  const calls = message.calls.map(({ id, name, arguments: words }) => ({
    id,
    type: 'function',
    function: { name, arguments: words },
  }));
  return { role, content, tool_calls: calls };
}
