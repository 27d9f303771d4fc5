import { z } from 'zod';
import { dayPartNames } from '../../../language/calendar/moment-reader.ts';
import { newTimerSchema } from '../../../timers/timer.ts';
import type { ByKind } from '../../core/household-actions.ts';

/** "to call mum", "about the dentist", "that dinner is ready", "reminder: the dentist" */
export const manners = ['to', 'about', 'that', 'of'] as const;

const label = z.string().nullable();
/** The subject of a reminder; null: nothing in particular. */
const what = z.object({ manner: z.enum(manners), text: z.string() }).nullable();

export type ReminderSubject = z.infer<typeof what>;

/** The time of day that was said without its day: "this weekend at nine". */
const timeOfDay = z.object({
  time: z
    .object({
      hour: z.number(),
      minute: z.number(),
      half: z.enum(['am', 'pm']).nullable(),
      isPlain: z.boolean(),
    })
    .nullable(),
  part: z.enum(dayPartNames).nullable(),
});
const timeSaid = timeOfDay.optional();

const day = z.object({ year: z.number(), month: z.number(), day: z.number() });

/** A change to a timer. It may have to wait until someone has said which timer. */
const stepSchema = z.object({
  how: z.enum(['more', 'to', 'at', 'ask', 'restart', 'cancel', 'pause', 'resume', 'name']),
  ms: z.number(),
  /** The new clock time. The moment depends on the timer: a morning alarm moves within the morning. */
  clock: timeOfDay.extend({ day: day.nullable() }).optional(),
  /** The new name. */
  label: z.string().optional(),
});

export type TimerStep = z.infer<typeof stepSchema>;

/** The day that was said without its time: "tomorrow at breakfast". */
const daySaid = day.optional();
/** The period that was said without its day: "in September". */
const period = z.object({ from: day, to: day }).optional();

/** A number that was said without its unit: "a timer for five". */
const count = z.number().optional();

/** The room in which it is to ring; null: where it is set. */
const room = z.string().nullable().optional();

/** The unit of the number that was asked for. */
const unit = z.enum(['minutes', 'hours']).optional();

/** It was asked twice, and is not asked again. */
const isRepeated = z.boolean().optional();

/** "A recurring alarm": asked on which days. */
const isRecurring = z.boolean().optional();

/** The questions about timers: which of the listed ones is meant, and when a new one should ring. */
export const timerQuestionSchemas = [
  z.object({ kind: z.literal('timer.which'), step: stepSchema, ids: z.array(z.string()) }),
  /** All of these, some of which were set elsewhere. */
  z.object({ kind: z.literal('timer.cancel_all'), ids: z.array(z.string()) }),
  /** With a new time for it, or else it is to be cancelled. */
  z.object({ kind: z.literal('timer.series'), id: z.string(), moveTo: z.number().optional() }),
  /** The new time of an existing one. */
  z.object({ kind: z.literal('timer.move'), id: z.string() }),
  /** In another room, because the house lacks the named one. */
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
export type WhichTimer = Extract<TimerQuestion, { kind: 'timer.which' }>;
/** Asked for a time, and for what. */
export type OpenTimer = Exclude<
  TimerQuestion,
  WhichTimer | { kind: 'timer.series' | 'timer.cancel_all' | 'timer.move' | 'timer.which_room' }
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
