import { UnrecoverableError } from 'bullmq';
import { AppError } from '../errors.ts';
import { type QueueName, sentencePayload, turnPayload } from '../jobs/queues.ts';
import type { Logger } from '../log.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { TurnStore } from '../turn/turn-store.ts';

interface GivenUpOptions {
  turns: TurnStore;
  log: Logger;
}

/** Ends a job that killed several workers, and reports the failure. The job itself may be the cause. */
export function createGivenUp({ turns, log }: GivenUpOptions) {
  const onSentence = async (data: unknown): Promise<void> => {
    const { data: sentence } = sentencePayload.safeParse(data);
    if (!sentence) return;
    const { turnId, seq, replyTo } = sentence;
    const text = await turns.readSentence(sentenceId(turnId, seq));
    // Without sound, the client shows the words as text.
    const event = { type: 'speech', turnId, seq, text: text ?? '', hasSound: false, ttsMs: 0 } as const;
    await turns.publishSpeech(replyTo, event);
  };
  const onTurn = async (stage: 'transcribe' | 'respond' | 'think', data: unknown): Promise<void> => {
    const turnId = turnPayload.safeParse(data).data?.turnId;
    const turn = turnId === undefined ? undefined : await turns.read(turnId);
    if (turn) await turns.failBefore(turn, stage, new AppError('worker_unavailable'));
  };

  return async (
    queue: QueueName,
    { id, data }: { id?: string | undefined; data: unknown },
  ): Promise<never> => {
    log.error({ queue, job: id }, 'gave up a job: several workers died while running it');
    if (queue === 'speak') await onSentence(data);
    else if (queue !== 'ring') await onTurn(queue, data);
    throw new UnrecoverableError('worker_unavailable');
  };
}
