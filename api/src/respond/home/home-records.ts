import { z } from 'zod';
import { actionSchema } from '../../actions/action-store.ts';

/** A thing that a command has changed, and how it was before. */
const changedSchema = z.object({ id: z.string(), name: z.string(), before: z.string() });

export type Changed = z.infer<typeof changedSchema>;

const commandSchema = actionSchema.extend({
  /** As it was said. */
  text: z.string(),
  /** Nobody could see whether it was done. */
  isUnsure: z.boolean(),
});

/** Commands to the house: those that can be put back, those that changed nothing, and all others. */
export const homeActionSchemas = [
  commandSchema.extend({ kind: z.literal('home.switch'), changed: z.array(changedSchema) }),
  commandSchema.extend({ kind: z.literal(['home.same', 'home.command']) }),
] as const;

export type HomeAction = z.infer<(typeof homeActionSchemas)[number]>;

/** Home Assistant has asked back: what is said next is the answer, and for it alone. */
export const homeQuestionSchema = z.object({ kind: z.literal('home.asked') });
