import type { ChatEnd, ChatEvent } from '../../engines/llm-answer.ts';
import type { ToolCall } from '../../engines/tool-calls.ts';
import { createReasoningFilter, withoutOpenedReasoning } from './reasoning-filter.ts';
import { isStuck } from './repetition.ts';

/** Words come one by one, and going round in circles shows only over many. */
const lookEvery = 16;

/** When an answer is stopped, and what that makes of it. */
export interface Enough {
  is: (text: string) => boolean;
  finish: ChatEnd['finish'];
}
const untilStuck: Enough = { is: isStuck, finish: 'stop' };

export interface ReadReply {
  /** Empty when the model said nothing but its thoughts. */
  text: string;
  /** The tools that the model calls before it goes on; none when it has finished. */
  calls: readonly ToolCall[];
  /** From the call to its first words, in ms; null when there were none. */
  firstMs: number | null;
  end: ChatEnd;
}

/** Called with words of an answer. `endsWord`: white space has come behind them. */
export type SayWords = (words: string, endsWord: boolean) => void;

/** Reads an answer to its end, or until it is enough or goes round in circles, and says its words on the way: without the model's thinking or white space round it. */
export async function readReply(
  events: AsyncIterable<ChatEvent>,
  say: SayWords,
  enough: Enough = untilStuck,
): Promise<ReadReply> {
  const begunAt = performance.now();
  const filter = createReasoningFilter();
  let text = '';
  let firstMs: number | null = null;
  // Of an answer that was stopped the engine has counted nothing.
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
    add(filter.push(event.text));
    deltas += 1;
    // Leaving the loop closes the connection, which stops the engine.
    if (deltas % lookEvery === 0 && enough.is(text)) break;
  }
  add(filter.end());
  return { text: withoutOpenedReasoning(text), calls, firstMs, end };
}
