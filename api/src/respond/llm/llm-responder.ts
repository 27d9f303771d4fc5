import { EngineError } from '../../engines/engine-client.ts';
import { engineFault } from '../../engines/engine-fault.ts';
import { isToolRefusal, type LlmClient, type LlmFacts } from '../../engines/llm-client.ts';
import type { LlmSlots } from '../../engines/llm-slots.ts';
import { onAnyReplica, type Replica, replicasToTry } from '../../engines/replicas.ts';
import type { ToolCall } from '../../engines/tool-calls.ts';
import { AppError } from '../../errors.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { Answer, Question, Responder } from '../responder.ts';
import { createActionClaimGate } from '../tools/action-claims.ts';
import { mostRounds } from '../tools/tool-turn.ts';
import type { ToolWords } from '../tools/tool-words.ts';
import { estimateTokens, exchangesToDrop, tokensOfRounds } from './history.ts';
import { createModelTurn, type ModelTurn } from './model-turn.ts';
import { type PromptHead, promptOf } from './prompt.ts';
import type { PromptHeadOf } from './prompt-head.ts';
import { headText, learned } from './prompt-size.ts';
import { readReply } from './read-reply.ts';

/** English runs at about 4 bytes a token; starting low keeps the first prompts on the safe side. */
const firstBytesPerToken = 2.2;

/** Room for what the chat template adds and for an estimate that is a little off. */
const spareTokens = 128;

export type LlmReplica = Replica<LlmClient>;

interface LlmResponderOptions {
  replicas: readonly LlmReplica[];
  slots: LlmSlots;
  headOf: PromptHeadOf;
  words: ToolWords;
  /** Longest time that one tool may take. */
  toolMs?: number | undefined;
}

export interface LlmResponder extends Responder {
  /** Has the engine read a conversation, so that of the question that follows only its own words are new to it. Throws EngineError. */
  warm(spoken: Spoken): Promise<void>;
}

interface Spoken extends Pick<Question, 'exchanges' | 'settings' | 'signal'> {
  conversation: string;
  /** What the question will begin with. */
  beginning: string;
}

/** One request to the model, and what it is told first. */
interface Request {
  client: LlmClient;
  head: PromptHead;
  slot: number | undefined;
}

/** The language model: answers whatever nobody before it did. */
export function createLlmResponder(options: LlmResponderOptions): LlmResponder {
  const { replicas, slots, headOf, words, toolMs } = options;
  let bytesPerToken = firstBytesPerToken;

  /** Tokens that are left for what was said before and for the question. */
  const room = ({ contextTokens }: LlmFacts, head: PromptHead, { reply_tokens }: Pipeline) =>
    contextTokens - reply_tokens - spareTokens - estimateTokens(headText(head), bytesPerToken);

  const slotFor = async ({ url }: LlmReplica, facts: LlmFacts, conversation: string | null) =>
    facts.isLlamaCpp ? await slots.take({ engine: url, slots: facts.slots, conversation }) : null;

  /** How many exchanges to leave out: as few as will fit, and when the engine finds the prompt too long after all, half, then all of them. */
  const dropsOf = ({ question, tools, dropped }: ModelTurn, facts: LlmFacts, head: PromptHead) => {
    const { exchanges, message, settings } = question;
    const asked = estimateTokens(message, bytesPerToken) + tokensOfRounds(tools.rounds, bytesPerToken);
    const budgetTokens = room(facts, head, settings) - asked;
    const first = Math.max(dropped, exchangesToDrop(exchanges, { budgetTokens, bytesPerToken }));
    const all = exchanges.length;
    return new Set([first, first + Math.ceil((all - first) / 2), all]);
  };

  /** One attempt with a given part of the history. Words that claim nothing are said as they come. */
  const ask = async (modelTurn: ModelTurn, dropped: number, { client, head, slot }: Request) => {
    const { question, tools, reply: said } = modelTurn;
    const { llm_model: model, reply_tokens: mostTokens, temperature } = question.settings;
    const exchanges = question.exchanges.slice(dropped);
    const messages = promptOf({ head, exchanges, newest: question.message, rounds: tools.rounds });
    const chat = {
      messages,
      tools: head.tools.map(({ spec }) => spec),
      model,
      mostTokens,
      temperature,
      signal: question.signal,
      ...(slot !== undefined && { slot }),
    };
    const begunAt = performance.now();
    const isOurs = tools.speaksForItself;
    const gate = createActionClaimGate({
      actionClaims: words.actionClaims,
      isInformed: tools.isInformed,
      isStrict: head.tools.length > 0,
      say: isOurs ? () => undefined : said.add,
    });
    const saidBefore = said.text;
    const reply = await readReply(client.chat(chat), gate.push, isOurs ? isSentence : undefined).catch(
      (error: unknown) => {
        const { streams, speaks } = question.turn;
        modelTurn.hasBrokenOff ||= (streams || speaks) && said.text !== saidBefore;
        throw error;
      },
    );
    bytesPerToken = learned(bytesPerToken, headText(head), messages, reply.end);
    modelTurn.dropped = dropped;
    modelTurn.spent(reply.end, { firstMs: reply.firstMs, totalMs: performance.now() - begunAt });
    return { ...reply, ...gate.end() };
  };

  const askFitting = async (modelTurn: ModelTurn, facts: LlmFacts, request: Request) => {
    for (const dropped of dropsOf(modelTurn, facts, request.head)) {
      try {
        return await ask(modelTurn, dropped, request);
      } catch (error) {
        if (!isTooLong(error)) throw error;
      }
    }
    throw new AppError('question_too_long');
  };

  /** What the model wants done is done. Null: it is to go on from there. */
  const afterCalls = async (
    modelTurn: ModelTurn,
    calls: readonly ToolCall[],
    content: string,
    head: PromptHead,
  ) => {
    const { tools, reply, question } = modelTurn;
    reply.endPiece();
    if (tools.rounds.length >= mostRounds) {
      tools.tell(words.say('too_many_rounds', {}, question.turn));
      return modelTurn.answer();
    }
    const begunAt = performance.now();
    await tools.execute({ calls, content, tools: head.tools });
    modelTurn.spentOnTools(performance.now() - begunAt);
    return tools.asks ? modelTurn.answer() : null;
  };

  /** The model has finished. What was done, and what it only says it did, is told in our own words. */
  const afterWords = ({ tools, reply, question, answer }: ModelTurn, text: string, isWithheld: boolean) => {
    if (tools.end()) return answer();
    if (isWithheld) {
      reply.speak(words.say('not_done', {}, question.turn));
      return answer();
    }
    if (text === '') throw new AppError('llm_bad_answer', 'The language model gave no answer to that.');
    return answer(text);
  };

  /** Has one server think to the end. */
  const think = async (modelTurn: ModelTurn, replica: LlmReplica): Promise<Answer> => {
    const { question } = modelTurn;
    const { client } = replica;
    const facts = client.facts ?? (await client.discover(question.signal));
    const lease = await slotFor(replica, facts, question.turn.conversation);
    try {
      for (;;) {
        const head = headOf(client.facts ?? facts, question.settings);
        const request = { client, head, slot: lease?.slot };
        const { text, calls, said, isWithheld } = await askFitting(modelTurn, facts, request);
        const answer =
          calls.length > 0
            ? await afterCalls(modelTurn, calls, said, head)
            : afterWords(modelTurn, text, isWithheld);
        if (answer) return answer;
      }
    } finally {
      // Not waited for: whoever takes the slot next comes after us on the same connection, or after the turn's end.
      lease?.leave().catch(() => undefined);
    }
  };

  return {
    name: 'local',
    async respond(question) {
      if (replicas.length === 0) return null;
      const modelTurn = createModelTurn({ question, say: words.say, toolMs });
      let asked: LlmReplica | undefined;
      try {
        const key = question.turn.conversation ?? question.turn.id;
        const thinkOn = (replica: LlmReplica) => {
          asked = replica;
          // A server that refuses tools has said so now, and is asked again without.
          return think(modelTurn, replica).catch((error) => {
            if (!isToolRefusal(error)) throw error;
            return think(modelTurn, replica);
          });
        };
        return await onAnyReplica(replicas, key, thinkOn, () => modelTurn.hasBrokenOff);
      } catch (error) {
        // What was done is done and has been told, whatever became of the model.
        if (modelTurn.tools.hasTold && isOfModel(error)) return modelTurn.answer();
        throw engineFault('llm', error, asked?.status());
      }
    },

    async warm({ conversation, exchanges, beginning, settings, signal }) {
      const [replica] = replicasToTry(replicas, conversation);
      const facts = replica?.client.facts;
      // Any other server keeps what it has read as it likes.
      if (!replica || !facts?.isLlamaCpp) return;
      const head = headOf(facts, settings);
      const dropped = exchangesToDrop(exchanges, {
        budgetTokens: room(facts, head, settings),
        bytesPerToken,
      });
      const lease = await slotFor(replica, facts, conversation);
      if (!lease) return;
      // Given back at once: the question that follows is to get this very slot, and waits there for what is left to read.
      await lease.leave();
      const messages = promptOf({ head, exchanges: exchanges.slice(dropped), newest: beginning });
      for await (const { type } of replica.client.chat({
        messages,
        tools: head.tools.map(({ spec }) => spec),
        model: settings.llm_model,
        mostTokens: 1,
        signal,
        slot: lease.slot,
      })) {
        if (type === 'text') break;
      }
    },
  };
}

/** Of words that nobody hears a sentence is enough to know that no call follows. */
function isSentence(text: string): boolean {
  return text.length > 80 || /[.!?]\s/.test(text);
}

/** The model failed, and nothing else. */
function isOfModel(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'question_too_long' || error.code === 'llm_bad_answer';
  return error instanceof EngineError;
}

function isTooLong(error: unknown): boolean {
  return error instanceof EngineError && error.status === 400 && /context/i.test(error.detail ?? '');
}
