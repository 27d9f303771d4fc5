import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { withTimeLimit } from '../abort.ts';
import type { EngineClient } from './engine-client.ts';
import { type HomeAnswer, readHomeAnswer } from './home-answer.ts';
import { createHomeCalendars } from './home-calendars.ts';
import { createHomeCalls } from './home-calls.ts';
import { createDryRun, type Reading } from './home-dry-run.ts';
import { createHomeFactsReader } from './home-facts-reader.ts';
import { HomeError, type HomeTrouble } from './home-fault.ts';
import { createHomeLive } from './home-live.ts';
import { createHomeLook } from './home-look.ts';
import { harmlessly, patiently } from './home-patience.ts';
import { createHomePlayers } from './home-players.ts';
import { settingOf } from './home-setting.ts';
import { createHomeShutOut } from './home-shut-out.ts';
import { createHomeSocket } from './home-socket.ts';
import { createHomeSpeakers } from './home-speakers.ts';
import { createHouseReader } from './house-reader.ts';
import { createTodoLists } from './todo-lists.ts';

export const homeLimits = {
  /**
   * A warm answer takes 3 ms; the first after a start several seconds on a busy machine. Whoever waits longer
   * has been forgotten.
   */
  answerMs: 10_000,
  factMs: 3_000,
};

/** How often to look at a thing that is to change, where its changes are told and where not. */
const toldEveryMs = 1_000;
const lookEveryMs = 150;

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
  /** Whose earlier sentences this one may refer to. */
  conversation: string | null;
  /** A device in the room where it is said; null: the sentence says itself where. */
  device: string | null;
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

/**
 * Home Assistant's conversation API, and what is needed to be honest about it. Everything throws HomeError.
 */
export function createHomeClient(options: HomeClientOptions) {
  const { language, limits = homeLimits } = options;
  const { answerMs, factMs } = limits;
  const shutOut = createHomeShutOut();
  const { get, post, isRunning } = createHomeCalls({ ...options, factMs, shutOut });
  const connection = { baseUrl: options.url, token: options.token, shutOut };
  const socket = createHomeSocket(connection);
  const live = createHomeLive({ ...connection, isRunning });
  const look = createHomeLook({ get, live });
  const facts = createHomeFactsReader({ get, post, socket });
  const dryRun = createDryRun(socket);
  const dryRunFor = async (sentences: readonly string[], signal: AbortSignal, device: string | null) => {
    const limited = withTimeLimit(signal, factMs);
    try {
      return await dryRun(sentences, { language, device }, limited);
    } catch (error) {
      signal.throwIfAborted();
      // The socket does not tell why it failed; an ordinary question does.
      if (!(await isRunning(signal))) throw new HomeError('starting', error);
      throw new HomeError(limited.aborted ? 'slow' : 'broken', error);
    }
  };

  return {
    isRunning,
    close: () => {
      live.stop();
      socket.close();
    },
    /**
     * Has Home Assistant tell by itself how things stand, until it is closed. `onNames`: a name, a room or a
     * thing may be another.
     */
    listen: live.start,
    ...createHouseReader({ post, isRunning, socket, live }),
    ...facts,
    ...createTodoLists({ post, socket, facts: facts.facts }),
    ...createHomeCalendars({ get, post, socket }),
    ...createHomePlayers({ post }),
    ...createHomeSpeakers({ get, post }),

    /** Says a sentence to the house, once. */
    async say({ signal, ...sentence }: HomeSentence): Promise<HomeAnswer> {
      const body = bodyOf(sentence, language);
      const say = async () => {
        // On the connection that tells the states they need not be asked for afterwards.
        const told = await live.ask({ type: 'conversation/process', ...body }, answerMs, signal);
        if (told) return told.result;
        return post('/api/conversation/process', body, { signal, idleMs: answerMs, isOnce: true });
      };
      const read = readHomeAnswer(await patiently(say, { isRunning, signal }));
      if (!read) throw new HomeError('broken');
      // Half of its things are not there yet while it starts.
      if (read.kind === 'unknown' && !(await isRunning(signal))) throw new HomeError('starting');
      return read;
    },

    /** The reading that it has of each sentence, without doing anything; null: it is sure of none. */
    async readings(
      sentences: readonly string[],
      signal: AbortSignal,
      device: string | null = null,
    ): Promise<(Reading | null)[]> {
      const found = await harmlessly(() =>
        patiently(() => dryRunFor(sentences, signal, device), { isRunning, signal }),
      );
      // Half of its things are not there yet while it starts.
      if (found.every((reading) => reading === null) && !(await isRunning(signal)))
        throw new HomeError('starting');
      return found;
    },

    /**
     * The state of one thing. What is not there any more is unavailable, what this token may not see unknown.
     */
    async state(id: string, signal: AbortSignal): Promise<string> {
      try {
        return (await look(id, stateSchema, signal)).state;
      } catch (error) {
        const known = error instanceof HomeError ? stateWithout[error.trouble] : undefined;
        if (known === undefined) throw error;
        return known;
      }
    },

    /** Resolves when it is worth while to look at these things again. */
    async changed(ids: readonly string[], signal: AbortSignal): Promise<void> {
      if (live.isOn()) return await live.changed(ids, toldEveryMs, signal);
      await delay(lookEveryMs, undefined, { signal });
    },

    /** What one thing is set to, besides its state. */
    setting: (id: string, signal: AbortSignal) => settingOf(id, { look, signal }),

    /** How bright a light is, in percent; 0 where it is off; null: it cannot be dimmed. */
    async light(id: string, signal: AbortSignal): Promise<number | null> {
      const { state, attributes } = await look(id, lightSchema, signal);
      if (attributes.supported_color_modes.every((mode) => mode === 'onoff')) return null;
      if (state !== 'on') return 0;
      return ((attributes.brightness ?? maxBright) / maxBright) * 100;
    },

    /** The volume of a player, in percent; null: it has none now. */
    async volume(id: string, signal: AbortSignal): Promise<number | null> {
      const { volume_level: level } = (await look(id, volumeSchema, signal)).attributes;
      return typeof level === 'number' ? level * 100 : null;
    },

    /** Calls a service for entities: `light.turn_off`. */
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
}

/** The state of a thing that cannot be read. */
const stateWithout: Partial<Record<HomeTrouble, string>> = {
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
