import type { LlmClient } from '../../engines/llm-client.ts';
import type { LlmFacts } from '../../engines/llm-facts.ts';
import { type PromptHead, promptOf } from './prompt.ts';

interface WarmUpOptions {
  headOf: (facts: LlmFacts) => PromptHead;
  /** The question that asks for a sign of life. */
  hello: string;
  /** It kept silent where it should have answered: that it can tell of itself is no proof. */
  wasSilent: boolean;
}

/**
 * Proves by a word that a language model can answer, and has each of its slots that is still cold read the standing instructions, so that the
 * first question of a conversation finds them read. A slot that has worked before is left alone: it holds a conversation. Returns the model's
 * name. Throws EngineError.
 */
export async function warmUpLlm(
  client: LlmClient,
  signal: AbortSignal,
  { headOf, hello, wasSilent }: WarmUpOptions,
): Promise<string> {
  const facts = await client.discover(signal);
  const cold = await client.coldSlots(signal);
  const mayRest = facts.isLlamaCpp && (cold.length > 0 || !wasSilent);
  const targets: (number | undefined)[] = mayRest ? cold : [undefined];
  for (const slot of targets) {
    const head = headOf(facts);
    const messages = promptOf({ head, exchanges: [], newest: hello });
    for await (const _ of client.chat({
      messages,
      tools: head.tools.map(({ spec }) => spec),
      maxTokens: 1,
      signal,
      ...(slot !== undefined && { slot }),
    })) {
      // the word itself does not matter
    }
  }
  return facts.model;
}
