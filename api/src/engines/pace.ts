/** How long a measurement describes a server that is in use. */
const freshMs = 60_000;

interface PaceOptions {
  /** Runs a short fixed task. Returns its duration in ms, or null if the task records its pace itself. */
  measure: (signal: AbortSignal) => Promise<number | null>;
  /** Measures again only after this time of the engine's last work: an idle household measures nothing. */
  usedAt: () => number;
}

/** The speed of one server: milliseconds for the same amount of work. The newest measurement counts half. */
export function createServerPace({ measure, usedAt }: PaceOptions) {
  let current: number | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;

  const note = (ms: number): void => {
    current = current === null ? ms : (current + ms) / 2;
    measuredAt = performance.now();
  };

  return {
    note,
    get current(): number | null {
      return current;
    },
    /** Measures if it is due. A failure says nothing about the speed. */
    async refresh(signal: AbortSignal): Promise<void> {
      if (performance.now() - measuredAt < freshMs || usedAt() < measuredAt) return;
      measuredAt = performance.now();
      const ms = await measure(signal).catch(() => null);
      if (ms !== null) note(ms);
    },
  };
}
