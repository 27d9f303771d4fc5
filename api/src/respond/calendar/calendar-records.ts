import { z } from 'zod';
import { actionSchema } from '../../actions/action-store.ts';
import type { ByKind } from '../core/household-actions.ts';

const optional = z.string().nullish();
const entrySchema = z.object({
  summary: z.string(),
  start: z.string(),
  end: z.string(),
  uid: optional,
  description: optional,
  location: optional,
});

/** A calendar entry as stored for an answer or an undo. */
export type StoredEntry = z.infer<typeof entrySchema>;

const calendarSchema = z.object({ id: z.string(), name: z.string() });

export type StoredCalendar = z.infer<typeof calendarSchema>;

/**
 * The missing detail of a new entry: its day, its time, or its calendar. `said` holds everything the person
 * has said about it.
 */
const openEntrySchema = z.object({
  kind: z.literal('calendar.add'),
  need: z.enum(['when', 'time', 'calendar']),
  said: z.array(z.string()),
  calendar: z.string().nullable(),
});

export type OpenEntry = z.infer<typeof openEntrySchema>;

/** Asks whether to delete this entry. */
const removalSchema = z.object({
  kind: z.literal('calendar.remove'),
  calendar: calendarSchema,
  entry: entrySchema,
});

export const calendarQuestionSchemas = [openEntrySchema, removalSchema] as const;

/** A change of a calendar. No `before`: the entry is new. No `after`: it was deleted. */
export const calendarActionSchema = actionSchema.extend({
  kind: z.literal('calendar.change'),
  calendar: calendarSchema,
  before: entrySchema.nullable(),
  after: entrySchema.nullable(),
});

export type CalendarAction = z.infer<typeof calendarActionSchema>;

type CalendarQuestion = z.infer<(typeof calendarQuestionSchemas)[number]>;

declare module '../core/household-actions.ts' {
  interface ActionsByKind extends ByKind<CalendarAction> {}
}

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<CalendarQuestion> {}
}
