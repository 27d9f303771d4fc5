import { type Attempt, onAnyReplica } from '../../engines/any-replica.ts';
import { EngineError } from '../../engines/engine-client.ts';
import { engineFault } from '../../engines/engine-fault.ts';
import { isPictureRefusal, isToolRefusal, type LlmClient } from '../../engines/llm-client.ts';
import type { LlmFacts } from '../../engines/llm-facts.ts';
import type { LlmSlots } from '../../engines/llm-slots.ts';
import { ranOnOf } from '../../engines/replicas.ts';
import { AppError } from '../../errors.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { PictureTransport } from '../../turn/picture-transport.ts';
import { type Answer, aside, type Question, type Responder } from '../core/responder.ts';
import type { Unsupported } from '../unsupported/unsupported.ts';
import { createConversationWarmer, type SpokenConversation } from './conversation-warmer.ts';
import { type LlmReplica, takeSlot } from './llm-replica.ts';
import { createModelRequest, type ModelReply } from './model-request.ts';
import { createModelTurn, type ModelTurn } from './model-turn.ts';
import { createPromptBudget } from './prompt-budget.ts';
import type { PromptHeadOf } from './prompt-head.ts';
import type { Tool } from './tool.ts';
import { maxRounds } from './tool-turn.ts';
import type { SayTool, ToolWords } from './tool-words.ts';

interface LlmResponderOptions {
  replicas: readonly LlmReplica[];
  slots: LlmSlots;
  headOf: PromptHeadOf;
  words: ToolWords;
  /** Detects commands that only a model with tools may see. */
  unsupported: Pick<Unsupported, 'kindOf' | 'replyTo'>;
  pictures: Pick<PictureTransport, 'of'>;
  /** Maximum time for one tool. */
  toolMs?: number | undefined;
}

export interface LlmResponder extends Responder {
  /**
   * Makes the engine read a conversation in advance, so that only the next question is new to it. Throws
   * EngineError.
   */
  warm(spoken: SpokenConversation): Promise<void>;
}

/** The language model: answers every question that no other responder took. */
export function createLlmResponder(options: LlmResponderOptions): LlmResponder {
  const { replicas, slots, headOf, words, unsupported, pictures, toolMs } = options;
  const budget = createPromptBudget();
  const request = createModelRequest({
    budget,
    actionClaims: words.actionClaims,
    kindOf: unsupported.kindOf,
  });

  /** The refusal of a command, if this model has no tools. */
  const refusalOf = (question: Question, facts: LlmFacts): string | null => {
    const { turn, exchanges, settings } = question;
    if (turn.modelOnly === 'more' && exchanges.at(-1)?.isOurs) return words.say('nothing_more', {}, turn);
    const mayAct = !isForTools(question) || headOf(facts, settings).tools.length > 0;
    return mayAct ? null : unsupported.replyTo(question);
  };

  /** Runs a model turn on one server to its end. */
  const think = async (modelTurn: ModelTurn, replica: LlmReplica, attempt: Attempt): Promise<Answer> => {
    const { question } = modelTurn;
    const { client } = replica;
    const facts = client.facts ?? (await client.discover(attempt.signal));
    checkSight(modelTurn, facts);
    const refusal = refusalOf(question, facts);
    if (refusal !== null) {
      attempt.claim();
      return refused(modelTurn, refusal);
    }
    const { conversation } = question.turn;
    const lease = await takeSlot(replica, { slots, facts, conversation });
    try {
      for (;;) {
        const head = headOf(client.facts ?? facts, settingsFor(question));
        const reply = await request(modelTurn, { client, facts, head, slot: lease?.slot, attempt });
        const answer =
          reply.calls.length > 0
            ? await afterCalls(modelTurn, reply, { tools: head.tools, say: words.say })
            : afterWords(modelTurn, reply, words.say);
        if (answer) return answer;
      }
    } finally {
      // Not awaited: the next taker uses the same connection after this, or comes after the turn's end.
      void lease?.leave();
    }
  };

  return {
    name: 'local',
    async respond(question) {
      if (replicas.length === 0) return null;
      const shown = await pictures.of(question.turn, question.signal);
      const modelTurn = createModelTurn({ question, pictures: shown, say: words.say, toolMs });
      let tried: LlmReplica | undefined;
      try {
        const key = question.turn.conversation ?? question.turn.id;
        const thinkOn = (replica: LlmReplica, attempt: Attempt) => {
          tried = replica;
          // A server that refuses tools has just said so; the retry goes without them.
          const answering = think(modelTurn, replica, attempt).catch((error) => {
            if (!isToolRefusal(error)) throw error;
            return think(modelTurn, replica, attempt);
          });
          return answering.then((answer) => ({ ...answer, ranOn: ranOnOf('llm', replica) }));
        };
        return await onAnyReplica(replicas, key, thinkOn, {
          signal: question.signal,
          mayHedge: canReplace,
          isBegun: () => modelTurn.hasBrokenOff,
          isAble: ({ facts }) => shown.length === 0 || facts?.sees !== false,
        });
      } catch (error) {
        // The model failed, but the tools have acted and the reply has reported it.
        if (modelTurn.tools.hasTold && isOfModel(error)) return ours(modelTurn);
        if (shown.length > 0 && isPictureRefusal(error)) throw unreadable(error);
        throw engineFault('llm', error, (tried ?? replicas[0])?.status());
      }
    },

    warm: createConversationWarmer({ replicas, slots, headOf, budget }),
  };
}

/**
 * No tools for data requests: an engine forced to write JSON cannot call tools. None for pictures either:
 * text in a picture is not a request by the user.
 */
function settingsFor(question: Question): Pipeline {
  return isForTools(question) ? question.settings : { ...question.settings, tools: false };
}

function isForTools({ turn }: Question): boolean {
  return !turn.answerFormat && !turn.pictures && !turn.modelOnly;
}

function checkSight({ pictures }: ModelTurn, { sees }: LlmFacts): void {
  if (pictures.length > 0 && !sees)
    throw new AppError('invalid_request', 'The language model of this household cannot see pictures.');
}

/** Whether the second model can do what the first one can. */
function canReplace(first: LlmClient, second: LlmClient): boolean {
  return second.facts?.callsTools !== false || first.facts?.callsTools === false;
}

/** This model cannot carry out the command, so it never sees it. */
function refused({ reply, answer }: ModelTurn, text: string): Answer {
  reply.speak(text);
  return { ...answer(), isOurs: true, kept: aside(text) };
}

function unreadable(cause: unknown): AppError {
  return new AppError(
    'invalid_request',
    'The language model cannot read this picture. All models read JPEG and PNG.',
    { cause },
  );
}

/** The answer as our own text has worded it. */
function ours({ answer }: ModelTurn): Answer {
  return { ...answer(), isOurs: true };
}

/** Runs the tools that the model calls. Null: the model continues with their results. */
async function afterCalls(
  modelTurn: ModelTurn,
  { calls, said }: Pick<ModelReply, 'calls' | 'said'>,
  { tools: offered, say }: { tools: readonly Tool[]; say: SayTool },
): Promise<Answer | null> {
  const { tools, reply, question } = modelTurn;
  reply.endPiece();
  if (tools.rounds.length >= maxRounds) {
    tools.tell(say('too_many_rounds', {}, question.turn));
    return ours(modelTurn);
  }
  const begunAt = performance.now();
  await tools.execute({ calls, content: said, tools: offered });
  modelTurn.spentOnTools(performance.now() - begunAt);
  return tools.asks ? ours(modelTurn) : null;
}

/**
 * The answer after the model has finished. Our own text reports actions, and denies actions that the model
 * only claims.
 */
function afterWords(
  modelTurn: ModelTurn,
  { text, isWithheld }: Pick<ModelReply, 'text' | 'isWithheld'>,
  say: SayTool,
): Answer {
  const { tools, reply, question, answer, isCut } = modelTurn;
  if (tools.end()) return ours(modelTurn);
  if (question.turn.answerFormat) return answer(checkedData(text, { isWithheld, isCut: isCut() }));
  if (isWithheld) {
    reply.speak(say('not_done', {}, question.turn));
    return ours(modelTurn);
  }
  if (text === '') throw new AppError('llm_bad_answer', 'The language model gave no answer.');
  return answer(text);
}

/**
 * Throws AppError if the model did not write the requested format. Half of it, or a claim, would pass for
 * data.
 */
function checkedData(text: string, { isWithheld, isCut }: { isWithheld: boolean; isCut: boolean }): string {
  if (isWithheld)
    throw new AppError('llm_bad_answer', 'The language model claimed an action, but nothing was done.');
  if (!isCut && !isJson(text))
    throw new AppError('llm_bad_answer', 'The language model did not write the requested JSON.');
  return text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Only the model failed. */
function isOfModel(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'question_too_long' || error.code === 'llm_bad_answer';
  return error instanceof EngineError;
}
