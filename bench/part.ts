import type { Household } from './household.ts';

/** One bench: its findings, for people and for programs. */
export interface Findings {
  /** Lines for the terminal. */
  text: string;
  /** The raw figures. */
  figures: unknown;
  /** Missed targets, as sentences. */
  missed: readonly string[];
}

export interface Part {
  name: string;
  run(house: Household): Promise<Findings>;
}
