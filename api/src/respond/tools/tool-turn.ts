import { rejectionOf } from '../../abort.ts';
import { actionId } from '../../actions/action-store.ts';
import type { ToolCall } from '../../engines/tool-calls.ts';
import { isRecord, parseJson } from '../../json.ts';
import type { Round } from '../../turn/turn.ts';
import type { ReplySoFar } from '../llm/reply-so-far.ts';
import type { Question } from '../responder.ts';
import { hasOthersWords, remembersOthersWords } from './leaks.ts';
import type { Tool, ToolAsk, ToolOutcome } from './tool.ts';
import { type CallOutcome, createToolAccount } from './tool-account.ts';
import type { SayTool } from './tool-words.ts';

/** No question needs more: a model that goes on calling is going round in circles. */
export const maxRounds = 5;

/** Nobody who stands and waits has use for a slower tool. */
const maxToolMs = 20_000;

/** Most letters that a call may give back to the model: a page of text. */
const maxResultLetters = 6_000;

interface ToolTurnOptions {
  question: Question;
  reply: ReplySoFar;
  say: SayTool;
  /** Longest time that one call may take. */
  toolMs?: number;
}

/** The calls that the model makes at once. */
interface Wanted {
  calls: readonly ToolCall[];
  /** Its words before them, as far as they were let through. */
  content: string;
  /** The tools that it was offered. */
  tools: readonly Tool[];
}

export type ToolTurn = ReturnType<typeof createToolTurn>;

/**
 * The tools that one turn uses. Four rules hold whatever the model writes:
 * - Nothing runs before the turn is certain, or with arguments that do not fit.
 * - No tool acts after words of others have been read in this turn.
 * - A foreign tool learns no more than the person's own words once the model knows something private and words of others.
 * - As soon as something was done or has failed, only our own sentences are said, each made from a result.
 */
export function createToolTurn({ question, reply, say, toolMs = maxToolMs }: ToolTurnOptions) {
  const { turn } = question;
  const rounds: Round[] = [];
  /** The outcome of each action: the very same again is not done, and not told, twice. */
  const acted = new Map<string, ToolOutcome>();
  const account = createToolAccount(reply);
  const failed = (error: string, key: 'not_after_reading' | 'too_slow'): ToolOutcome => ({
    state: 'failed',
    error,
    said: say(key, {}, turn),
  });

  const remembersOthers = remembersOthersWords(question.exchanges);

  /** Someone else's words may have told the model what to do with what it knows of this household. */
  const mayLeak = () =>
    (account.hasReadOwn || question.exchanges.length > 0) &&
    (account.hasReadWords || remembersOthers || hasOthersWords(turn.text));

  const run = async (
    call: ToolCall,
    tool: Tool | undefined,
    { mayAct, leaks }: { mayAct: boolean; leaks: boolean },
  ): Promise<CallOutcome> => {
    if (!tool) return mistaken(`There is no tool "${call.name.slice(0, 64)}".`);
    const args = argumentsOf(call);
    const fault = args === undefined ? 'The arguments are no JSON.' : tool.fault(args);
    if (fault !== null) return mistaken(fault);
    if (tool.effect === 'act' && !mayAct) return failed('Not allowed.', 'not_after_reading');
    const ask = { ...askOf(question, call, args), mayLeak: leaks };
    const before = acted.get(ask.turn.id);
    if (before) return { ...before, said: '' };
    await question.certain();
    question.signal.throwIfAborted();
    const outcome = (await runInTime(tool, args, { ask, toolMs })) ?? failed('It took too long.', 'too_slow');
    if (tool.effect === 'act') acted.set(ask.turn.id, outcome);
    return outcome;
  };

  return {
    rounds,
    tell: account.tell,

    /** Something was looked up in this turn. */
    get isInformed(): boolean {
      return account.isInformed;
    },
    /** Something was done or has failed: the model's words are not said any more. */
    get speaksForItself(): boolean {
      return account.hasTold || account.isMistaken;
    },
    /** Something was done, or failed, and that has been said. */
    get hasTold(): boolean {
      return account.hasTold;
    },
    /** The person is asked something: there is nothing more to be done in this turn. */
    get asks(): boolean {
      return account.asks;
    },

    /** Runs the calls one after the other. */
    async execute({ calls, content, tools }: Wanted): Promise<void> {
      // The model decided on all of these calls before it read any of their results.
      const rules = { mayAct: !account.hasReadWords, leaks: mayLeak() };
      const results: string[] = [];
      for (const call of calls) {
        const tool = tools.find(({ spec }) => spec.name === call.name);
        const outcome = account.asks ? waits : await run(call, tool, rules);
        account.add(call.name, tool, outcome);
        results.push(resultOf(outcome));
      }
      rounds.push({ content, calls: calls.map(readable), results });
    },

    /** The model has finished. True: the reply is ours, and said. */
    end(): boolean {
      if (account.isMistaken) account.tell(say('failed', {}, turn));
      if (account.hasTold) account.tell('');
      return account.hasTold;
    },

    /** The calls that the conversation keeps: all of the turn, or none. */
    get kept(): readonly Round[] {
      return account.mayBeKept ? rounds : [];
    },
  };
}

const mistaken = (error: string): CallOutcome => ({ state: 'mistaken', error });

/** Runs a tool, and waits for it no longer than somebody waits for an answer. Null: it took too long. */
async function runInTime(
  tool: Tool,
  args: unknown,
  { ask, toolMs }: { ask: ToolAsk; toolMs: number },
): Promise<ToolOutcome | null> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), toolMs);
  const signal = AbortSignal.any([ask.signal, late.signal]);
  try {
    return await Promise.race([tool.run(args, { ...ask, signal }), rejectionOf(signal)]);
  } catch (error) {
    ask.signal.throwIfAborted();
    if (late.signal.aborted) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const waits: ToolOutcome = { state: 'failed', error: 'The person is asked something else first.', said: '' };

/** The result as the model reads it. Results are data: our own JSON, cut where it grows too long. */
function resultOf(outcome: CallOutcome): string {
  if (outcome.state === 'failed' || outcome.state === 'mistaken')
    return JSON.stringify({ ok: false, error: outcome.error });
  if (outcome.state === 'asks') return JSON.stringify({ ok: false, error: 'The person is asked first.' });
  const whole = JSON.stringify(outcome.told);
  return whole.length <= maxResultLetters ? whole : `${whole.slice(0, maxResultLetters)}… (cut)`;
}

/** The same call again in the same turn is the same action. */
function askOf({ turn, exchanges, signal, certain }: Question, call: ToolCall, args: unknown): ToolAsk {
  const id = actionId(turn.id, JSON.stringify([call.name, args]));
  return { turn: { ...turn, id }, turnId: turn.id, exchanges, signal, certain };
}

/** Undefined: they cannot be read. A tool without arguments is often called with none at all. */
function argumentsOf({ arguments: words }: ToolCall): unknown {
  if (words.trim() === '') return {};
  // The model hears of arguments that are no JSON as its mistake.
  return withoutNulls(parseJson(words));
}

/** Many models write null for what they leave out. */
function withoutNulls(args: unknown): unknown {
  if (!isRecord(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** A call as it may stand in a prompt: one whose arguments are no JSON object would make the engine refuse every later one. */
function readable(call: ToolCall): ToolCall {
  return isRecord(argumentsOf(call)) && call.arguments.trim() !== '' ? call : { ...call, arguments: '{}' };
}
