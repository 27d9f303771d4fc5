export type Again = ReturnType<typeof createAgain>;

/** Retries everything that waits: the network or the tab is back, or the server answers again. */
export function createAgain() {
  const waiting = new Set<() => void>();
  return {
    /** Returns a function that ends it. */
    listen(retry: () => void): () => void {
      waiting.add(retry);
      return () => waiting.delete(retry);
    },
    tell(): void {
      for (const retry of [...waiting]) retry();
    },
  };
}
