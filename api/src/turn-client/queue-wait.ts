import { AppError } from '../errors.ts';

/** Maximum wait for a stage: half of a turn's time, which leaves the other half for the answer. */
const maxQueueMs = 30_000;

/** The failure for each stage that does not begin in time. */
const failures = {
  transcribe: () =>
    new AppError('queue_timeout', 'Speech recognition was too busy to start in time. Try again in a moment.'),
  respond: () => new AppError('queue_timeout'),
  think: () =>
    new AppError(
      'queue_timeout',
      'The language model was too busy to start on this question in time. Try again in a moment.',
    ),
} as const;

/** The next stage of a turn, and how long the turn has waited for it. */
export interface QueueWait {
  stage: keyof typeof failures;
  ms: number;
}

/**
 * The failure of a turn that has waited too long for its next stage, whatever its deadline. Null: it may keep
 * waiting.
 */
export function queueFailure(wait: QueueWait | null, limitMs = maxQueueMs): AppError | null {
  return wait && wait.ms > limitMs ? failures[wait.stage]() : null;
}
