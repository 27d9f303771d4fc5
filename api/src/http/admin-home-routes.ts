import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { foundHome } from '../mdns/found-home.ts';
import type { createServiceSearch } from '../mdns/service-search.ts';
import { homeAddress, homeToken, type StoredHome } from '../settings/home-connection.ts';
import type { HomeStore } from '../settings/home-store.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { hangUpSignal } from './caller-turn.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

interface HomeRoutesOptions {
  workerCalls: Pick<WorkerCalls, 'tryHome' | 'things'>;
  store: Pick<HomeStore, 'keep' | 'forget' | 'address'>;
  /** The address from the environment, which takes precedence. Null: not set. */
  fixedUrl: string | null;
  search: ReturnType<typeof createServiceSearch>;
  log: Logger;
}

type HomeHandlers = Pick<
  Handlers,
  | 'getHomeAssistant'
  | 'findHomeAssistants'
  | 'connectHomeAssistant'
  | 'disconnectHomeAssistant'
  | 'listThings'
>;

/** Short, because a person waits for the result on the page. */
const trialMs = 15_000;
const thingsMs = 8_000;

/** Finds, connects, disconnects and inspects Home Assistant. */
export function adminHomeRoutes({
  workerCalls,
  store,
  fixedUrl,
  search,
  log,
}: HomeRoutesOptions): HomeHandlers {
  const now = async (): Promise<components['schemas']['HomeAssistant']> => {
    if (fixedUrl !== null) return { set_by: 'environment', url: fixedUrl };
    const url = await store.address();
    return { set_by: url === null ? null : 'page', url };
  };
  const refuseBesideEnvironment = (): void => {
    if (fixedUrl !== null)
      throw new AppError(
        'not_possible',
        'HOME_ASSISTANT_URL is set in the environment of Hearth and takes precedence. Change it there.',
      );
  };

  return {
    getHomeAssistant: now,

    findHomeAssistants: async () => ({ homes: (await search.find()).map(foundHome) }),

    async connectHomeAssistant({ body, request: { caller }, reply }) {
      refuseBesideEnvironment();
      const given = readGiven(body);
      const end = await workerCalls.tryHome(given, { withinMs: trialMs, signal: hangUpSignal(reply) });
      if ('problem' in end) {
        const { param, message } = end.problem;
        throw new AppError('home_not_connected', message, { param });
      }
      await store.keep(given);
      const { things, rooms, limited } = end.found;
      log.info({ token_name: caller.tokenName, things, rooms }, 'Home Assistant connected from the page');
      return { set_by: 'page', url: given.url, things, rooms, limited };
    },

    async disconnectHomeAssistant({ request: { caller } }) {
      refuseBesideEnvironment();
      await store.forget();
      log.info({ token_name: caller.tokenName }, 'Home Assistant disconnected from the page');
      return { set_by: null, url: null };
    },

    async listThings({ reply }) {
      const found = await workerCalls.things({ withinMs: thingsMs, signal: hangUpSignal(reply) });
      return found === null
        ? { connected: false, limited: false, total: 0, rooms: [] }
        : { connected: true, ...found };
    },
  };
}

function readGiven({ url: typed, token: secret }: StoredHome): StoredHome {
  const url = homeAddress(typed);
  if (url === null)
    throw new AppError(
      'home_not_connected',
      'This is not an address. An address looks like http://192.168.1.20:8123, without a password in it.',
      { param: 'url' },
    );
  const token = homeToken(secret);
  if (token === null)
    throw new AppError(
      'home_not_connected',
      'A long-lived access token has no spaces in it: copy it whole, and nothing else.',
      { param: 'token' },
    );
  return { url, token };
}
