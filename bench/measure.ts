/** The figures of one set of times, in ms. */
export interface Summary {
  calls: number;
  medianMs: number;
  p95Ms: number;
  p99Ms: number;
  minMs: number;
  maxMs: number;
}

export function summary(timesMs: readonly number[]): Summary {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
  return {
    calls: sorted.length,
    medianMs: median(sorted),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    minMs: at(0),
    maxMs: at(1),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** One way of doing something; `caller` and `round` let it keep its calls apart. */
type Way = (caller: number, round: number) => Promise<void>;

interface AlternateOptions {
  callers: number;
  rounds: number;
  /** Calls that each caller makes one after the other, before the next way runs. */
  callsInRow: number;
}

/**
 * Times several ways of doing the same thing. Each round runs all ways in changing order, so that other work
 * on the machine affects them alike. Within one way all callers call at once. Returns each way's figures, in
 * the order of the ways.
 */
export async function alternate(
  ways: readonly Way[],
  { callers, rounds, callsInRow }: AlternateOptions,
): Promise<Summary[]> {
  const timed = ways.map((way) => ({ way, timesMs: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { way, timesMs } of round % 2 === 0 ? timed : timed.toReversed()) {
      const callInRow = async (caller: number) => {
        for (let n = 0; n < callsInRow; n += 1) {
          const begunAt = performance.now();
          await way(caller, round);
          timesMs.push(performance.now() - begunAt);
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, caller) => callInRow(caller)));
    }
  }
  return timed.map(({ timesMs }) => summary(timesMs));
}

export function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Formats rows of cells as plain text, the first column aligned left and the others right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  return rows.map((row) => line(row).join('  ')).join('\n');
}
