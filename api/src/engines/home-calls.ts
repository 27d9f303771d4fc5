import { z } from 'zod';
import { type EngineCall, type EngineClient, parseAnswer } from './engine-client.ts';
import { homeFault } from './home-fault.ts';

interface HomeCallsOptions {
  http: EngineClient;
  /** Its base address, without our paths. */
  url: string;
  token: string;
  /** Maximum idle time of a call that asks for a fact. */
  factMs: number;
}

type More = Pick<EngineCall, 'signal'> & Partial<EngineCall>;

export type HomeCalls = ReturnType<typeof createHomeCalls>;

const coreSchema = z.object({ state: z.string() });

/** Calls Home Assistant's HTTP API with the household's token. Every call throws HomeError. */
export function createHomeCalls({ http, url: baseUrl, token, factMs }: HomeCallsOptions) {
  // Home Assistant accepts only this spelling of Bearer. Redirects are off, because they would carry the
  // token along.
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

/** Parses an answer with the schema. Throws HomeError. */
export function parseHome<T>(schema: z.ZodType<T>, answer: unknown): T {
  try {
    return parseAnswer('home', schema, answer);
  } catch (error) {
    throw homeFault(error);
  }
}
