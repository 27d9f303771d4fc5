import type { LlmClient } from '../../engines/llm-client.ts';
import type { LlmFacts } from '../../engines/llm-facts.ts';
import type { LlmSlots, SlotLease } from '../../engines/llm-slots.ts';
import type { Replica } from '../../engines/replicas.ts';

export type LlmReplica = Replica<LlmClient>;

interface SlotOptions {
  slots: LlmSlots;
  facts: LlmFacts;
  conversation: string | null;
}

/** The slot that has read this conversation before. Null: the server picks one. */
export async function takeSlot(
  { url }: Pick<LlmReplica, 'url'>,
  { slots, facts, conversation }: SlotOptions,
): Promise<SlotLease | null> {
  return facts.isLlamaCpp ? await slots.take({ engine: url, slots: facts.slots, conversation }) : null;
}
