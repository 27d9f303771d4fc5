/** The time, for everything that must wait. In ms; only differences mean anything. */
export interface Clock {
  nowMs(): number;
  /** Runs something later, once. Returns how to call it off. */
  after(ms: number, run: () => void): () => void;
}
