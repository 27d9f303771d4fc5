/** More are never on their way at once. */
const most = 16;

/** Turns that nobody wants answered any more, as far back as their answers may still come. */
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
