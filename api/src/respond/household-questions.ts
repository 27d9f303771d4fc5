import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createPendingQuestions, type PendingQuestions } from '../actions/pending-questions.ts';
import { homeQuestionSchema } from './home/home-records.ts';
import { calendarQuestionSchemas } from './home-facts/calendar-records.ts';
import { laterQuestionSchema } from './later/later-asks.ts';
import { routineQuestionSchema } from './routines/routine-asks.ts';
import { announcementQuestionSchema } from './skills/announce/announce-asks.ts';
import { listQuestionSchemas } from './skills/lists/list-asks.ts';
import type { Ask } from './skills/skill.ts';
import { timerQuestionSchemas } from './skills/timers/timer-asks.ts';
import { mcpQuestionSchema, toolQuestionSchema } from './tools/tool-records.ts';

/** "Did you say ...?" After a yes the assistant answers those words: see `doubts.ts`. */
const doubtSchema = z.object({ kind: z.literal('doubt'), text: z.string() });

/**
 * Every question that the assistant asks back. For a new kind, add a schema next to the code that asks, and
 * list it here.
 */
const questionSchema = z.discriminatedUnion('kind', [
  doubtSchema,
  ...listQuestionSchemas,
  ...timerQuestionSchemas,
  announcementQuestionSchema,
  homeQuestionSchema,
  ...calendarQuestionSchemas,
  laterQuestionSchema,
  routineQuestionSchema,
  toolQuestionSchema,
  mcpQuestionSchema,
]);

/** A question that the assistant has asked back. */
export type PendingQuestion = z.infer<typeof questionSchema>;

type ByKind = { [Each in PendingQuestion as Each['kind']]: Each };

/** Handlers for a yes, by question kind; each receives the question. */
export type OnYes = {
  readonly [Kind in keyof ByKind]?: (question: ByKind[Kind], ask: Ask) => Promise<string>;
};

export type HouseholdQuestions = PendingQuestions<PendingQuestion>;

export function createHouseholdQuestions({ redis }: { redis: Redis }): HouseholdQuestions {
  return createPendingQuestions({ redis, schema: questionSchema });
}

/**
 * Runs the action that a yes confirms, through the skill that asked. Null: no skill handles this question.
 */
export async function agree(
  skills: readonly { onYes?: OnYes }[],
  question: PendingQuestion,
  ask: Ask,
): Promise<string | null> {
  return (await said(skills, { kind: question.kind, question, ask })) ?? null;
}

/** Passes the kind separately, so that the compiler sees that both types match. */
function said<Kind extends keyof ByKind>(
  skills: readonly { onYes?: OnYes }[],
  { kind, question, ask }: { kind: Kind; question: ByKind[Kind]; ask: Ask },
): Promise<string> | undefined {
  return skills.map(({ onYes }) => onYes?.[kind]).find((act) => act !== undefined)?.(question, ask);
}
