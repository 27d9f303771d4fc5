/** Maximum number of different wrong tokens per address and minute. */
const maxGuesses = 10;
const windowMs = 60_000;
/** Maximum number of remembered addresses, so that a flood from many cannot fill the memory. */
const maxAddresses = 1_000;

interface GuessesOptions {
  /** Monotonic time in ms. */
  now: () => number;
}

/**
 * Counts the different wrong tokens of each address. A repeated token, such as a satellite's old one, is not
 * a new guess.
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
    /** Counts a guess. Returns how many seconds this address must wait: 0 below the limit. */
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
