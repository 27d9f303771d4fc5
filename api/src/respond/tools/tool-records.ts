import { z } from 'zod';
import { actionSchema } from '../../actions/action-store.ts';

const args = z.record(z.string(), z.unknown());

/** Whether a tool of ours may be used: for the action of this id, after this very question. */
export const toolQuestionSchema = z.object({
  kind: z.literal('tool'),
  name: z.string(),
  args,
  id: z.string(),
  question: z.string(),
});

/** Whether a tool of others may be used. */
export const mcpQuestionSchema = z.object({ kind: z.literal('mcp'), name: z.string(), args });

/** A tool of others was used; of one that was only begun nobody knows how it ended. */
export const mcpActionSchema = actionSchema.extend({
  kind: z.enum(['mcp.use', 'mcp.begin']),
  server: z.string(),
  tool: z.string(),
});

export type McpAction = z.infer<typeof mcpActionSchema>;
