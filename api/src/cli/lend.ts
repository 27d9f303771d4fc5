import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createWebSocketStream, WebSocket } from 'ws';
import { z } from 'zod';
import { lendEngines } from '../lending/lend-engines.ts';
import { lentServersOf } from '../lending/lent-servers.ts';
import { systemSocket } from '../lending/remote-streams.ts';
import { wakeAddressOf } from '../lending/wake-address.ts';
import { addressTowards } from '../tls/machine-names.ts';
import { gettext } from './gettext.ts';

const householdSchema = z.object({ url: z.string(), ca: z.string().nullable(), token: z.string() });

const firstWaitMs = 500;
const maxWaitMs = 10_000;
/** Two programs that lend with one key would otherwise end each other's connection without a pause. */
const replacedWaitMs = 60_000;
const openMs = 10_000;
/** Running answers may end within this. */
const graceMs = 8_000;
/** Close code, or status of the refusal: the household has removed this machine. */
const removed = [4001, 401];
/** Close code: a newer connection with the same key took over. */
const replaced = 4000;

const { HOUSEHOLD_FILE: file = '' } = process.env;
const servers = lentServersOf(process.env);
const folder = mkdtempSync(join(tmpdir(), 'hearth-lend-'));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
await lendOn(householdSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
rmSync(folder, { recursive: true });
process.exit();

/** Lends the engines of this machine until it is told to stop. Connects again after each loss. */
async function lendOn({ url, ca, token }: z.infer<typeof householdSchema>): Promise<void> {
  const address = await lendingAddress(url);
  let waitMs = firstWaitMs;
  let lastReason = '';
  while (!stopping.signal.aborted) {
    const socket = new WebSocket(address, {
      headers: { authorization: `Bearer ${token}` },
      ...{ perMessageDeflate: false, handshakeTimeout: openMs },
      ...(ca !== null && { ca }),
    });
    const { wasOpen, why, isRemoved, isReplaced } = await hold(socket, url);
    if (stopping.signal.aborted) return;
    if (isRemoved || wasOpen || why !== lastReason) say(why);
    lastReason = why;
    waitMs = wasOpen ? firstWaitMs : Math.min(maxWaitMs, 2 * waitMs);
    const pausesMs = [waitMs, ...(isRemoved ? [maxWaitMs] : []), ...(isReplaced ? [replacedWaitMs] : [])];
    await delay(Math.max(...pausesMs), undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

/** The address at which the household takes the engines of this machine, with all it must know of them. */
async function lendingAddress(url: string): Promise<URL> {
  const address = new URL('/machines/lend', url);
  address.protocol = 'wss:';
  address.searchParams.set('engines', [...servers.keys()].join(','));
  for (const [engine, { model }] of servers) if (model) address.searchParams.set(`${engine}_model`, model);
  const own = await addressTowards(address.hostname).catch(() => '');
  // A container does not see the network card of its machine.
  const card = existsSync('/.dockerenv') ? null : wakeAddressOf(own, networkInterfaces());
  if (card) {
    address.searchParams.set('mac', card.mac);
    address.searchParams.set('wake_address', card.address);
  }
  return address;
}

/** Lends over one connection until it ends. */
async function hold(socket: WebSocket, url: string) {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  let [wasOpen, isRemoved, isReplaced] = [false, false, false];
  socket.on('error', ({ message }) => resolve(gettext('Hearth does not answer at %s: %s.', url, message)));
  socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
    isRemoved = removed.includes(statusCode);
    resolve(isRemoved ? removedWords(url) : gettext('Hearth refused the connection with %s.', statusCode));
    socket.terminate();
  });
  socket.once('close', (code, reason) => {
    isRemoved ||= removed.includes(code);
    isReplaced = code === replaced;
    if (isRemoved) resolve(removedWords(url));
    else resolve(isReplaced ? replacedWords(url) : endWords(url, String(reason)));
  });
  socket.once('open', () => {
    wasOpen = true;
    say(gettext('Lends %s to the Hearth at %s.', enginesNamed([...servers.keys()]), url));
    void lendOver(socket).finally(() => socket.terminate());
  });
  stopping.signal.addEventListener('abort', () => wasOpen || socket.terminate(), { once: true });
  const why = await closed;
  return { wasOpen, why, isRemoved, isReplaced };
}

async function lendOver(socket: WebSocket): Promise<void> {
  const line = await systemSocket(createWebSocketStream(socket), join(folder, 'line'));
  const lent = lendEngines({ line, servers });
  const leave = () => {
    lent.leave();
    setTimeout(lent.end, graceMs);
  };
  stopping.signal.addEventListener('abort', leave, { once: true });
  await lent.ended;
  stopping.signal.removeEventListener('abort', leave);
}

function removedWords(url: string): string {
  return gettext(
    'The Hearth at %s has removed this machine. "make invite" there shows a new code for "make join CODE=...".',
    url,
  );
}

function endWords(url: string, reason: string): string {
  return reason === ''
    ? gettext('The connection to %s has ended.', url)
    : gettext('The connection to %s has ended: %s.', url, reason);
}

function enginesNamed([first = '', second]: readonly string[]): string {
  return second === undefined ? first : gettext('%s and %s', first, second);
}

function replacedWords(url: string): string {
  return gettext(
    'Another program lends the engines of this machine to the Hearth at %s. This one tries again in a minute.',
    url,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
