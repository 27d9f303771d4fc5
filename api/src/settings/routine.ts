import { z } from 'zod';

/** Letters, digits and common punctuation: speakable, and without the special characters of templates. */
const spoken = /^(?=.*[\p{L}\p{N}])[\p{L}\p{M}\p{N} .,'’!?-]+$/u;
const step = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^\p{Cc}\p{Cs}]*[\p{L}\p{N}][^\p{Cc}\p{Cs}]*$/u);

const routineStepSchema = z
  .strictObject({ say: step.exactOptional(), ask: step.exactOptional(), command: step.exactOptional() })
  .refine((each) => Object.keys(each).length === 1);

/** The same as `components.schemas.Routine` of openapi.yaml. */
export const routineSchema = z.strictObject({
  name: z.string().max(60).regex(spoken),
  sentences: z.array(z.string().max(100).regex(spoken)).min(1).max(10),
  steps: z.array(routineStepSchema).min(1).max(20),
});

/** Steps defined by the household, and the sentences that start them. */
export type Routine = z.infer<typeof routineSchema>;

export interface RoutineStep {
  kind: 'say' | 'ask' | 'command';
  text: string;
}

/** The steps with their kinds. */
export function stepsOf({ steps }: Pick<Routine, 'steps'>): RoutineStep[] {
  return steps.map(({ say, ask, command }) => {
    if (say !== undefined) return { kind: 'say', text: say };
    return ask !== undefined ? { kind: 'ask', text: ask } : { kind: 'command', text: command ?? '' };
  });
}
