import { z } from 'zod';
import { AppError } from '../errors.ts';
import { routineSchema } from './routine.ts';

/** Routines for a worker to check: all of them, and the indexes of new or changed ones. */
export const routinesToCheckSchema = z.object({
  routines: z.array(routineSchema),
  changed: z.array(z.int()),
});
export type RoutinesToCheck = z.infer<typeof routinesToCheckSchema>;

/** The first fault of a routine and its path: `routines.0.steps.2.command`. */
export const routineFaultSchema = z.object({
  param: z.string(),
  kind: z.enum([
    'name_taken',
    'sentence_taken',
    'sentence_known',
    'starts_routine',
    'not_understood',
    'no_request',
    'asks_back',
    'acts',
    'refused',
  ]),
  /** The answer in the household's language. '': there is none. */
  text: z.string(),
});
export type RoutineFault = z.infer<typeof routineFaultSchema>;

const messages: Readonly<Record<RoutineFault['kind'], string>> = {
  name_taken: 'Another routine has this name.',
  sentence_taken: 'This sentence starts a routine already.',
  sentence_known:
    'Hearth already understands this sentence, and the routine would override it. Choose another one.',
  starts_routine: 'A routine cannot start a routine. Put its steps here instead.',
  not_understood: 'Hearth has no rule for this. Say it as one plain question or command.',
  no_request: 'This only makes sense as an answer to what was said before, so it cannot be a step.',
  asks_back: 'Hearth would have to ask a follow-up question. Put every detail into this step.',
  acts: 'This is a command. Make it a step of the kind "command".',
  refused: 'Hearth could not do this.',
};

/** Converts a fault for the HTTP response. */
export function routineError({ param, kind, text }: RoutineFault): AppError {
  const answer = text === '' ? '' : ` It would answer: "${text}"`;
  return new AppError('invalid_request', `${messages[kind]}${answer}`, { param });
}
