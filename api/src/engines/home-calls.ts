import { z } from 'zod';
import { type EngineCall, type EngineClient, parseAnswer } from './engine-client.ts';
import { homeFault } from './home-fault.ts';

interface HomeCallsOptions {
  http: EngineClient;
  /** Its address, without a path of ours. */
  url: string;
  token: string;
  /** Longest silence of a call that asks for a fact. */
  factMs: number;
}

type More = Pick<EngineCall, 'signal'> & Partial<EngineCall>;

export type HomeCalls = ReturnType<typeof createHomeCalls>;

const coreSchema = z.object({ state: z.string() });

/** Calls of Home Assistant's HTTP API, with the household's token. All of them throw HomeError. */
export function createHomeCalls({ http, url: baseUrl, token, factMs }: HomeCallsOptions) {
  // Exactly this spelling of Bearer; a redirect is not followed, for the token would go with it.
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  const call = async (path: string, more: More): Promise<unknown> => {
    try {
      return await http.json({ idleMs: factMs, ...more, url: `${baseUrl}${path}`, headers });
    } catch (error) {
      throw homeFault(error);
    }
  };
  const get = async <T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> =>
    parseHome(schema, await call(path, { signal }));

  return {
    get,
    post: (path: string, body: unknown, more: More) =>
      call(path, { method: 'POST', body: JSON.stringify(body), ...more }),
    isRunning: async (signal: AbortSignal): Promise<boolean> =>
      (await get('/api/core/state', coreSchema, signal)).state === 'RUNNING',
  };
}

/** An answer in the shape that it should have. Throws HomeError. */
export function parseHome<T>(schema: z.ZodType<T>, answer: unknown): T {
  try {
    return parseAnswer('home', schema, answer);
  } catch (error) {
    throw homeFault(error);
  }
}
