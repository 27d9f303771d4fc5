import { rejectionOf, withTimeLimit } from '../abort.ts';
import { AppError } from '../errors.ts';
import { percentile } from '../status/call-log.ts';
import type { CheckResult, StepResult } from '../status/check-log.ts';
import type { Finding, Step } from './step.ts';
import { summaryOf } from './summary.ts';

interface RunOptions {
  id: string;
  steps: readonly Step[];
  /** Earlier results, for the usual durations. */
  before: readonly CheckResult[];
  /** Called when a step ends. */
  onStep: (step: StepResult) => void;
  signal: AbortSignal;
}

/** A step is slow if it exceeds its usual time by this factor and this difference. */
const slowTimes = 3;
const slowMs = 1_000;
/** Number of results needed for a usual time. */
const enoughResults = 5;

/** Runs the steps in order, each with its time limit. Always returns a result. */
export async function runSteps({ id, steps, before, onStep, signal }: RunOptions): Promise<CheckResult> {
  const startedAt = Date.now();
  const begunAt = performance.now();
  const done: StepResult[] = [];
  for (const step of steps) {
    const stepBegunAt = performance.now();
    const found = missing(step, done) ?? (await lookWithin(step, signal));
    const tookMs = Math.round(performance.now() - stepBegunAt);
    const usualMs = usual(step.name, before);
    const { state, message, advice = null } = slowness(found, { tookMs, usualMs });
    const result = { name: step.name, title: step.title, state, tookMs, usualMs, message, advice };
    done.push(result);
    onStep(result);
  }
  const tookMs = Math.round(performance.now() - begunAt);
  const ok = done.every(({ state }) => state !== 'failed');
  return { id, startedAt, tookMs, ok, summary: summaryOf(done), steps: done };
}

/** Why a step cannot run. Undefined: it can. */
function missing({ needs = [] }: Step, done: readonly StepResult[]): Finding | undefined {
  const first = done.find(
    ({ name, state }) => needs.includes(name) && (state === 'failed' || state === 'skipped'),
  );
  return first && { state: 'skipped', message: `Skipped, because it needs ${inSentence(first.title)}.` };
}

async function lookWithin(step: Step, signal: AbortSignal): Promise<Finding> {
  const { title, limitMs, advice } = step;
  const late = withTimeLimit(signal, limitMs);
  try {
    return await Promise.race([step.look(late), rejectionOf(late)]);
  } catch (error) {
    const message = late.aborted
      ? `${title} did not answer within ${Math.round(limitMs / 1_000)} seconds.`
      : error instanceof AppError
        ? error.message
        : `${title} failed with an unexpected error.`;
    return { state: 'failed', message, ...(advice && { advice }) };
  }
}

function usual(name: string, before: readonly CheckResult[]): number | null {
  const times = before.flatMap(({ steps }) =>
    steps.filter((step) => step.name === name && step.state === 'ok').map(({ tookMs }) => tookMs),
  );
  return times.length < enoughResults ? null : percentile(times, 0.5);
}

function slowness(found: Finding, { tookMs, usualMs }: Pick<StepResult, 'tookMs' | 'usualMs'>): Finding {
  if (found.state !== 'ok' || usualMs === null || tookMs < usualMs * slowTimes + slowMs) return found;
  return {
    state: 'warning',
    message: `${found.message} That took ${(tookMs / 1_000).toFixed(1)} s instead of the usual ${(usualMs / 1_000).toFixed(1)} s.`,
    advice: 'Check whether something else keeps the machine busy.',
  };
}

/** Adapts a title for the middle of a sentence: "the voice". */
function inSentence(title: string): string {
  return title.replace(/^The /, 'the ');
}
