/** Speech that begins this soon after an answer began was probably the rest of its sentence. */
const maxSoonMs = 2_000;

export type CutOffs = ReturnType<typeof createCutOffs>;

/** Counts how often people went on speaking soon after an answer began. It keeps only the two numbers. */
export function createCutOffs() {
  const counted = { answers: 0, cut_off: 0 };
  return {
    /** An answer became audible. */
    answered(): void {
      counted.answers += 1;
    },
    /** Somebody made a request, this long after the last answer became audible. Null: there was none. */
    requested(afterMs: number | null): void {
      if (afterMs !== null && afterMs <= maxSoonMs) counted.cut_off += 1;
    },
    now: () => ({ ...counted }),
  };
}
