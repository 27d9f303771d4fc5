import type { Attempt } from '../../engines/any-replica.ts';
import { EngineError } from '../../engines/engine-client.ts';
import type { ChatEvent } from '../../engines/llm-answer.ts';
import type { LlmClient } from '../../engines/llm-client.ts';
import type { LlmFacts } from '../../engines/llm-facts.ts';
import { AppError } from '../../errors.ts';
import type { AnswerFormat } from '../../turn/turn.ts';
import type { Question } from '../core/responder.ts';
import type { Unsupported } from '../unsupported/unsupported.ts';
import { type ActionClaims, createActionClaimGate, createOpenGate } from './action-claims.ts';
import { contextLinesOf } from './context-copies.ts';
import { dropsToTry } from './history.ts';
import type { ModelTurn } from './model-turn.ts';
import { createNoteCopies } from './note-copies.ts';
import { type PromptHead, promptOf } from './prompt.ts';
import type { PromptBudget } from './prompt-budget.ts';
import { type ReadReply, readReply, type StopRule } from './read-reply.ts';
import { isStuckData } from './repetition.ts';

/** The usual request of programs, and half of a common context size. */
const dataTokens = 1_500;

/** The server and slot of a request, and the start of its prompt. */
interface ModelRequest {
  client: LlmClient;
  facts: LlmFacts;
  head: PromptHead;
  slot: number | undefined;
  attempt: Attempt;
}

/** `said`: the part of the text that passed the filter. `isWithheld`: the rest claimed an action. */
export type ModelReply = ReadReply & { said: string; isWithheld: boolean };

interface ModelRequestOptions {
  budget: PromptBudget;
  actionClaims: ActionClaims;
  kindOf: Unsupported['kindOf'];
}

/**
 * Asks the model once, with as much of the conversation as fits. Throws EngineError, and AppError if even the
 * question alone does not fit.
 */
export function createModelRequest({ budget, actionClaims, kindOf }: ModelRequestOptions) {
  const ask = async (modelTurn: ModelTurn, dropped: number, request: ModelRequest): Promise<ModelReply> => {
    const { tools, reply: soFar } = modelTurn;
    const { answerFormat, modelOnly } = modelTurn.question.turn;
    const { client, head, attempt } = request;
    const chat = chatOf(modelTurn, dropped, request);
    const begunAt = performance.now();
    const isOurs = tools.speaksForItself;
    const hasTools = head.tools.length > 0;
    const { kind } = kindOf(modelTurn.question);
    // Streams words that claim nothing. Text for a program makes no claim to a person.
    const createGate = modelOnly === 'task' ? createOpenGate : createActionClaimGate;
    const gate = createGate({
      actionClaims,
      noteCopies: createNoteCopies(head.note),
      isInformed: tools.isInformed,
      isStrict: hasTools || !['question', 'words'].includes(kind),
      isForWords: kind === 'words' && !hasTools,
      isCommand: kind === 'command',
      say: isOurs ? () => undefined : soFar.add,
    });
    const saidBefore = soFar.text;
    const events = claimed(client.chat(chat), attempt);
    const reply = await readReply(events, gate.push, {
      enough: enoughOf({ isOurs, answerFormat }),
      contextLines: contextLinesOf(modelTurn.question),
    }).catch((error: unknown) => {
      const { streams, speaks } = modelTurn.question.turn;
      // Words that came meanwhile are those of the faster server.
      if (!attempt.signal.aborted)
        modelTurn.hasBrokenOff ||= (streams || speaks) && soFar.text !== saidBefore;
      throw error;
    });
    // The token count of pictures is unknown.
    if (modelTurn.pictures.length === 0) budget.learn(head, chat.messages, reply.end);
    modelTurn.dropped = dropped;
    modelTurn.spent(reply.end, { firstMs: reply.firstMs, totalMs: performance.now() - begunAt });
    return { ...reply, ...gate.end() };
  };

  return async (modelTurn: ModelTurn, request: ModelRequest): Promise<ModelReply> => {
    const { question, tools, pictures, dropped: before } = modelTurn;
    const { exchanges, message } = question;
    const parts = { head: request.head, exchanges, message, pictures, rounds: tools.rounds };
    // An exchange dropped once in a turn stays out.
    const first = Math.max(
      before,
      budget.excess(parts, request.facts, { reply_tokens: tokensFor(question) }),
    );
    for (const dropped of dropsToTry(first, exchanges.length)) {
      try {
        return await ask(modelTurn, dropped, request);
      } catch (error) {
        if (!isTooLong(error)) throw error;
      }
    }
    throw new AppError('question_too_long');
  };
}

/** Claims the turn before the first word. */
async function* claimed(events: AsyncIterable<ChatEvent>, { claim }: Attempt): AsyncGenerator<ChatEvent> {
  for await (const event of events) {
    claim();
    yield event;
  }
}

/** The request for the engine, without the oldest exchanges. */
function chatOf(
  { question, tools, pictures }: ModelTurn,
  dropped: number,
  { head, slot, attempt }: ModelRequest,
) {
  const { llm_model: model, temperature } = question.settings;
  const exchanges = question.exchanges.slice(dropped);
  return {
    messages: promptOf({ head, exchanges, newest: question.message, pictures, rounds: tools.rounds }),
    tools: head.tools.map(({ spec }) => spec),
    model,
    maxTokens: tokensFor(question),
    temperature,
    signal: attempt.signal,
    ...(slot !== undefined && { slot }),
    ...(question.turn.answerFormat && { format: question.turn.answerFormat }),
  };
}

type EnoughOptions = { isOurs: boolean; answerFormat: AnswerFormat | undefined };

/** Incomplete data is useless, so it counts as cut off. */
function enoughOf({ isOurs, answerFormat }: EnoughOptions): StopRule | undefined {
  if (answerFormat) return { is: isStuckData, finish: 'length' };
  return isOurs ? { is: isSentence, finish: 'stop' } : undefined;
}

/** Maximum answer length. Spoken answers are short; data may be long. */
function tokensFor({ turn, settings: { reply_tokens } }: Question): number {
  return turn.answerFormat ? Math.max(reply_tokens, dataTokens) : reply_tokens;
}

/** The words are not spoken, and one sentence shows that no call follows. */
function isSentence(text: string): boolean {
  return text.length > 80 || /[.!?]\s/.test(text);
}

function isTooLong(error: unknown): boolean {
  return error instanceof EngineError && error.status === 400 && /context/i.test(error.detail ?? '');
}
