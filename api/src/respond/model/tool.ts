import { z } from 'zod';
import type { ToolSpec } from '../../engines/tool-calls.ts';
import type { Ask } from '../core/skill.ts';

/** Reading changes nothing; acting does. */
export type Effect = 'read' | 'act';

/**
 * The result of a call. `told` and `error` are for the model, as data; `said` are our own words for the
 * person.
 * - done: it happened, or was found out.
 * - failed: it did not happen.
 * - asks: nothing happened yet; the person has to say yes first.
 */
export type ToolOutcome =
  | { state: 'done'; told: Readonly<Record<string, unknown>>; said: string }
  | { state: 'failed'; error: string; said: string }
  | { state: 'asks'; said: string };

/**
 * A call as a tool is asked. `turn` has the id of the action, so that a turn can do several things, each
 * once.
 */
export interface ToolAsk extends Ask {
  /** The turn that asks. */
  turnId: string;
  /**
   * The model has read private data and words of strangers. Those words may make it send the data to an
   * outside tool.
   */
  mayLeak?: boolean;
  /** The person has said yes to this question, which was asked for the action of this id. */
  agreed?: { question: string; id: string };
}

/** A function that the model may call. */
export interface Tool {
  spec: ToolSpec;
  effect: Effect;
  /**
   * Whether its results hold words that others wrote: a list, a page. After such words no tool acts in the
   * same turn.
   */
  bringsWords: boolean;
  /** Its results come from outside the house, and are not kept. */
  isForeign?: true;
  /**
   * Checks the arguments that the model wrote. Null when they fit; else their fault, in words for the model.
   */
  fault(args: unknown): string | null;
  /**
   * The question to ask before acting, where the person's own words do not ask for it. Null: it can be done
   * at once.
   */
  question?(args: unknown, ask: ToolAsk): Promise<string | null>;
  /** `args` have no fault. The turn is certain. */
  run(args: unknown, ask: ToolAsk): Promise<ToolOutcome>;
}

interface ToolOptions<Args> {
  name: string;
  description: string;
  effect: Effect;
  bringsWords?: boolean;
  /** Properties in the order in which the model is to write them. */
  args: z.ZodType<Args>;
  question?(args: Args, ask: ToolAsk): Promise<string | null>;
  run(args: Args, ask: ToolAsk): Promise<ToolOutcome>;
}

/** A tool of our own: its arguments are described to the model and checked by one schema. */
export function defineTool<Args>(options: ToolOptions<Args>): Tool {
  const { name, description, effect, bringsWords = false, args: schema, question, run } = options;
  // The model need not know the draft of JSON Schema.
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return {
    spec: { name, description, parameters },
    effect,
    bringsWords,
    fault: (args) => {
      const { error } = schema.safeParse(args);
      return error ? faultOf(error) : null;
    },
    ...(question && { question: (args, ask) => question(schema.parse(args), ask) }),
    run: (args, ask) => run(schema.parse(args), ask),
  };
}

function faultOf({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join('.');
  return place ? `${place}: ${issue?.message}` : (issue?.message ?? 'The arguments do not fit.');
}
