/** More turns are never pending at once. */
const maxTurns = 16;

/** Remembers cancelled turns whose answers may still arrive. */
export function createUnwantedTurns() {
  const turns = new Set<string>();
  return {
    add(turnId: string): void {
      const [oldest] = turns;
      if (oldest !== undefined && turns.size >= maxTurns) turns.delete(oldest);
      turns.add(turnId);
    },
    has: (turnId: string): boolean => turns.has(turnId),
  };
}
