import { z } from 'zod';
import type { ToolSpec } from '../../engines/tool-calls.ts';
import type { Ask } from '../core/skill.ts';

/** `read` changes nothing; `act` may. */
export type Effect = 'read' | 'act';

/**
 * The result of a call. `result` and `error` are data for the model; `said` is our sentence for the person.
 * - done: it happened, or was found out.
 * - failed: it did not happen.
 * - asks: nothing happened yet; the person has to say yes first.
 */
export type ToolOutcome =
  | { state: 'done'; result: Readonly<Record<string, unknown>>; said: string }
  | { state: 'failed'; error: string; said: string }
  | { state: 'asks'; said: string };

/**
 * A call as a tool receives it. `turn` has the id of the action, so that each of a turn's actions runs once.
 */
export interface ToolAsk extends Ask {
  /** The id of the turn that makes the call. */
  turnId: string;
  /**
   * The model has read private data and outside text. That text may make it send the data to a foreign tool.
   */
  mayLeak?: boolean;
  /** The person has said yes to this question about the action with this id. */
  agreed?: { question: string; id: string };
}

/** A function that the model may call. */
export interface Tool {
  spec: ToolSpec;
  effect: Effect;
  /**
   * Whether its results may contain outside text: a list, a page. After that, no tool acts in the same turn.
   */
  bringsWords: boolean;
  /** Its results come from outside the house, and are not stored. */
  isForeign?: true;
  /** Checks the model's arguments. Returns their fault, worded for the model. Null: they are valid. */
  fault(args: unknown): string | null;
  /** The question to ask before acting, if the person did not request the action. Null: act at once. */
  question?(args: unknown, ask: ToolAsk): Promise<string | null>;
  /** Call it with valid `args`, once the turn is confirmed. */
  run(args: unknown, ask: ToolAsk): Promise<ToolOutcome>;
}

interface ToolOptions<Args> {
  name: string;
  description: string;
  effect: Effect;
  bringsWords?: boolean;
  /** Properties in the order in which the model should write them. */
  args: z.ZodType<Args>;
  question?(args: Args, ask: ToolAsk): Promise<string | null>;
  run(args: Args, ask: ToolAsk): Promise<ToolOutcome>;
}

/** Defines one of our own tools. One schema describes its arguments to the model and checks them. */
export function defineTool<Args>(options: ToolOptions<Args>): Tool {
  const { name, description, effect, bringsWords = false, args: schema, question, run } = options;
  // The model does not need the version of JSON Schema.
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
