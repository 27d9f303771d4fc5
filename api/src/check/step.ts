import type { StepResult } from '../status/check-log.ts';

/** The result of a step, in words for people. */
export interface Finding {
  state: StepResult['state'];
  message: string;
  /** How to mend it. */
  advice?: string;
}

/** One thing that is looked at, by real work. */
export interface Step {
  name: string;
  /** Its name in the report of what works and what does not: "The voice". */
  title: string;
  /** Longer than this it hangs. */
  limitMs: number;
  /** The advice when it hangs or fails in a way that nobody foresaw. */
  advice?: string;
  /** Names of earlier steps without which there is nothing to be found out. */
  needs?: readonly string[];
  /** Throws an AppError, whose message is told, when it fails. */
  look: (signal: AbortSignal) => Promise<Finding>;
}

export const fine = (message: string): Finding => ({ state: 'ok', message });
export const failed = (message: string, advice: string): Finding => ({ state: 'failed', message, advice });
export const warning = (message: string, advice: string): Finding => ({ state: 'warning', message, advice });
export const skipped = (message: string): Finding => ({ state: 'skipped', message });

/** "1.2 s" */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** "3.4 GB" */
export function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
