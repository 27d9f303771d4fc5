import type { StepResult } from '../status/check-log.ts';

/** The result of a step, in words for people. */
export interface Finding {
  state: StepResult['state'];
  message: string;
  /** How to fix it. */
  advice?: string;
}

/** One step of a check, with real work. */
export interface Step {
  name: string;
  /** Its name in the report: "The voice". */
  title: string;
  /** Time limit of the step. */
  limitMs: number;
  /** Advice for a timeout or an unexpected failure. */
  advice?: string;
  /** Earlier steps that must have succeeded. */
  needs?: readonly string[];
  /** Throws an AppError with a message for the report. */
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
