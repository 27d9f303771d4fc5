/** Monotonic time in ms, and timeouts. Only differences are meaningful. */
export interface Clock {
  nowMs(): number;
  /** Runs `run` once after the delay. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}
