import type { StepResult } from '../status/check-log.ts';

/** Summarizes a check in a few sentences: failures with advice first, then warnings. */
export function summaryOf(steps: readonly StepResult[]): string {
  const failed = steps.filter(({ state }) => state === 'failed');
  const warned = steps.filter(({ state }) => state === 'warning');
  if (failed.length === 0 && warned.length === 0) return 'Everything works.';
  const sentences = [
    ...failed.map(withAdvice),
    // Messages say "it" for their step, so a summary must name the step.
    ...warned.map((step) => `${step.title}: ${withAdvice(step)}`),
  ];
  const begins = failed.length > 0 ? notWorking(failed) : 'Everything works, but something is worth a look.';
  return [begins, ...sentences].join(' ');
}

function withAdvice({ message, advice }: StepResult): string {
  return advice === null ? message : `${message} ${advice}`;
}

function notWorking(failed: readonly StepResult[]): string {
  if (failed.length === 1) return `Something does not work: ${failed[0]?.title ?? ''}.`;
  return `${failed.length} things do not work: ${failed.map(({ title }) => title).join(', ')}.`;
}
