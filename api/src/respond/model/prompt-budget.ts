import type { Exchange, Round } from '../../conversations/exchange.ts';
import type { ChatEnd } from '../../engines/llm-answer.ts';
import type { LlmFacts } from '../../engines/llm-facts.ts';
import type { ChatMessage } from '../../engines/llm-request.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import { estimateTokens, exchangesToDrop, tokensOfRounds } from './history.ts';
import type { PromptHead } from './prompt.ts';
import { headText, learned } from './prompt-size.ts';

/** English has about 4 bytes a token; a low start keeps the first prompts safe. */
const firstBytesPerToken = 2.2;

/** Reserve for the chat template and estimation errors. */
const spareTokens = 128;
/** Models turn a picture into a few hundred to a few thousand tokens. */
const pictureTokens = 1_000;

interface PromptParts {
  head: PromptHead;
  exchanges: readonly Exchange[];
  /** The newest question. */
  message?: string;
  /** The pictures sent with it. */
  pictures?: readonly string[];
  /** The tool calls made for it. */
  rounds?: readonly Round[];
}

export type PromptBudget = ReturnType<typeof createPromptBudget>;

/** Fits conversations into a model's context, using a measured bytes-per-token ratio. */
export function createPromptBudget() {
  let bytesPerToken = firstBytesPerToken;

  return {
    /** How many of the oldest exchanges to drop, so that the rest and an answer fit. */
    excess(
      { head, exchanges, message = '', pictures = [], rounds = [] }: PromptParts,
      { contextTokens }: Pick<LlmFacts, 'contextTokens'>,
      { reply_tokens }: Pick<Pipeline, 'reply_tokens'>,
    ): number {
      const words = estimateTokens(message, bytesPerToken) + tokensOfRounds(rounds, bytesPerToken);
      const questionTokens = words + pictures.length * pictureTokens;
      const headTokens = estimateTokens(headText(head), bytesPerToken);
      const budgetTokens = contextTokens - reply_tokens - spareTokens - headTokens - questionTokens;
      return exchangesToDrop(exchanges, { budgetTokens, bytesPerToken });
    },

    /** Learns from the engine's token count of a prompt. */
    learn(head: PromptHead, messages: readonly ChatMessage[], end: ChatEnd): void {
      bytesPerToken = learned(bytesPerToken, headText(head), messages, end);
    },
  };
}
