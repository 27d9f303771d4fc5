import type { LlmFacts } from '../../engines/llm-facts.ts';
import type { PromptWords } from '../../language/prompt-schema.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { Tool } from '../tools/tool.ts';
import { type PromptHead, promptHead } from './prompt.ts';

/** Tools of others may take this part of what a model can read: the rest is for people. */
const maxOfContext = 1 / 4;
/** A schema is mostly signs and short words. */
const bytesPerToken = 3;

interface PromptHeadsOptions {
  words: PromptWords;
  /** All tools that there are now, always in the same order. */
  tools: (settings: Pipeline) => readonly Tool[];
  /** Whether the model of our own server knows tools, as its list says; null: not known. */
  ownModelCallsTools: () => boolean | null;
}

export type PromptHeadOf = (facts: LlmFacts, settings: Pipeline) => PromptHead;

/** Makes the head of a prompt, its instructions and tools, for the model's abilities and the household's settings. */
export function createPromptHeads({ words, tools, ownModelCallsTools }: PromptHeadsOptions): PromptHeadOf {
  const mayCall = ({ callsTools, isLlamaCpp, isOwn }: LlmFacts) => {
    if (isOwn && ownModelCallsTools() === false) return false;
    // llama.cpp knows its template. Any other server shows it when it is asked.
    return callsTools ?? (isLlamaCpp ? isOwn && ownModelCallsTools() === true : true);
  };

  return (facts, settings) => {
    const offered = settings.tools && mayCall(facts) ? tools(settings) : [];
    return promptHead(words, { tools: fitting(offered, facts.contextTokens), persona: settings.persona });
  };
}

/** The tools of others as far as there is room for them; our own always. */
function fitting(tools: readonly Tool[], contextTokens: number): readonly Tool[] {
  let left = contextTokens * maxOfContext * bytesPerToken;
  return tools.filter(({ spec, isForeign }) => {
    if (!isForeign) return true;
    left -= Buffer.byteLength(JSON.stringify(spec));
    return left >= 0;
  });
}
