import type { Redis } from 'ioredis';
import { createKeptByName } from '../redis/kept-by-name.ts';
import { keys } from '../redis/keys.ts';
import { type HouseholdChoice, householdChoiceSchema, nothingChosen } from './household-choice.ts';

/** Says that something was set of a satellite; it does not say of which. */
export const choiceChannel = 'hearth:satellite-choice-news';
/** A household has no more satellites. */
const maxKept = 500;

export type ChoiceStore = ReturnType<typeof createChoiceStore>;

/** What the household has set of its satellites, by their names. `steady`: the household's steady time in ms. */
export function createChoiceStore({ redis, steady }: { redis: Redis; steady: () => number }) {
  const key = keys.satelliteChoices.of();
  const schema = householdChoiceSchema;
  const kept = createKeptByName({ redis, key, channel: choiceChannel, schema, maxKept, steady });
  return {
    all: kept.all,
    forget: kept.forget,
    /** What is left out stays as it was. Nothing at all is not kept. */
    async change(client: string, change: Partial<HouseholdChoice>): Promise<void> {
      const after = { ...((await kept.read(client)) ?? nothingChosen), ...change };
      const isNothing = Object.values(after).every((each) => each === null);
      await (isNothing ? kept.forget(client) : kept.put(client, after));
    },
  };
}
