import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import { type EngineCall, type EngineClient, parseAnswer } from './engine-client.ts';
import { type HomeAnswer, readHomeAnswer } from './home-answer.ts';
import { createDryRun, type Reading } from './home-dry-run.ts';
import { HomeError, harmless, homeFault } from './home-fault.ts';
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
  /** Whose earlier sentences this one may refer to. */
  conversation: string | null;
  signal: AbortSignal;
}

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

  const process = ({ text, conversation, signal }: HomeSentence) => {
    const asked = {
      text,
      language,
      agent_id: 'conversation.home_assistant',
      ...(conversation !== null && { conversation_id: conversation }),
    };
    return post('/api/conversation/process', asked, { signal, idleMs: answerMs, isOnce: true });
  };

  const dryRunFor = async (sentences: readonly string[], signal: AbortSignal) => {
    const limited = withTimeLimit(signal, factMs);
    try {
      return await dryRun(sentences, language, limited);
    } catch (error) {
      signal.throwIfAborted();
      // The socket does not tell why it failed; an ordinary question does.
      if (!(await isRunning(signal))) throw new HomeError('starting', error);
      throw new HomeError(limited.aborted ? 'slow' : 'broken', error);
    }
  };

  /** A missing route was asked nothing: while Home Assistant starts it is tried again. */
  const patiently = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const giveUpAt = performance.now() + missingMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof HomeError) || error.trouble !== 'missing') throw error;
        if (performance.now() > giveUpAt) throw await isStarting(error, signal);
        await delay(missingEveryMs, undefined, { signal });
      }
    }
  };
  const harmlessly = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof HomeError ? new HomeError(harmless(error.trouble), error.cause) : error;
    }
  };
  const isStarting = async (error: HomeError, signal: AbortSignal): Promise<HomeError> =>
    (await isRunning(signal)) ? error : new HomeError('starting', error);

  return {
    isRunning,

    /** Says a sentence to the house, once. */
    async say(sentence: HomeSentence): Promise<HomeAnswer> {
      const answer = await patiently(() => process(sentence), sentence.signal);
      const read = readHomeAnswer(answer);
      if (!read) throw new HomeError('broken');
      // Half of its things are not there yet while it starts.
      if (read.kind === 'unknown' && !(await isRunning(sentence.signal))) throw new HomeError('starting');
      return read;
    },

    /** What it would make of each sentence, without doing anything; null: nothing that it is sure of. */
    async readings(sentences: readonly string[], signal: AbortSignal): Promise<(Reading | null)[]> {
      const found = await harmlessly(() => patiently(() => dryRunFor(sentences, signal), signal));
      // Half of its things are not there yet while it starts.
      if (found.every((reading) => reading === null) && !(await isRunning(signal)))
        throw new HomeError('starting');
      return found;
    },

    /** What there is in the house. */
    async house(signal: AbortSignal): Promise<HouseFacts> {
      const found = await template(houseTemplate, signal);
      const facts = found === null ? noHouse : parse(houseSchema, found);
      return { ...facts, isLimited };
    },

    /** The states of all that can be commanded, by id; none where the token's user may not know. */
    async states(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
      const found = isLimited ? null : await harmlessly(() => template(statesTemplate, signal));
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
