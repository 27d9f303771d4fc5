/** Different wrong tokens that one address may send in a minute. */
const maxGuesses = 10;
const windowMs = 60_000;
/** Addresses remembered at the most, so that a flood from many cannot fill the memory. */
const maxAddresses = 1_000;

export interface GuessesOptions {
  /** Milliseconds of a clock that nobody sets. */
  now: () => number;
}

/**
 * Counts the different wrong tokens of each address. The same one again, as a satellite with an old token
 * sends it, is no new guess.
 */
export function createGuesses({ now }: GuessesOptions) {
  const guesses = new Map<string, { tokens: Set<string>; sinceMs: number }>();

  const openWindow = (address: string) => {
    guesses.delete(address);
    if (guesses.size >= maxAddresses) guesses.delete(guesses.keys().next().value ?? '');
    const fresh = { tokens: new Set<string>(), sinceMs: now() };
    guesses.set(address, fresh);
    return fresh;
  };

  return {
    /** Counts one. Answers how many seconds this address has to wait: 0 unless it has guessed too often. */
    note(address: string, token: string): number {
      const known = guesses.get(address);
      const { tokens, sinceMs } = known && now() - known.sinceMs < windowMs ? known : openWindow(address);
      if (tokens.has(token)) return 0;
      if (tokens.size >= maxGuesses) return Math.max(1, Math.ceil((sinceMs + windowMs - now()) / 1_000));
      tokens.add(token);
      return 0;
    },
  };
}
