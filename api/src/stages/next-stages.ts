import type { Redis } from 'ioredis';
import { AppError } from '../errors.ts';
import { priorities, type Queues, queueRules, turnPayloadOf } from '../jobs/queues.ts';
import { onRedis } from '../redis/redis.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';

const tooManyForModel = () =>
  new AppError(
    'overloaded',
    'Too many questions are waiting for the language model. Try again in a few seconds.',
  );

export type NextStages = ReturnType<typeof createNextStages>;

interface NextStagesOptions {
  redis: Redis;
  queues: Queues;
  turns: TurnStore;
}

/** The stages that a worker adds. */
export function createNextStages({ redis, queues, turns }: NextStagesOptions) {
  const add = (queue: Queues['respond'] | Queues['think'], turn: Turn) =>
    onRedis<unknown>(redis, () =>
      queue.add(turn.source, turnPayloadOf(turn), { jobId: turn.id, priority: priorities[turn.source] }),
    );

  return {
    /** Adds the respond stage for a transcript. */
    respond: (turn: Turn) => add(queues.respond, turn),
    /** Adds the think stage, when no responder without a model can answer. */
    async think(turn: Turn): Promise<void> {
      // Before the job is added, so that `waits` is published before `started`.
      if (!(await turns.awaitModel(turn, queueRules.maxWaiting))) throw tooManyForModel();
      await add(queues.think, turn);
    },
    /** Queues a complete sentence of the reply. The first sentences of all turns come before later ones. */
    async speak(turn: Turn, seq: number, text: string): Promise<void> {
      const id = sentenceId(turn.id, seq);
      await turns.saveSentence(id, text);
      const { replyTo, deadlineAt, revision, language } = turn;
      const spoken = { replyTo, deadlineAt, revision, ...(language !== undefined && { language }) };
      const payload = { turnId: turn.id, seq, ...spoken };
      const priority = priorities[turn.source] + Math.min(seq, 50);
      await onRedis(redis, () => queues.speak.add(turn.source, payload, { jobId: id, priority }));
    },
  };
}
