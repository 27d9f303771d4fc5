import { z } from 'zod';
import type { SayReply } from '../core/skill-language.ts';

/** The contents of `skills/routines.yaml`. */
export const routinesShape = {
  replies: {
    contents: ['name', 'steps'],
    contents_say: ['text'],
    names: ['names'],
    none: [],
    not_done: ['what', 'why'],
    not_understood: ['what'],
    not_a_question: ['what'],
    slow: ['what'],
    slow_unsure: ['what'],
    failed: ['what'],
    no_time: ['what'],
    needs_yes: ['what'],
    shall_open: ['what'],
    cannot_ask: ['what'],
  },
  words: z.strictObject({ next: z.string(), and: z.string() }),
} as const;

export const routineIntents = ['start', 'tell', 'list'] as const;
export type RoutineIntent = (typeof routineIntents)[number];
export type SayRoutine = SayReply<keyof typeof routinesShape.replies>;
