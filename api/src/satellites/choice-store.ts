import type { Redis } from 'ioredis';
import { keys } from '../redis/keys.ts';
import { createNamedRecords } from '../redis/named-records.ts';
import { type HouseholdChoice, householdChoiceSchema, nothingChosen } from './household-choice.ts';

/** Announces that the settings of a satellite have changed, without saying which. */
export const choiceChannel = 'hearth:satellite-choice-news';
/** More satellites than any household has. */
const maxKept = 500;

export type ChoiceStore = ReturnType<typeof createChoiceStore>;

/** Stores the household's settings of its satellites by name. `steady`: the household's steady time in ms. */
export function createChoiceStore({ redis, steady }: { redis: Redis; steady: () => number }) {
  const key = keys.satelliteChoices.of();
  const schema = householdChoiceSchema;
  const kept = createNamedRecords({ redis, key, channel: choiceChannel, schema, maxKept, steady });
  return {
    all: kept.all,
    forget: kept.forget,
    /** Missing fields stay unchanged. An entry without any setting is deleted. */
    async change(client: string, change: Partial<HouseholdChoice>): Promise<void> {
      const after = { ...((await kept.read(client)) ?? nothingChosen), ...change };
      const isNothing = Object.values(after).every((each) => each === null);
      await (isNothing ? kept.forget(client) : kept.put(client, after));
    },
  };
}
