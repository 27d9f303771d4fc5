import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import type { EngineClient } from './engine-client.ts';
import { type HomeAnswer, readHomeAnswer } from './home-answer.ts';
import { createHomeCalendars } from './home-calendars.ts';
import { createHomeCalls, type HomeCalls } from './home-calls.ts';
import { createDryRun, type Reading } from './home-dry-run.ts';
import { createHomeFactsReader } from './home-facts-reader.ts';
import { HomeError, type HomeFailure } from './home-fault.ts';
import { createHomeLive, type HomeLive } from './home-live.ts';
import { createHomeLockout } from './home-lockout.ts';
import { createHomeLook } from './home-look.ts';
import { createHomePlayers } from './home-players.ts';
import { createHomeSettings } from './home-setting.ts';
import { createHomeSocket, type HomeSocket } from './home-socket.ts';
import { createHomeSpeakers } from './home-speakers.ts';
import { createHouseReader } from './house-reader.ts';
import { harmlessly, retryWhileMissing } from './retry-while-missing.ts';
import { createTodoLists } from './todo-lists.ts';

export const homeLimits = {
  /**
   * A warm answer takes 3 ms, and the first after a start several seconds on a busy machine. A longer silence
   * means that no answer will come.
   */
  answerMs: 10_000,
  factMs: 3_000,
};

/** How often to read an entity that should change: with pushed states, and without. */
const toldEveryMs = 1_000;
const pollIntervalMs = 150;

const maxBright = 255;
const lightSchema = z.object({
  state: z.string(),
  attributes: z
    .object({
      brightness: z.number().nullish(),
      supported_color_modes: z.array(z.string()).default([]),
    })
    .default({ supported_color_modes: [] }),
});
const volumeSchema = z.object({
  attributes: z.object({ volume_level: z.number().nullish() }).default({}),
});
const stateSchema = z.object({ state: z.string() });

export interface HomeSentence {
  text: string;
  /** The conversation whose earlier sentences this one may refer to. */
  conversation: string | null;
  /** A device in the room of the speaker. Null: the sentence itself names the place. */
  device: string | null;
  signal: AbortSignal;
}

interface HomeConnectionOptions {
  http: EngineClient;
  /** Its base address, without our paths. */
  url: string;
  token: string;
  limits?: typeof homeLimits;
}

export type HomeConnection = ReturnType<typeof connectHome>;
export type HomeClient = ReturnType<HomeConnection['inLanguage']>;

/**
 * Home Assistant's conversation API, and the reads that check its effects. Every function throws HomeError.
 * All languages of a household share the connection and the states.
 */
export function connectHome(options: HomeConnectionOptions) {
  const { http, url, token, limits = homeLimits } = options;
  const { answerMs, factMs } = limits;
  const shutOut = createHomeLockout();
  const { get, post, isRunning } = createHomeCalls({ http, url, token, factMs, shutOut });
  const connection = { baseUrl: url, token, shutOut };
  const socket = createHomeSocket(connection);
  const live = createHomeLive({ ...connection, isRunning });
  const look = createHomeLook({ get, live });
  const facts = createHomeFactsReader({ get, post, socket });
  const shared = {
    isRunning,
    ...createHouseReader({ post, isRunning, socket, live }),
    ...facts,
    ...createTodoLists({ post, socket, facts: facts.facts }),
    ...createHomeCalendars({ get, post, socket }),
    ...createHomePlayers({ post }),
    ...createHomeSpeakers({ get, post }),

    /**
     * The state of an entity: `unavailable` if it no longer exists, `unknown` if this token's user may not
     * see it.
     */
    async state(id: string, signal: AbortSignal): Promise<string> {
      try {
        return (await look(id, stateSchema, signal)).state;
      } catch (error) {
        const known = error instanceof HomeError ? stateWithout[error.failure] : undefined;
        if (known === undefined) throw error;
        return known;
      }
    },

    /** Resolves when these entities are worth reading again. */
    async changed(ids: readonly string[], signal: AbortSignal): Promise<void> {
      if (live.isOn()) return await live.changed(ids, toldEveryMs, signal);
      await delay(pollIntervalMs, undefined, { signal });
    },

    ...createHomeSettings(look),

    /** The brightness of a light in percent, 0 if it is off; null: it cannot be dimmed. */
    async light(id: string, signal: AbortSignal): Promise<number | null> {
      const { state, attributes } = await look(id, lightSchema, signal);
      if (attributes.supported_color_modes.every((mode) => mode === 'onoff')) return null;
      if (state !== 'on') return 0;
      return ((attributes.brightness ?? maxBright) / maxBright) * 100;
    },

    /** The volume of a player in percent; null: it has none now. */
    async volume(id: string, signal: AbortSignal): Promise<number | null> {
      const { volume_level: level } = (await look(id, volumeSchema, signal)).attributes;
      return typeof level === 'number' ? level * 100 : null;
    },

    /** Calls a service such as `light.turn_off` for entities. */
    async act(
      service: string,
      ids: readonly string[],
      signal: AbortSignal,
      data: Readonly<Record<string, unknown>> = {},
    ): Promise<void> {
      const path = `/api/services/${service.replace('.', '/')}`;
      await post(path, { ...data, entity_id: ids }, { signal, idleMs: answerMs, isOnce: true });
    },
  };
  const talkIn = createHomeTalk({ post, isRunning, socket, live, limits });

  return {
    ...shared,
    /**
     * Lets Home Assistant push its states until the client closes. `onNames`: a name, an area or an entity
     * may have changed.
     */
    listen: live.start,
    close: () => {
      live.stop();
      socket.close();
    },
    /** The same with sentences in a language. */
    inLanguage: (language: string) => ({ ...shared, ...talkIn(language) }),
  };
}

interface HomeTalkOptions extends Pick<HomeCalls, 'post' | 'isRunning'> {
  socket: HomeSocket;
  live: Pick<HomeLive, 'ask'>;
  limits: typeof homeLimits;
}

/** Sends sentences to the house, in one language. */
function createHomeTalk({ post, isRunning, socket, live, limits }: HomeTalkOptions) {
  const { answerMs, factMs } = limits;
  const dryRun = createDryRun(socket);
  const dryRunFor = async (
    language: string,
    sentences: readonly string[],
    device: string | null,
    signal: AbortSignal,
  ) => {
    const limited = withTimeLimit(signal, factMs);
    try {
      return await dryRun(sentences, { language, device }, limited);
    } catch (error) {
      signal.throwIfAborted();
      // The socket does not report why it failed; a plain request does.
      if (!(await isRunning(signal))) throw new HomeError('starting', error);
      throw new HomeError(limited.aborted ? 'slow' : 'broken', error);
    }
  };

  return (language: string) => ({
    /** Sends a sentence to the house, once. */
    async say({ signal, ...sentence }: HomeSentence): Promise<HomeAnswer> {
      const body = bodyOf(sentence, language);
      const say = async () => {
        // On the connection that pushes states, they need no separate read afterwards.
        const answer = await live.ask({ type: 'conversation/process', ...body }, answerMs, signal);
        if (answer) return answer.result;
        return post('/api/conversation/process', body, { signal, idleMs: answerMs, isOnce: true });
      };
      const read = readHomeAnswer(await retryWhileMissing(say, { isRunning, signal }));
      if (!read) throw new HomeError('broken');
      // While Home Assistant starts, half of its entities are missing.
      if (read.kind === 'unknown' && !(await isRunning(signal))) throw new HomeError('starting');
      return read;
    },

    /** How Home Assistant understands each sentence, without acting on it. Null: it is not certain. */
    async readings(
      sentences: readonly string[],
      signal: AbortSignal,
      device: string | null = null,
    ): Promise<(Reading | null)[]> {
      const found = await harmlessly(() =>
        retryWhileMissing(() => dryRunFor(language, sentences, device, signal), { isRunning, signal }),
      );
      // While Home Assistant starts, half of its entities are missing.
      if (found.every((reading) => reading === null) && !(await isRunning(signal)))
        throw new HomeError('starting');
      return found;
    },
  });
}

/** The state of an entity that cannot be read. */
const stateWithout: Partial<Record<HomeFailure, string>> = {
  missing: 'unavailable',
  refused: 'unknown',
  banned: 'unknown',
};

function bodyOf({ text, conversation, device }: Omit<HomeSentence, 'signal'>, language: string) {
  return {
    text,
    language,
    agent_id: 'conversation.home_assistant',
    ...(conversation !== null && { conversation_id: conversation }),
    ...(device !== null && { device_id: device }),
  };
}
