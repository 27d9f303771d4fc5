import type { LlmSlots } from '../../engines/llm-slots.ts';
import { replicasToTry } from '../../engines/replicas.ts';
import type { Question } from '../core/responder.ts';
import { type LlmReplica, takeSlot } from './llm-replica.ts';
import { promptOf } from './prompt.ts';
import type { PromptBudget } from './prompt-budget.ts';
import type { PromptHeadOf } from './prompt-head.ts';

interface ConversationWarmerOptions {
  replicas: readonly LlmReplica[];
  slots: LlmSlots;
  headOf: PromptHeadOf;
  budget: PromptBudget;
}

export interface SpokenConversation extends Pick<Question, 'exchanges' | 'settings' | 'signal'> {
  conversation: string;
  /** The line that starts the question. */
  beginning: string;
}

/** Makes the engine read conversations in advance, so that only the next question is new to it. */
export function createConversationWarmer({ replicas, slots, headOf, budget }: ConversationWarmerOptions) {
  return async (spoken: SpokenConversation): Promise<void> => {
    const { conversation, exchanges, beginning, settings, signal } = spoken;
    const [replica] = replicasToTry(replicas, conversation);
    const facts = replica?.client.facts;
    // Other servers manage their caches themselves.
    if (!replica || !facts?.isLlamaCpp) return;
    const head = headOf(facts, settings);
    const kept = exchanges.slice(budget.excess({ head, exchanges }, facts, settings));
    const lease = await takeSlot(replica, { slots, facts, conversation });
    if (!lease) return;
    // Released at once, so that the question gets this slot and waits there until the rest is read.
    void lease.leave();
    for await (const { type } of replica.client.chat({
      messages: promptOf({ head, exchanges: kept, newest: beginning }),
      tools: head.tools.map(({ spec }) => spec),
      model: settings.llm_model,
      maxTokens: 1,
      signal,
      slot: lease.slot,
    })) {
      if (type === 'text') break;
    }
  };
}
