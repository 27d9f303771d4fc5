import { isIPv4, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './ask.ts';

/** A server answers at once, but wireless networks lose some questions. */
const usual = { askEveryMs: 1_000, maxMs: 4_000 };
const maxAnswerMs = 3_000;

/** Data that a server announces on the network. */
interface Announced {
  addresses?: readonly string[];
  referer?: { address: string };
  port: number;
  txt?: unknown;
}

interface FindOptions {
  signal: AbortSignal;
  /** The addresses to ask; for tests. By default the whole network. */
  at?: { port: number; ip: string; multicast: false; bind: false };
  askEveryMs?: number;
  maxMs?: number;
}

/**
 * Finds the Hearth announced in this network (mDNS, _hearth._tcp). Null if there is none or the search is
 * impossible.
 */
export async function findHouse({ signal, at, ...times }: FindOptions): Promise<URL | null> {
  const { askEveryMs, maxMs } = { ...usual, ...times };
  const library = await import('bonjour-service').catch(() => null);
  if (!library) return null;
  const found = Promise.withResolvers<Announced | null>();
  const over = new AbortController();
  const bonjour = new library.Bonjour({ ...at }, () => found.resolve(null));
  const browser = bonjour.find({ type: 'hearth' }, (service) => {
    if (addressesOf(service).length > 0) found.resolve(service);
  });
  const again = setInterval(() => browser.update(), askEveryMs);
  const late = delay(maxMs, null, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => null);
  try {
    const house = await Promise.race([found.promise, late]);
    return house && (await firstTrusted(addressesOf(house), signal));
  } finally {
    over.abort();
    clearInterval(again);
    browser.stop();
    bonjour.destroy();
  }
}

/**
 * Returns the addresses of a server, best first: https if available. Of several networks, prefers the one
 * that answered.
 */
export function addressesOf({ addresses = [], referer, port, txt }: Announced): URL[] {
  const host = addresses.find(isIPv4) ?? referer?.address;
  if (!host) return [];
  const name = isIPv6(host) ? `[${host}]` : host;
  const httpsPort = txt && typeof txt === 'object' && 'https_port' in txt ? Number(txt.https_port) : 0;
  const hasHttps = Number.isInteger(httpsPort) && httpsPort > 0 && httpsPort < 65_536;
  return [...(hasHttps ? [`https://${name}:${httpsPort}`] : []), `http://${name}:${port}`].map(
    (address) => new URL(address),
  );
}

/** Returns the first address whose certificate this machine trusts; the last one is not tested. */
export async function firstTrusted(ways: readonly URL[], signal: AbortSignal): Promise<URL | null> {
  for (const way of ways.slice(0, -1)) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(maxAnswerMs)]);
    const answer = await ask(new URL('/health', way), { signal: limited }).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return way;
  }
  return ways.at(-1) ?? null;
}
