import type { ChatEnd, ChatEvent } from '../../engines/llm-answer.ts';
import type { ToolCall } from '../../engines/tool-calls.ts';
import { createContextCopyFilter } from './context-copies.ts';
import { createReasoningFilter, withoutOpenedReasoning } from './reasoning-filter.ts';
import { isStuck } from './repetition.ts';

/** Words come one by one, and a loop shows only over many. */
const lookEvery = 16;

/** When to stop an answer, and the finish reason it then gets. */
export interface StopRule {
  is: (text: string) => boolean;
  finish: ChatEnd['finish'];
}
const untilStuck: StopRule = { is: isStuck, finish: 'stop' };

export interface ReadReply {
  /** Empty if the model wrote only reasoning. */
  text: string;
  /** The tool calls that the model needs next; empty when it has finished. */
  calls: readonly ToolCall[];
  /** From the call to the first words, in ms; null without words. */
  firstMs: number | null;
  end: ChatEnd;
}

/** Called with words of an answer. `endsWord`: white space follows them. */
type SayWords = (words: string, endsWord: boolean) => void;

interface ReadOptions {
  enough?: StopRule | undefined;
  /** The context lines of the prompt. */
  contextLines?: readonly string[];
}

/**
 * Reads an answer until it ends, is enough, or loops. Passes its words on without reasoning, a copied context
 * line or surrounding white space.
 */
export async function readReply(
  events: AsyncIterable<ChatEvent>,
  say: SayWords,
  { enough = untilStuck, contextLines = [] }: ReadOptions = {},
): Promise<ReadReply> {
  const begunAt = performance.now();
  const reasoning = createReasoningFilter();
  const context = createContextCopyFilter(contextLines);
  let text = '';
  let firstMs: number | null = null;
  // The engine sends no counts for a stopped answer.
  let end: ChatEnd = { finish: enough.finish, promptTokens: null, cachedTokens: null, answerTokens: null };
  let calls: readonly ToolCall[] = [];
  let deltas = 0;

  const add = (words: string) => {
    const grown = (text + words).trimStart();
    const [before, after] = [text.trimEnd().length, grown.trimEnd().length];
    text = grown;
    if (after > before) say(grown.slice(before, after), grown.length > after);
  };

  for await (const event of events) {
    if (event.type === 'end') {
      end = event.end;
      continue;
    }
    if (event.type === 'calls') {
      calls = event.calls;
      continue;
    }
    firstMs ??= performance.now() - begunAt;
    add(context.push(reasoning.push(event.text)));
    deltas += 1;
    // Leaving the loop closes the connection, which stops the engine.
    if (deltas % lookEvery === 0 && enough.is(text)) break;
  }
  add(context.push(reasoning.end()) + context.end());
  return { text: withoutOpenedReasoning(text), calls, firstMs, end };
}
