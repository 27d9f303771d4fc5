import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type EngineCall, type EngineClient, EngineError, parseAnswer } from './engine-client.ts';
import { type HomeAnswer, readHomeAnswer } from './home-answer.ts';
import { createDryRun } from './home-dry-run.ts';
import { HomeError, homeFault } from './home-fault.ts';
import { type HouseFacts, houseSchema, houseTemplate, statesTemplate } from './home-templates.ts';

export const homeLimits = {
  /** A warm answer takes 3 ms; the first after a start several seconds on a busy machine. Whoever waits longer has been forgotten. */
  answerMs: 10_000,
  factMs: 3_000,
};
/** While Home Assistant starts, its routes are missing for about a second. */
const missingMs = 2_500;
const missingEveryMs = 250;

const stateSchema = z.object({ state: z.string() });
const coreSchema = z.object({ state: z.string() });

export interface HomeSentence {
  text: string;
  /** The same with the room in it, for a Home Assistant before 2026.4, which cannot be told where the speaker is. */
  textWithRoom: string;
  /** An entity in the speaker's room. */
  satellite: string | null;
  /** Whose earlier sentences this one may refer to. */
  conversation: string | null;
  signal: AbortSignal;
}

/** The first version that takes to be told where the speaker is, and that guesses less. */
const roomsSince = 2026.04;
const configSchema = z.object({ version: z.string() });

interface HomeClientOptions {
  http: EngineClient;
  /** Its address, without a path of ours. */
  url: string;
  token: string;
  language: string;
  limits?: typeof homeLimits;
}

export type HomeClient = ReturnType<typeof createHomeClient>;

/** Home Assistant's conversation API, and what is needed to be honest about it. Everything throws HomeError. */
export function createHomeClient(options: HomeClientOptions) {
  const { http, url: baseUrl, token, language, limits = homeLimits } = options;
  const { answerMs, factMs } = limits;
  const dryRun = createDryRun({ baseUrl, token });
  /** Whether it takes to be told where the speaker is; before 2026.4 it does not. */
  let knowsRooms = true;
  /** Only administrators may have templates filled in. */
  let isLimited = false;

  const call = async (
    path: string,
    more: Pick<EngineCall, 'signal'> & Partial<EngineCall>,
  ): Promise<unknown> => {
    // Exactly this spelling of Bearer; a redirect is not followed, for the token would go with it.
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    try {
      return await http.json({ idleMs: factMs, ...more, url: `${baseUrl}${path}`, headers });
    } catch (error) {
      throw homeFault(error);
    }
  };
  const post = (path: string, body: unknown, more: Pick<EngineCall, 'signal'> & Partial<EngineCall>) =>
    call(path, { method: 'POST', body: JSON.stringify(body), ...more });
  const parse = <T>(schema: z.ZodType<T>, answer: unknown): T => {
    try {
      return parseAnswer('home', schema, answer);
    } catch (error) {
      throw homeFault(error);
    }
  };

  const isRunning = async (signal: AbortSignal): Promise<boolean> =>
    parse(coreSchema, await call('/api/core/state', { signal })).state === 'RUNNING';

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

  const process = async ({ text, textWithRoom, satellite, conversation, signal }: HomeSentence) => {
    const asked = {
      language,
      agent_id: 'conversation.home_assistant',
      ...(conversation !== null && { conversation_id: conversation }),
    };
    const send = (body: object) =>
      post('/api/conversation/process', body, { signal, idleMs: answerMs, isOnce: true });
    if (knowsRooms && satellite !== null) {
      try {
        return await send({ ...asked, text, satellite_id: satellite });
      } catch (error) {
        if (!refusesKeys(error)) throw error;
        knowsRooms = false;
      }
    }
    return await send({ ...asked, text: satellite === null || knowsRooms ? text : textWithRoom });
  };

  /** Says a sentence. A missing route was asked nothing: while Home Assistant starts it is tried again. */
  const sayPatiently = async (sentence: HomeSentence): Promise<unknown> => {
    const giveUpAt = performance.now() + missingMs;
    for (;;) {
      try {
        return await process(sentence);
      } catch (error) {
        if (!(error instanceof HomeError) || error.trouble !== 'missing') throw error;
        if (performance.now() > giveUpAt) throw await isStarting(error, sentence.signal);
        await delay(missingEveryMs, undefined, { signal: sentence.signal });
      }
    }
  };
  const isStarting = async (error: HomeError, signal: AbortSignal): Promise<HomeError> =>
    (await isRunning(signal)) ? error : new HomeError('starting', error);

  return {
    /** Whether it takes to be told where the speaker is. */
    get knowsRooms(): boolean {
      return knowsRooms;
    },

    isRunning,

    /** Says a sentence to the house, once. */
    async say(sentence: HomeSentence): Promise<HomeAnswer> {
      const answer = await sayPatiently(sentence);
      const read = readHomeAnswer(answer);
      if (!read) throw new HomeError('broken');
      // Half of its things are not there yet while it starts.
      if (read.kind === 'unknown' && !(await isRunning(sentence.signal))) throw new HomeError('starting');
      return read;
    },

    /** Of each sentence, whether it would only be answered and surely do nothing. */
    async onlyReads(sentences: readonly string[], signal: AbortSignal): Promise<boolean[]> {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(factMs)]);
      try {
        return await dryRun(sentences, language, limited);
      } catch (error) {
        signal.throwIfAborted();
        // The socket does not tell why it failed; an ordinary question does.
        await isRunning(signal);
        throw new HomeError(limited.aborted ? 'slow' : 'broken', error);
      }
    },

    /** What there is in the house. */
    async house(signal: AbortSignal): Promise<HouseFacts> {
      const { version } = parse(configSchema, await call('/api/config', { signal }));
      knowsRooms = yearAndMonth(version) >= roomsSince;
      const found = await template(houseTemplate, signal);
      const facts = found === null ? noHouse : parse(houseSchema, found);
      return { ...facts, isLimited };
    },

    /** The states of all that can be commanded, by id; none where the token's user may not know. */
    async states(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
      const found = isLimited ? null : await template(statesTemplate, signal);
      return found === null ? {} : parse(z.record(z.string(), z.string()), found);
    },

    /** The state of one thing. What is not there any more is unavailable, what this token may not see unknown. */
    async state(id: string, signal: AbortSignal): Promise<string> {
      try {
        return parse(stateSchema, await call(`/api/states/${id}`, { signal })).state;
      } catch (error) {
        if (!(error instanceof HomeError)) throw error;
        if (error.trouble === 'missing') return 'unavailable';
        if (error.trouble === 'refused') return 'unknown';
        throw error;
      }
    },

    /** Does one thing to entities, as `light.turn_off` does. */
    async act(service: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
      const path = `/api/services/${service.replace('.', '/')}`;
      await post(path, { entity_id: ids }, { signal, idleMs: answerMs, isOnce: true });
    },
  };
}

const noHouse = { areas: [], floors: [], things: [] };

/** "2026.11.0" as 2026.11, "2026.4.1" as 2026.04. */
function yearAndMonth(version: string): number {
  const [year = 0, month = 0] = version.split('.').map(Number);
  return year + month / 100;
}

/** "Message format incorrect: extra keys not allowed @ data['satellite_id']": nothing was done. */
function refusesKeys(error: unknown): boolean {
  const cause = error instanceof HomeError ? error.cause : undefined;
  return cause instanceof EngineError && cause.status === 400 && /extra keys/i.test(cause.detail ?? '');
}
