import type { ChatEnd } from '../../engines/llm-answer.ts';
import type { Span } from '../../turn/turn.ts';
import type { Answer, Question } from '../core/responder.ts';
import { createReplySoFar, type ReplySoFar } from './reply-so-far.ts';
import { createToolTurn, type ToolTurn } from './tool-turn.ts';
import type { SayTool } from './tool-words.ts';

/**
 * One question on its way through the model. It may take several requests: one per round of tool calls, and
 * one for the answer.
 */
export interface ModelTurn {
  question: Question;
  reply: ReplySoFar;
  tools: ToolTurn;
  /** Pictures sent with the question, as `data:` URLs. */
  pictures: readonly string[];
  /** How many of the oldest exchanges are dropped. */
  dropped: number;
  /** A request failed after the person had heard or read its first words. */
  hasBrokenOff: boolean;
  /** Records the tokens and time of a request. `firstMs`: until its first words. */
  spent(end: ChatEnd, times: { firstMs: number | null; totalMs: number }): void;
  /** The last answer was cut off at the length limit. */
  isCut(): boolean;
  /** Records the time spent on tools. */
  spentOnTools(ms: number): void;
  /**
   * The answer so far. `last` is the model's final text, if it ends the answer. Reasoning found only at the
   * end is already removed from it.
   */
  answer(last?: string): Answer;
}

interface ModelTurnOptions {
  question: Question;
  pictures?: readonly string[];
  say: SayTool;
  toolMs: number | undefined;
}

export function createModelTurn({ question, pictures = [], say, toolMs }: ModelTurnOptions): ModelTurn {
  const reply = createReplySoFar(question.say);
  const tools = createToolTurn({ question, reply, say, ...(toolMs !== undefined && { toolMs }) });
  const usage = { prompt: 0, cached: 0, answer: 0 };
  const times: { first: number | null; llm: number; tools: number } = { first: null, llm: 0, tools: 0 };
  const begunAt = performance.now();
  const steps: Span[] = [];
  const step = (name: string, took_ms: number): void => {
    steps.push({ name, start_ms: performance.now() - begunAt - took_ms, took_ms });
  };
  let isCounted = true;
  let finish: ChatEnd['finish'] = 'stop';

  const modelTurn: ModelTurn = {
    question,
    reply,
    tools,
    pictures,
    dropped: 0,
    hasBrokenOff: false,
    spent(end, { firstMs, totalMs }) {
      step('llm', totalMs);
      times.first ??= firstMs ?? totalMs;
      times.llm += totalMs;
      finish = end.finish;
      isCounted &&= end.promptTokens !== null && end.answerTokens !== null;
      usage.prompt += end.promptTokens ?? 0;
      usage.cached += end.cachedTokens ?? 0;
      usage.answer += end.answerTokens ?? 0;
    },
    isCut: () => finish === 'length',
    spentOnTools(ms) {
      step('tools', ms);
      times.tools += ms;
    },
    answer(last) {
      const rounds = [...tools.kept];
      const text = last === undefined ? reply.text : `${reply.textBefore} ${last}`.trim();
      const timings = { 'llm-first': times.first ?? times.llm, llm: times.llm };
      return {
        text,
        finish: last === undefined ? 'stop' : finish,
        usage: isCounted ? usage : null,
        timings: tools.rounds.length > 0 ? { ...timings, tools: times.tools } : timings,
        steps,
        dropped: modelTurn.dropped,
        ...(rounds.length > 0 && { kept: { assistant: last ?? reply.text, rounds } }),
      };
    },
  };
  return modelTurn;
}
