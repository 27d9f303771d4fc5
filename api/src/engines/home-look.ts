import type { z } from 'zod';
import { type HomeCalls, parseHome } from './home-calls.ts';
import type { HomeLive } from './home-live.ts';

interface HomeLookOptions {
  get: HomeCalls['get'];
  live: Pick<HomeLive, 'now'>;
}

/** The current state of an entity, parsed with the schema. Throws HomeError. */
export type ReadState = <T>(id: string, schema: z.ZodType<T>, signal: AbortSignal) => Promise<T>;

/** Reads the live states that Home Assistant pushes, and requests the rest. */
export function createHomeLook({ get, live }: HomeLookOptions): ReadState {
  return async (id, schema, signal) => {
    const known = (await live.now(signal))?.get(id);
    return known === undefined ? await get(`/api/states/${id}`, schema, signal) : parseHome(schema, known);
  };
}
