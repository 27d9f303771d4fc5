import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../errors.ts';
import { adminNetworkRoutes } from '../http/admin-network-routes.ts';
import type { components } from '../http/contract-types.ts';
import { createHomeListeners, type ServedPort } from '../http/home-listeners.ts';
import { isOnLoopback } from '../http/own-machine.ts';
import { keepFresh } from '../redis/refresher.ts';
import { choiceAt, closed, createNetworkStore, networkChannel } from '../settings/network-store.ts';
import { homeAddresses } from '../tls/machine-names.ts';
import type { ApiCore } from './api-core.ts';
import type { WiredHttps } from './https.ts';
import { openedAddressOf, phoneAddressOf } from './phone-address.ts';

type SetBy = components['schemas']['Network']['set_by'];

/** How soon a new address of the machine is served, and an unconfirmed change reverts. */
const pollIntervalMs = 5_000;

export type WiredHomeNetwork = ReturnType<typeof wireHomeNetwork>;

/** Access for other devices at home, as the page decides while Hearth itself listens on loopback only. */
export function wireHomeNetwork(
  { config, redis, subscriber, clock, log }: ApiCore,
  https: Pick<WiredHttps, 'front'>,
  { intervalMs = pollIntervalMs }: { intervalMs?: number | undefined } = {},
) {
  const setBy = setByOf(config);
  const store = createNetworkStore({ redis });
  const listeners = createHomeListeners({ addresses: () => addressesOf(config) });
  let choice = closed;
  let server: Server | undefined;
  let isClosed = false;

  const ports = async (): Promise<ServedPort[]> => {
    const answering = server;
    const bound = answering?.address();
    // Before its own listener is open, nothing else is.
    if (answering === undefined || typeof bound !== 'object' || bound === null) return [];
    const { take } = await https.front(answering);
    return [
      { port: bound.port, take: (socket) => void answering.emit('connection', socket) },
      { port: config.https.port, take },
    ];
  };
  const listen = async (): Promise<void> => listeners.follow(await ports());
  const isOpen = (): boolean => setBy === 'page' && choice.isOpen;
  const look = async (): Promise<void> => {
    const now = choiceAt(choice, clock.steady());
    if (now.isOpen !== choice.isOpen) {
      log.info(now, 'an unconfirmed change of the network access was reverted');
      await store.keep(now);
      choice = now;
    }
    if (isClosed) return;
    await (isOpen() ? listen() : listeners.close());
  };
  const lookSafely = () =>
    look().catch((error) => log.warn({ err: error }, 'failed to follow the network access'));
  const refresh = keepFresh({
    redis,
    subscriber,
    channel: networkChannel,
    read: async () => {
      choice = await store.read();
      await lookSafely();
    },
    onError: (error) => log.debug({ err: error }, 'failed to read the network access'),
  });
  const timer = setInterval(() => void lookSafely(), intervalMs).unref();

  /** The first address for a phone. Null: other devices have no access. */
  const address = () => {
    if (setBy !== 'page') return phoneAddressOf(config);
    const bound = server?.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
    return isOpen() ? openedAddressOf({ ...config, port }) : null;
  };

  return {
    isOpen,
    address,
    /** Null: only http is served. */
    httpsPort: () => (config.https.isOn || isOpen() ? config.https.port : null),
    /** Answers the devices at home with this server. */
    serve(answering: Server): void {
      server = answering;
      answering.once('listening', () => void lookSafely());
    },
    handlers: adminNetworkRoutes({
      setBy,
      keep: async (wanted) => {
        await store.keep(wanted);
        await refresh();
      },
      log,
      choice: () => choice,
      steady: clock.steady,
      address: () => secureUrlOf(address(), config.https.port),
      async open() {
        if (addressesOf(config).length === 0) throw new AppError('not_possible', noHomeAddress);
        await listen().catch(async (error: ListenError) => {
          await lookSafely();
          throw new AppError('not_possible', whyNotOpen(error), { cause: error });
        });
      },
    }),
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(timer);
      await listeners.close();
    },
  };
}

function setByOf({ host, listenAddress }: ApiCore['config']): SetBy {
  if (listenAddress !== undefined) return 'containers';
  return isOnLoopback(host) ? 'page' : 'settings';
}

function addressesOf({ machineNames }: ApiCore['config']): readonly string[] {
  return machineNames.length > 0 ? machineNames.filter((name) => isIP(name) !== 0) : homeAddresses();
}

/** The address for people who type it. */
function secureUrlOf(address: { url: string; isSecure: boolean } | null, httpsPort: number): string | null {
  if (address === null) return null;
  const url = new URL(address.url);
  if (address.isSecure && url.protocol === 'http:') {
    url.protocol = 'https:';
    url.port = String(httpsPort);
  }
  return url.origin;
}

type ListenError = NodeJS.ErrnoException & { port?: number };

const noHomeAddress = 'This machine has no address in a home network. Connect it to your network first.';

function whyNotOpen({ code, port }: ListenError): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop it, or choose another port in .env, and restart.`;
  return 'Hearth cannot listen on the home network. Its log has the reason.';
}
