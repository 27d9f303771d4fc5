import type { Exchange, Round } from '../../conversations/exchange.ts';

/** More exchanges make a small model slow and confused, whatever its context size. */
const maxExchanges = 100;

interface FitOptions {
  /** Token budget of the history. */
  budgetTokens: number;
  bytesPerToken: number;
}

/**
 * How many of the oldest exchanges to drop: none while all fit. Otherwise it frees half of the budget at
 * once. Every cut makes the engine read the rest again, so cuts must be rare.
 */
export function exchangesToDrop(
  exchanges: readonly Exchange[],
  { budgetTokens, bytesPerToken }: FitOptions,
): number {
  const sizes = exchanges.map((exchange) => tokensOf(exchange, bytesPerToken));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= budgetTokens && exchanges.length <= maxExchanges) return 0;

  let dropped = 0;
  for (const size of sizes) {
    if (total <= budgetTokens / 2 && exchanges.length - dropped <= maxExchanges / 2) break;
    total -= size;
    dropped += 1;
  }
  return dropped;
}

/**
 * How many of the oldest exchanges to drop for their number alone. Without a limit, a conversation that no
 * model joins would grow, and every turn reads all of it.
 */
export function exchangesBeyondLimit(count: number): number {
  return count <= maxExchanges ? 0 : count - maxExchanges / 2;
}

/** How many exchanges to drop in each attempt: as few as needed, then half of the rest, then all. */
export function dropsToTry(first: number, all: number): number[] {
  return [...new Set([first, first + Math.ceil((all - first) / 2), all])];
}

/** Chat templates add a few tokens around every message. */
const templateTokens = 16;

function tokensOf({ user, assistant, rounds = [] }: Exchange, bytesPerToken: number): number {
  const words = estimateTokens(user, bytesPerToken) + estimateTokens(assistant, bytesPerToken);
  return words + templateTokens + tokensOfRounds(rounds, bytesPerToken);
}

/** The prompt tokens of calls and their results. */
export function tokensOfRounds(rounds: readonly Round[], bytesPerToken: number): number {
  const messages = rounds.reduce((sum, { calls }) => sum + 1 + calls.length, 0);
  return (
    messages * templateTokens + (messages === 0 ? 0 : estimateTokens(JSON.stringify(rounds), bytesPerToken))
  );
}

/** A cautious estimate; the engine's count corrects `bytesPerToken` after every answer. */
export function estimateTokens(text: string, bytesPerToken: number): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
