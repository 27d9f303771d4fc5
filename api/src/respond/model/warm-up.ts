import type { LlmClient } from '../../engines/llm-client.ts';
import type { LlmFacts } from '../../engines/llm-facts.ts';
import { type PromptHead, promptOf } from './prompt.ts';

interface WarmUpOptions {
  headOf: (facts: LlmFacts) => PromptHead;
  /** A short test question. */
  hello: string;
  /** It stayed silent when it should have answered, so its own status is no proof. */
  wasSilent: boolean;
}

/**
 * Proves with one word that a language model can answer. Makes each cold slot read the standing instructions,
 * so a first question finds them cached. Skips used slots, because they hold a conversation. Returns the
 * model's name. Throws EngineError.
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
