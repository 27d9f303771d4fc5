import { z } from 'zod';
import { actionSchema } from '../../actions/action-store.ts';
import type { ByKind } from '../core/household-actions.ts';

const args = z.record(z.string(), z.unknown());

/** Asks whether to use one of our tools. A yes counts only for this question and this action's id. */
export const toolQuestionSchema = z.object({
  kind: z.literal('tool'),
  name: z.string(),
  args,
  id: z.string(),
  question: z.string(),
});

/** Asks whether to use an external tool. */
export const mcpQuestionSchema = z.object({ kind: z.literal('mcp'), name: z.string(), args });

/** A used external tool; one that only started has an unknown outcome. */
export const mcpActionSchema = actionSchema.extend({
  kind: z.enum(['mcp.use', 'mcp.begin']),
  server: z.string(),
  tool: z.string(),
});

export type McpAction = z.infer<typeof mcpActionSchema>;

type ToolQuestion = z.infer<typeof toolQuestionSchema>;
type McpQuestion = z.infer<typeof mcpQuestionSchema>;

declare module '../core/household-actions.ts' {
  interface ActionsByKind extends ByKind<McpAction> {}
}

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<ToolQuestion>, ByKind<McpQuestion> {}
}
