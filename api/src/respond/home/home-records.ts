import { z } from 'zod';
import { actionSchema } from '../../actions/action-store.ts';
import type { ByKind } from '../core/household-actions.ts';

/** An entity that a command changed, and its state before. */
const changedSchema = z.object({ id: z.string(), name: z.string(), before: z.string() });

export type Changed = z.infer<typeof changedSchema>;

const commandSchema = actionSchema.extend({
  /** The spoken words. */
  text: z.string(),
  /** The outcome is unknown. */
  isUnsure: z.boolean(),
});

/**
 * Commands to the house: reversible ones, partly reversible ones, ones without effect, and all others.
 * `left`: the entities that cannot be restored.
 */
export const homeActionSchemas = [
  commandSchema.extend({ kind: z.literal('home.switch'), changed: z.array(changedSchema) }),
  commandSchema.extend({
    kind: z.literal('home.partly'),
    changed: z.array(changedSchema),
    left: z.array(changedSchema),
  }),
  commandSchema.extend({ kind: z.literal(['home.same', 'home.command']) }),
] as const;

export type HomeAction = z.infer<(typeof homeActionSchemas)[number]>;

const choiceSchema = z.object({ id: z.string(), name: z.string() });

export type ThingChoice = z.infer<typeof choiceSchema>;

export const homeQuestionSchemas = [
  /** Home Assistant has asked back: the next sentence is its answer, for it alone. */
  z.object({ kind: z.literal('home.asked') }),
  /** The command may mean any of these entities. */
  z.object({ kind: z.literal('home.which'), text: z.string(), choices: z.array(choiceSchema) }),
  /** The command lacks its value, which stands in the text as {value}. */
  z.object({ kind: z.literal('home.value'), text: z.string() }),
  /** The command reaches all of the home, so it needs a yes. */
  z.object({ kind: z.literal('home.sweeping'), text: z.string(), choices: z.array(choiceSchema) }),
] as const;

type HomeQuestion = z.infer<(typeof homeQuestionSchemas)[number]>;

declare module '../core/household-actions.ts' {
  interface ActionsByKind extends ByKind<HomeAction> {}
}

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<HomeQuestion> {}
}
