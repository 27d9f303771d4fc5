import type { ChatEnd } from '../../engines/llm-answer.ts';
import type { ChatMessage } from '../../engines/llm-request.ts';
import type { PromptHead } from './prompt.ts';

/** The prompt head as text, to measure its size. */
export function headText({ system, tools }: PromptHead): string {
  return tools.length === 0 ? system : system + JSON.stringify(tools.map(({ spec }) => spec));
}

/** Learns from the engine's token count: quickly down to be safe, slowly up. */
export function learned(known: number, head: string, messages: readonly ChatMessage[], end: ChatEnd): number {
  if (!end.promptTokens) return known;
  const bytes = [head, ...messages.slice(1).map(textOf)].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  const seen = bytes / end.promptTokens;
  return Math.max(0.5, seen < known ? seen : known + (seen - known) / 8);
}

function textOf(message: ChatMessage): string {
  const calls = message.role === 'assistant' ? (message.calls ?? []) : [];
  return message.content + calls.map(({ name, arguments: args }) => name + args).join('');
}
