import type { Queues } from '../jobs/queues.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';

interface TurnOwnerOptions {
  turnId: string;
  workers: Pick<WorkerRegistry, 'sign' | 'isGone' | 'noneAlive'>;
  queues: Pick<Queues, 'think'>;
}

/**
 * Tracks which worker holds a turn, from the events that the waiting process receives. If that worker dies,
 * the turn is lost.
 */
export function createTurnOwner({ turnId, workers, queues }: TurnOwnerOptions) {
  let owner: string | undefined;
  let isHandedOn = false;

  return {
    begun(stage: 'transcribe' | 'respond' | 'think', workerId: string): void {
      workers.sign(workerId);
      // Another worker takes over a transcription after a death, but never an answer.
      owner = stage === 'transcribe' ? undefined : workerId;
      isHandedOn = false;
    },
    /** The turn moves to another stage. The event comes before the job exists. */
    handsOn(): void {
      isHandedOn = true;
    },
    /** The turn waits for its next stage or is answered, so no worker holds it. */
    isDone(): void {
      owner = undefined;
    },
    /** Whether no worker will continue the turn. */
    async isLost(): Promise<boolean> {
      if (owner === undefined) return workers.noneAlive();
      if (!workers.isGone(owner)) return false;
      if (!isHandedOn) return true;
      // The dead worker cannot add a job any more, so the queue is final.
      const job = await queues.think.getJob(turnId).catch(() => undefined);
      if (!isHandedOn) return false;
      if (job !== undefined) owner = undefined;
      return job === undefined;
    },
  };
}
