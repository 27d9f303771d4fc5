import type { LlmFacts } from '../../engines/llm-facts.ts';
import type { PromptWords } from '../../language/prompt-schema.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import { type PromptHead, promptHead } from './prompt.ts';
import type { Tool } from './tool.ts';

/** Share of the context for external tools; the rest is for people. */
const maxOfContext = 1 / 4;
/** A schema is mostly punctuation and short words. */
const bytesPerToken = 3;

interface PromptHeadsOptions {
  words: PromptWords;
  /** All current tools, always in the same order. */
  tools: (settings: Pipeline) => readonly Tool[];
  /** Whether our own server's model supports tools, from its list; null: unknown. */
  ownModelCallsTools: () => boolean | null;
}

export type PromptHeadOf = (facts: LlmFacts, settings: Pipeline) => PromptHead;

/** Builds the prompt head (instructions and tools) for the model's abilities and the household's settings. */
export function createPromptHeads({ words, tools, ownModelCallsTools }: PromptHeadsOptions): PromptHeadOf {
  const mayCall = ({ callsTools, isLlamaCpp, isOwn }: LlmFacts) => {
    if (isOwn && ownModelCallsTools() === false) return false;
    // llama.cpp knows its template. Any other server reveals it only on a call.
    return callsTools ?? (isLlamaCpp ? isOwn && ownModelCallsTools() === true : true);
  };

  return (facts, settings) => {
    const offered = settings.tools && mayCall(facts) ? tools(settings) : [];
    return promptHead(words, { tools: fitting(offered, facts.contextTokens), persona: settings.persona });
  };
}

/** External tools as far as they fit; our own always. */
function fitting(tools: readonly Tool[], contextTokens: number): readonly Tool[] {
  let left = contextTokens * maxOfContext * bytesPerToken;
  return tools.filter(({ spec, isForeign }) => {
    if (!isForeign) return true;
    left -= Buffer.byteLength(JSON.stringify(spec));
    return left >= 0;
  });
}
