import { z } from 'zod';
import { wakeModeSchema } from './wake-mode.ts';

/** What the household has set of a satellite, under its name; null: nothing, so what the satellite says counts. */
export const householdChoiceSchema = z.object({
  /** What to call it. */
  name: z.string().nullable(),
  room: z.string().nullable(),
  /** Which sentences it answers. */
  wake: wakeModeSchema.nullable(),
});

export type HouseholdChoice = z.infer<typeof householdChoiceSchema>;

/** Of a satellite that nobody has set. */
export const nothingChosen: HouseholdChoice = { name: null, room: null, wake: null };
