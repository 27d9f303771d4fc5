import { z } from 'zod';
import { dayPartNames } from '../../../language/calendar/moment-reader.ts';
import { newTimerSchema } from '../../../timers/timer.ts';
import type { ByKind } from '../../core/household-actions.ts';

/** "to call mum", "about the dentist", "that dinner is ready", "reminder: the dentist" */
export const manners = ['to', 'about', 'that', 'of'] as const;

const label = z.string().nullable();
/** The subject of a reminder. Null: none. */
const what = z.object({ manner: z.enum(manners), text: z.string() }).nullable();

export type ReminderSubject = z.infer<typeof what>;

/** The spoken time of day if its day is open: "this weekend at nine". */
const timeOfDay = z.object({
  time: z
    .object({
      hour: z.number(),
      minute: z.number(),
      half: z.enum(['am', 'pm']).nullable(),
      isPlain: z.boolean(),
      isAnyHour: z.literal(true).optional(),
    })
    .nullable(),
  part: z.enum(dayPartNames).nullable(),
});
const timeSaid = timeOfDay.optional();

const day = z.object({ year: z.number(), month: z.number(), day: z.number() });

/** A change to a timer, which may wait for the answer to "which timer?". */
const stepSchema = z.object({
  how: z.enum(['more', 'to', 'at', 'ask', 'restart', 'cancel', 'pause', 'resume', 'name']),
  ms: z.number(),
  /** The new clock time. The moment depends on the timer: a morning alarm moves within the morning. */
  clock: timeOfDay.extend({ day: day.nullable() }).optional(),
  /** The new name. */
  label: z.string().optional(),
});

export type TimerStep = z.infer<typeof stepSchema>;

/** The spoken day if its time is open: "tomorrow at breakfast". */
const daySaid = day.optional();
/** The spoken period if its day is open: "in September". */
const period = z.object({ from: day, to: day }).optional();

/** The spoken number if its unit is open: "a timer for five". */
const count = z.number().optional();

/** The room in which it rings. Null: the place where it was set. */
const room = z.string().nullable().optional();

/** The unit of the requested number. */
const unit = z.enum(['minutes', 'hours']).optional();

/** The question was asked twice, and is not repeated again. */
const isRepeated = z.boolean().optional();

/** "A recurring alarm": the question is on which days. */
const isRecurring = z.boolean().optional();

/** The questions about timers: which of the listed ones is meant, and when a new one should ring. */
export const timerQuestionSchemas = [
  z.object({ kind: z.literal('timer.which'), step: stepSchema, ids: z.array(z.string()) }),
  /** Whether to cancel or pause all of these. Some were set elsewhere. */
  z.object({ kind: z.literal('timer.all'), how: z.enum(['cancel', 'pause']), ids: z.array(z.string()) }),
  /** Whether one occurrence or all. With `moveTo` they move; without it they are cancelled. */
  z.object({ kind: z.literal('timer.series'), id: z.string(), moveTo: z.number().optional() }),
  /** The new time of an existing one. */
  z.object({ kind: z.literal('timer.move'), id: z.string() }),
  /** The room for new timers, because the house lacks the named one. */
  z.object({ kind: z.literal('timer.which_room'), timers: z.array(newTimerSchema) }),
  z.object({ kind: z.literal('timer.how_long'), label, room, count, unit, isRepeated }),
  z.object({
    kind: z.literal('timer.for_when'),
    label,
    purpose: z.enum(['wake', 'alarm']),
    room,
    unit,
    timeSaid,
    daySaid,
    period,
    isRepeated,
    isRecurring,
  }),
  z.object({
    kind: z.literal('timer.remind_when'),
    what,
    room,
    count,
    unit,
    timeSaid,
    daySaid,
    period,
    isRepeated,
    isRecurring,
  }),
] as const;

type TimerQuestion = z.infer<(typeof timerQuestionSchemas)[number]>;
export type AllTimers = Extract<TimerQuestion, { kind: 'timer.all' }>;
export type WhichTimer = Extract<TimerQuestion, { kind: 'timer.which' }>;
/** A question for the time of a new timer. */
export type OpenTimer = Exclude<
  TimerQuestion,
  WhichTimer | { kind: 'timer.series' | 'timer.all' | 'timer.move' | 'timer.which_room' }
>;

export function isOpen(question: { kind: string }): question is OpenTimer {
  return (
    question.kind === 'timer.how_long' ||
    question.kind === 'timer.for_when' ||
    question.kind === 'timer.remind_when'
  );
}

declare module '../../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<TimerQuestion> {}
}
