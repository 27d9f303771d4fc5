export type Again = ReturnType<typeof createAgain>;

/** Retries all waiting requests when the network, the tab or the server is back. */
export function createAgain() {
  const waiting = new Set<() => void>();
  return {
    /** Registers a retry. Returns a function that removes it. */
    listen(retry: () => void): () => void {
      waiting.add(retry);
      return () => waiting.delete(retry);
    },
    tell(): void {
      for (const retry of [...waiting]) retry();
    },
  };
}
