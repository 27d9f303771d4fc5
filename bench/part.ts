import type { Household } from './household.ts';

/** One bench: what it found, for people and for programs. */
export interface Findings {
  /** Lines for the terminal. */
  text: string;
  /** The raw figures. */
  figures: unknown;
  /** Targets that were not reached, as sentences. */
  missed: readonly string[];
}

export interface Part {
  name: string;
  run(house: Household): Promise<Findings>;
}
