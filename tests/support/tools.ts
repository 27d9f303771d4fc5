import { z } from 'zod';
import type { Ask } from '../../api/src/respond/core/skill.ts';
import { defineTool, type Effect, type Tool, type ToolOutcome } from '../../api/src/respond/model/tool.ts';

/** A tool that records its calls. */
export interface SpyTool extends Tool {
  ran: { args: unknown; turn: string }[];
}

interface SpyOptions {
  effect?: Effect;
  bringsWords?: boolean;
  outcome?: ToolOutcome | ((ask: Ask) => Promise<ToolOutcome>);
}

const done: ToolOutcome = { state: 'done', result: { ok: true }, said: 'It is done.' };

/** A tool with a whole number `n` as its only argument. */
export function toolNamed(name: string, { effect = 'act', bringsWords = false, outcome }: SpyOptions = {}) {
  const ran: SpyTool['ran'] = [];
  const tool = defineTool({
    name,
    description: `Does ${name}.`,
    effect,
    bringsWords,
    args: z.object({ n: z.int().min(0).optional() }),
    async run(args, ask) {
      ran.push({ args, turn: ask.turn.id });
      return typeof outcome === 'function' ? outcome(ask) : (outcome ?? done);
    },
  });
  return { ...tool, ran } satisfies SpyTool;
}
