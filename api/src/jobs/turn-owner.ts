import type { WorkerRoll } from '../status/worker-roll.ts';
import type { Queues } from './queues.ts';

interface TurnOwnerOptions {
  turnId: string;
  workers: Pick<WorkerRoll, 'sign' | 'isGone' | 'noneAlive'>;
  queues: Pick<Queues, 'think'>;
}

/** The worker that must not die before it is done with a turn, as far as the process that waits for it is told. */
export function createTurnOwner({ turnId, workers, queues }: TurnOwnerOptions) {
  let owner: string | undefined;
  let isHandedOn = false;

  return {
    begun(stage: 'transcribe' | 'respond' | 'think', workerId: string): void {
      workers.sign(workerId);
      // A transcription is taken over from a worker that died; an answer is not.
      owner = stage === 'transcribe' ? undefined : workerId;
      isHandedOn = false;
    },
    /** The turn goes on to another stage. This is said before there is a job for it. */
    handsOn(): void {
      isHandedOn = true;
    },
    /** The turn is in nobody's hands: it waits for the next worker, or is answered. */
    isDone(): void {
      owner = undefined;
    },
    /** Whether nobody will go on with the turn. */
    async isLost(): Promise<boolean> {
      if (owner === undefined) return workers.noneAlive();
      if (!workers.isGone(owner)) return false;
      if (!isHandedOn) return true;
      // It is gone, and can add no job any more.
      const job = await queues.think.getJob(turnId).catch(() => undefined);
      if (!isHandedOn) return false;
      if (job !== undefined) owner = undefined;
      return job === undefined;
    },
  };
}
