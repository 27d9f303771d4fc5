import { z } from 'zod';
import { wakeModeSchema } from './wake-mode.ts';

/**
 * The household's settings of a satellite, by its name. Null: not set, so the satellite's own choice counts.
 */
export const householdChoiceSchema = z.object({
  /** Its display name. */
  name: z.string().nullable(),
  room: z.string().nullable(),
  /** Which sentences it answers. */
  wake: wakeModeSchema.nullable(),
  /** The tag of the language that is spoken there. Earlier versions stored none. */
  language: z.string().nullable().default(null),
});

export type HouseholdChoice = z.infer<typeof householdChoiceSchema>;

/** Whether two names of satellites are the same for a person. */
export function isSameName(one: string | null, other: string): boolean {
  return one?.normalize().trim().toLowerCase() === other.normalize().trim().toLowerCase();
}

/** The settings of a satellite without an entry. */
export const nothingChosen: HouseholdChoice = { name: null, room: null, wake: null, language: null };
