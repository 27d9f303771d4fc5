import { rejectionOf } from '../../abort.ts';
import { actionId } from '../../actions/action-store.ts';
import type { Round } from '../../conversations/exchange.ts';
import type { ToolCall } from '../../engines/tool-calls.ts';
import { isRecord, parseJson } from '../../json.ts';
import type { Question } from '../core/responder.ts';
import { hasOthersWords, remembersOthersWords } from './leaks.ts';
import type { ReplySoFar } from './reply-so-far.ts';
import type { Tool, ToolAsk, ToolOutcome } from './tool.ts';
import { type CallOutcome, createToolAccount } from './tool-account.ts';
import type { SayTool } from './tool-words.ts';

/** Maximum number of rounds. A model that needs more is in a loop. */
export const maxRounds = 5;

/** A waiting person has no use for a slower tool. */
const maxToolMs = 20_000;

/** Maximum characters of a result for the model: a page of text. */
const maxResultLetters = 6_000;

interface ToolTurnOptions {
  question: Question;
  reply: ReplySoFar;
  say: SayTool;
  /** Maximum time for one call. */
  toolMs?: number;
}

/** Simultaneous calls of the model. */
interface Wanted {
  calls: readonly ToolCall[];
  /** The model's text before them, as far as it passed the filter. */
  content: string;
  /** The tools offered to the model. */
  tools: readonly Tool[];
}

export type ToolTurn = ReturnType<typeof createToolTurn>;

/**
 * The tools of one turn. Four rules hold whatever the model writes. Nothing runs before the turn is
 * confirmed, or with invalid arguments. No tool acts after the turn has read outside text. Once the model
 * knows private data and outside text, a foreign tool gets only the person's own words. After an action or a
 * failure, the reply holds only our own sentences, each made from a result.
 */
export function createToolTurn({ question, reply, say, toolMs = maxToolMs }: ToolTurnOptions) {
  const { turn } = question;
  const rounds: Round[] = [];
  /** The outcome of each action: an identical call neither runs nor is reported twice. */
  const acted = new Map<string, ToolOutcome>();
  const account = createToolAccount(reply);
  const whenAllowed = ({ effect }: Tool) =>
    effect === 'act' ? question.beginActing() : question.untilConfirmed();
  const failed = (error: string, key: 'not_after_reading' | 'too_slow'): ToolOutcome => ({
    state: 'failed',
    error,
    said: say(key, {}, turn),
  });

  const remembersOthers = remembersOthersWords(question.exchanges);

  /** Outside text may have told the model what to do with the household's data. */
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
    const fault = args === undefined ? 'The arguments are not JSON.' : tool.fault(args);
    if (fault !== null) return mistaken(fault);
    if (tool.effect === 'act' && !mayAct) return failed('Not allowed.', 'not_after_reading');
    const ask = { ...askOf(question, call, args), mayLeak: leaks };
    const before = acted.get(ask.turn.id);
    if (before) return { ...before, said: '' };
    await whenAllowed(tool);
    question.signal.throwIfAborted();
    const outcome = (await runInTime(tool, args, { ask, toolMs })) ?? failed('It took too long.', 'too_slow');
    if (tool.effect === 'act') acted.set(ask.turn.id, outcome);
    return outcome;
  };

  return {
    rounds,
    tell: account.tell,

    /** A tool looked something up in this turn. */
    get isInformed(): boolean {
      return account.isInformed;
    },
    /** Something was done or has failed: the model's words are no longer spoken. */
    get speaksForItself(): boolean {
      return account.hasTold || account.isMistaken;
    },
    /** An action or failure was reported. */
    get hasTold(): boolean {
      return account.hasTold;
    },
    /** The reply asks the person something, so this turn does nothing more. */
    get asks(): boolean {
      return account.asks;
    },

    /** Runs the calls one after another. */
    async execute({ calls, content, tools }: Wanted): Promise<void> {
      // The model chose all of these calls before it read any result.
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

    /** Ends the model's part. True: the reply is ours and has been spoken. */
    end(): boolean {
      if (account.isMistaken) account.tell(say('failed', {}, turn));
      if (account.hasTold) account.tell('');
      return account.hasTold;
    },

    /** The calls that the conversation stores: all of the turn, or none. */
    get kept(): readonly Round[] {
      return account.mayBeKept ? rounds : [];
    },
  };
}

const mistaken = (error: string): CallOutcome => ({ state: 'mistaken', error });

/** Runs a tool with a time limit. Null: it took too long. */
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

/** The result for the model. Results are data: our own JSON, truncated if too long. */
function resultOf(outcome: CallOutcome): string {
  if (outcome.state === 'failed' || outcome.state === 'mistaken')
    return JSON.stringify({ ok: false, error: outcome.error });
  if (outcome.state === 'asks') return JSON.stringify({ ok: false, error: 'The person is asked first.' });
  const whole = JSON.stringify(outcome.result);
  return whole.length <= maxResultLetters ? whole : `${whole.slice(0, maxResultLetters)}… (cut)`;
}

/** An identical call in the same turn is the same action. */
function askOf(
  { turn, settings, exchanges, signal, untilConfirmed, beginActing }: Question,
  call: ToolCall,
  args: unknown,
): ToolAsk {
  const id = actionId(turn.id, JSON.stringify([call.name, args]));
  return { turn: { ...turn, id }, turnId: turn.id, settings, exchanges, signal, untilConfirmed, beginActing };
}

/** Undefined: unreadable. Models often call a tool without parameters with no arguments at all. */
function argumentsOf({ arguments: words }: ToolCall): unknown {
  if (words.trim() === '') return {};
  // The model learns of invalid JSON as its mistake.
  return withoutNulls(parseJson(words));
}

/** Many models write null for omitted arguments. */
function withoutNulls(args: unknown): unknown {
  if (!isRecord(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/**
 * A call as it may appear in a prompt: with invalid JSON arguments the engine would refuse every later
 * prompt.
 */
function readable(call: ToolCall): ToolCall {
  return isRecord(argumentsOf(call)) && call.arguments.trim() !== '' ? call : { ...call, arguments: '{}' };
}
