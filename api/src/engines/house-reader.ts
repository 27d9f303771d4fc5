import { type HomeCalls, parseHome } from './home-calls.ts';
import { HomeError } from './home-fault.ts';
import { harmlessly } from './home-patience.ts';
import {
  type HouseFacts,
  heldStatesSchema,
  houseSchema,
  houseTemplate,
  statesTemplate,
} from './home-templates.ts';

const noHouse = { areas: [], floors: [], things: [] };

/** Reads the house as a whole, by templates that Home Assistant fills in. It does so for administrators only. */
export function createHouseReader({ post, isRunning }: Pick<HomeCalls, 'post' | 'isRunning'>) {
  /** This token's user is no administrator. */
  let isLimited = false;

  /** A template, filled in; null: this token's user may not have that done. */
  const template = async (text: string, signal: AbortSignal): Promise<unknown> => {
    try {
      const filled = await post('/api/template', { template: text }, { signal });
      isLimited = false;
      return filled;
    } catch (error) {
      if (!(error instanceof HomeError) || error.trouble !== 'refused') throw error;
      // Throws where the token itself is refused.
      await isRunning(signal);
      isLimited = true;
      return null;
    }
  };

  return {
    /** The rooms, floors and things of the house. */
    async house(signal: AbortSignal): Promise<HouseFacts> {
      const found = await template(houseTemplate, signal);
      const facts = found === null ? noHouse : parseHome(houseSchema, found);
      return { ...facts, isLimited };
    },

    /** The states of all that can be commanded, by id; none where the token's user may not know. */
    async states(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
      const found = isLimited ? null : await harmlessly(() => template(statesTemplate, signal));
      return found === null ? {} : parseHome(heldStatesSchema, found);
    },
  };
}
