import { z } from 'zod';
import { type EngineCall, type EngineClient, parseAnswer } from './engine-client.ts';
import { HomeError, homeFault } from './home-fault.ts';
import type { HomeLockout } from './home-lockout.ts';

interface HomeCallsOptions {
  http: Pick<EngineClient, 'json'>;
  /** Its base address, without our paths. */
  url: string;
  token: string;
  /** Maximum idle time of a call that asks for a fact. */
  factMs: number;
  shutOut: HomeLockout;
}

type More = Pick<EngineCall, 'signal'> & Partial<EngineCall>;

export type HomeCalls = ReturnType<typeof createHomeCalls>;

/** Every token may read it, so a 401 here means that the token itself is refused. */
const corePath = '/api/core/state';
const coreSchema = z.object({ state: z.string() });

/** Calls Home Assistant's HTTP API with the household's token. Every call throws HomeError. */
export function createHomeCalls({ http, url: baseUrl, token, factMs, shutOut }: HomeCallsOptions) {
  // Home Assistant accepts only this spelling of Bearer. Redirects are off, because they would carry the
  // token along.
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  const send = async (path: string, more: More): Promise<unknown> => {
    try {
      const answer = await http.json({ idleMs: factMs, ...more, url: `${baseUrl}${path}`, headers });
      shutOut.learn();
      return answer;
    } catch (thrown) {
      const error = homeFault(thrown);
      // Elsewhere its user may lack a permission, so that path decides about the token.
      if (isRefused(error) && path !== corePath)
        await send(corePath, { signal: more.signal }).catch(() => undefined);
      else if (error instanceof HomeError) shutOut.learn(error);
      throw error;
    }
  };
  const call = async (path: string, more: More): Promise<unknown> => {
    const isAttempt = shutOut.throwUnlessDue();
    // A refusal elsewhere would need a second request, and each one counts as a failed login.
    if (isAttempt && path !== corePath) await send(corePath, { signal: more.signal });
    return send(path, more);
  };
  const get = async <T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> =>
    parseHome(schema, await call(path, { signal }));

  return {
    get,
    post: (path: string, body: unknown, more: More) =>
      call(path, { method: 'POST', body: JSON.stringify(body), ...more }),
    isRunning: async (signal: AbortSignal): Promise<boolean> =>
      (await get(corePath, coreSchema, signal)).state === 'RUNNING',
  };
}

const isRefused = (error: unknown) => error instanceof HomeError && error.failure === 'refused';

/** Parses an answer with the schema. Throws HomeError. */
export function parseHome<T>(schema: z.ZodType<T>, answer: unknown): T {
  try {
    return parseAnswer('home', schema, answer);
  } catch (error) {
    throw homeFault(error);
  }
}
