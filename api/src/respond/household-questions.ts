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

/** "Did you say ...?" Its yes is answered as if those words had been said: see `doubts.ts`. */
const doubtSchema = z.object({ kind: z.literal('doubt'), text: z.string() });

/** Every question that the assistant asks back. For a new kind, add a schema beside the code that asks, and a name to this list. */
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

/** The answers to a yes, by the question's kind; each is given the question. */
export type OnYes = {
  readonly [Kind in keyof ByKind]?: (question: ByKind[Kind], ask: Ask) => Promise<string>;
};

export type HouseholdQuestions = PendingQuestions<PendingQuestion>;

export function createHouseholdQuestions({ redis }: { redis: Redis }): HouseholdQuestions {
  return createPendingQuestions({ redis, schema: questionSchema });
}

/** Has the skill that asked do what a yes agrees to. Null: no skill acts on a yes to this question. */
export async function agree(
  skills: readonly { onYes?: OnYes }[],
  question: PendingQuestion,
  ask: Ask,
): Promise<string | null> {
  return (await said(skills, { kind: question.kind, question, ask })) ?? null;
}

/** The kind for itself, so that the compiler knows that both are of the same one. */
function said<Kind extends keyof ByKind>(
  skills: readonly { onYes?: OnYes }[],
  { kind, question, ask }: { kind: Kind; question: ByKind[Kind]; ask: Ask },
): Promise<string> | undefined {
  return skills.map(({ onYes }) => onYes?.[kind]).find((act) => act !== undefined)?.(question, ask);
}
