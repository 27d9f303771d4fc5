/** More turns are never pending at once. */
const most = 16;

/** Remembers cancelled turns whose answers may still arrive. */
export function createUnwantedTurns() {
  const turns = new Set<string>();
  return {
    add(turnId: string): void {
      const [oldest] = turns;
      if (oldest !== undefined && turns.size >= most) turns.delete(oldest);
      turns.add(turnId);
    },
    has: (turnId: string): boolean => turns.has(turnId),
  };
}
