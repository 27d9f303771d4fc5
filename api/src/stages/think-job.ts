import type { ConversationStore } from '../conversations/conversation-store.ts';
import { AppError } from '../errors.ts';
import type { WarmPayload } from '../jobs/queues.ts';
import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { Responder } from '../respond/core/responder.ts';
import type { LlmResponder } from '../respond/model/llm-responder.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { Turn } from '../turn/turn.ts';
import type { OpenTurn, StageSignals } from './answer-turn.ts';

interface ThinkJobOptions {
  openTurn: OpenTurn;
  llm: Responder;
}

/** The think stage: the language model answers. The queue limits how many run at once. */
export function createThinkJob({ openTurn, llm }: ThinkJobOptions) {
  return async (turn: Turn, signals: StageSignals): Promise<void> => {
    const answer = await openTurn(turn, signals);
    if (!(await answer([llm]))) throw new AppError('llm_unavailable');
  };
}

interface WarmJobOptions {
  conversations: ConversationStore;
  settingsOf: (turn: Pick<Turn, 'revision'>) => Promise<Pipeline>;
  llmOf: (spoken: Pick<WarmPayload, 'language'>) => Pick<LlmResponder, 'warm'>;
  contextLine: (spoken: Pick<Turn, 'createdAt' | 'room' | 'language'>) => string;
  clock?: HouseholdClock;
}

/** Preloads everything before the person's words into the engine as soon as they begin to speak. */
export function createWarmJob(options: WarmJobOptions) {
  const { conversations, settingsOf, llmOf, contextLine, clock = machineClock } = options;
  return async (
    { conversation, room, language, revision }: WarmPayload,
    signal: AbortSignal,
  ): Promise<void> => {
    const { exchanges } = await conversations.read(conversation);
    // Usually right to the minute. If the minute changes, everything before it is still preloaded.
    const beginning = contextLine({ createdAt: clock.now(), room, language });
    const settings = await settingsOf({ revision });
    await llmOf({ language }).warm({ conversation, exchanges, beginning, settings, signal });
  };
}
