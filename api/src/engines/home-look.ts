import type { z } from 'zod';
import { type HomeCalls, parseHome } from './home-calls.ts';
import type { HomeLive } from './home-live.ts';

interface HomeLookOptions {
  get: HomeCalls['get'];
  live: Pick<HomeLive, 'now'>;
}

/** How a thing stands at this moment, in the shape that is asked for. Throws HomeError. */
export type HomeLook = <T>(id: string, schema: z.ZodType<T>, signal: AbortSignal) => Promise<T>;

/** Looks at what Home Assistant tells by itself, and asks for what it does not. */
export function createHomeLook({ get, live }: HomeLookOptions): HomeLook {
  return async (id, schema, signal) => {
    const told = (await live.now(signal))?.get(id);
    return told === undefined ? await get(`/api/states/${id}`, schema, signal) : parseHome(schema, told);
  };
}
