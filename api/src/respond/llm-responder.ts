import { EngineError } from '../engines/engine-client.ts';
import { engineFault } from '../engines/engine-fault.ts';
import type { ChatEnd } from '../engines/llm-answer.ts';
import type { LlmClient, LlmFacts } from '../engines/llm-client.ts';
import type { LlmSlots } from '../engines/llm-slots.ts';
import { onAnyReplica, type Replica, replicasToTry } from '../engines/replicas.ts';
import { AppError } from '../errors.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import { estimateTokens, exchangesToDrop } from './history.ts';
import { instructions, promptOf } from './prompt.ts';
import { readReply } from './read-reply.ts';
import type { Answer, Question, Responder } from './responder.ts';

/** English runs at about 4 bytes a token; starting low keeps the first prompts on the safe side. */
const firstBytesPerToken = 2.2;

/** Room for what the chat template adds and for an estimate that is a little off. */
const spareTokens = 128;

export type LlmReplica = Replica<LlmClient>;

interface LlmResponderOptions {
  replicas: readonly LlmReplica[];
  slots: LlmSlots;
}

export interface LlmResponder extends Responder {
  /** Has the engine read a conversation, so that of the question that follows only its own words are new to it. Throws EngineError. */
  warm(spoken: Spoken): Promise<void>;
}

interface Spoken extends Pick<Question, 'exchanges' | 'settings' | 'signal'> {
  conversation: string;
}

/** The language model: answers whatever nobody before it did. */
export function createLlmResponder({ replicas, slots }: LlmResponderOptions): LlmResponder {
  let bytesPerToken = firstBytesPerToken;

  /** Tokens that are left for what was said before and for the question. */
  const room = ({ contextTokens }: LlmFacts, { persona, reply_tokens }: Pipeline) =>
    contextTokens - reply_tokens - spareTokens - estimateTokens(instructions(persona), bytesPerToken);

  const slotFor = async ({ url }: LlmReplica, facts: LlmFacts, conversation: string | null) =>
    facts.isLlamaCpp ? await slots.take({ engine: url, slots: facts.slots, conversation }) : null;

  /** One attempt with a given part of the history. */
  const ask = async (
    question: Question,
    { client }: LlmReplica,
    dropped: number,
    slot: number | undefined,
  ) => {
    const { persona, llm_model: model, reply_tokens: mostTokens, temperature } = question.settings;
    const messages = promptOf(question.exchanges.slice(dropped), question.message, persona);
    const begunAt = performance.now();
    const chat = {
      messages,
      model,
      mostTokens,
      temperature,
      signal: question.signal,
      ...(slot !== undefined && { slot }),
    };
    const { text, firstMs, end } = await readReply(client.chat(chat), question.say);
    if (text === '') throw new AppError('llm_bad_answer', 'The language model gave no answer to that.');
    bytesPerToken = learned(bytesPerToken, messages, end);
    const totalMs = performance.now() - begunAt;
    const { finish, promptTokens: prompt, cachedTokens: cached, answerTokens: tokens } = end;
    return {
      text,
      finish,
      usage: prompt !== null && tokens !== null ? { prompt, cached: cached ?? 0, answer: tokens } : null,
      timings: { 'llm-first': firstMs ?? totalMs, llm: totalMs },
      dropped,
    };
  };

  /** Asks; when the engine finds the prompt too long after all, leaves out half of the history, then all of it. */
  const askFitting = async (question: Question, replica: LlmReplica): Promise<Answer> => {
    const facts = replica.client.facts ?? (await replica.client.discover(question.signal));
    const budgetTokens = room(facts, question.settings) - estimateTokens(question.message, bytesPerToken);
    const all = question.exchanges.length;
    const first = exchangesToDrop(question.exchanges, { budgetTokens, bytesPerToken });
    const lease = await slotFor(replica, facts, question.turn.conversation);
    try {
      for (const dropped of new Set([first, first + Math.ceil((all - first) / 2), all])) {
        try {
          return await ask(question, replica, dropped, lease?.slot);
        } catch (error) {
          if (!isTooLong(error)) throw error;
        }
      }
      throw new AppError('question_too_long');
    } finally {
      // Not waited for: whoever takes the slot next comes after us on the same connection, or after the turn's end.
      lease?.leave().catch(() => undefined);
    }
  };

  return {
    name: 'local',
    async respond(question) {
      if (replicas.length === 0) return null;
      let asked: LlmReplica | undefined;
      try {
        return await onAnyReplica(replicas, question.turn.conversation ?? question.turn.id, (replica) => {
          asked = replica;
          return askFitting(question, replica);
        });
      } catch (error) {
        throw engineFault('llm', error, asked?.status());
      }
    },

    async warm({ conversation, exchanges, settings, signal }) {
      const [replica] = replicasToTry(replicas, conversation);
      const facts = replica?.client.facts;
      // Any other server keeps what it has read as it likes.
      if (!replica || !facts?.isLlamaCpp) return;
      const dropped = exchangesToDrop(exchanges, { budgetTokens: room(facts, settings), bytesPerToken });
      const lease = await slotFor(replica, facts, conversation);
      if (!lease) return;
      // Given back at once: the question that follows is to get this very slot, and waits there for what is left to read.
      await lease.leave();
      const messages = promptOf(exchanges.slice(dropped), null, settings.persona);
      for await (const { type } of replica.client.chat({
        messages,
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

/** Follows the engine's own count of the prompt, quickly down to be safe and slowly up. */
function learned(known: number, messages: readonly { content: string }[], end: ChatEnd): number {
  if (!end.promptTokens) return known;
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const seen = bytes / end.promptTokens;
  return Math.max(0.5, seen < known ? seen : known + (seen - known) / 8);
}

function isTooLong(error: unknown): boolean {
  return error instanceof EngineError && error.status === 400 && /context/i.test(error.detail ?? '');
}
