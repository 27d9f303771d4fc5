import { AppError } from '../errors.ts';

/** Nobody waits longer than this for a stage to begin: half of a turn's time, so that the rest is enough for an answer. */
const maxQueueMs = 30_000;

/** The failure of a turn whose next stage does not begin in time. */
const failures = {
  transcribe: () =>
    new AppError(
      'queue_timeout',
      'The speech recognition was too busy to begin with this in time. Try again in a moment.',
    ),
  respond: () => new AppError('queue_timeout'),
  think: () =>
    new AppError(
      'queue_timeout',
      'The language model was too busy to begin with this question in time. Try again in a moment.',
    ),
} as const;

/** A stage of a turn that has not begun, and how long the turn has waited for it. */
export interface QueueWait {
  stage: keyof typeof failures;
  ms: number;
}

/** The failure of a turn that has waited too long for its next stage, however much time it has left; null: it may go on waiting. */
export function queueFailure(wait: QueueWait | null, limitMs = maxQueueMs): AppError | null {
  return wait && wait.ms > limitMs ? failures[wait.stage]() : null;
}
